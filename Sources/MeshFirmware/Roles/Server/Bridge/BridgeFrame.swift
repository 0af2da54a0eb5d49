/// The frames in which two repeaters pass packets to each other beside the radio.
///
/// Source: InfrastructureNodes, "Bridge"; firmware, `RS232Bridge` and `ESPNowBridge`.
enum BridgeFrame {
    /// `BRIDGE_PACKET_MAGIC`, the first two bytes of every frame.
    static let magic: [UInt8] = [0xC0, 0x3E]
    /// The longest packet of a serial frame (`MAX_TRANS_UNIT + 1`), in bytes.
    static let longestSerialPacket = 256
    /// Bytes of a serial frame beside the packet: magic, length, checksum.
    static let serialOverhead = 6
    /// The longest frame of ESP-NOW, in bytes.
    static let longestRadioFrame = 250

    /// Fletcher's checksum, with the second sum in the upper byte.
    static func checksum(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var (first, second): (UInt16, UInt16) = (0, 0)
        for byte in bytes {
            first = (first + UInt16(byte)) % 255
            second = (second + first) % 255
        }
        return [UInt8(truncatingIfNeeded: second), UInt8(truncatingIfNeeded: first)]
    }

    /// The frame of a packet for a serial line: magic, length, packet, checksum; numbers are big endian.
    static func serial(_ packet: [UInt8]) -> [UInt8] {
        magic + [UInt8(truncatingIfNeeded: packet.count >> 8), UInt8(truncatingIfNeeded: packet.count)] + packet
            + checksum(of: packet)
    }

    /// The frame of a packet for ESP-NOW: magic, then checksum and packet under the secret; `nil` for a packet that is
    /// too long.
    static func radio(_ packet: [UInt8], secret: [UInt8]) -> [UInt8]? {
        guard packet.count <= longestRadioFrame - 4 else { return nil }
        return magic + masked(checksum(of: packet) + packet, by: secret)
    }

    /// The packet in a frame of ESP-NOW; `nil` for another frame, and one under another secret.
    static func packet(inRadio frame: [UInt8], secret: [UInt8]) -> [UInt8]? {
        guard (4...longestRadioFrame).contains(frame.count), frame.starts(with: magic) else { return nil }
        let clear = masked(Array(frame.dropFirst(2)), by: secret)
        let packet = Array(clear.dropFirst(2))
        return checksum(of: packet).elementsEqual(clear.prefix(2)) ? packet : nil
    }

    /// The bytes under the repeated secret; an empty one leaves them as they are.
    private static func masked(_ bytes: [UInt8], by secret: [UInt8]) -> [UInt8] {
        guard !secret.isEmpty else { return bytes }
        return bytes.enumerated().map { $1 ^ secret[$0 % secret.count] }
    }
}

/// Cuts packets from the bytes of a serial line.
///
/// It finds the next frame after noise, a wrong length or a wrong checksum as the firmware does: from the byte behind
/// what it has read. It holds one frame at most.
struct SerialBridgeReader: Hashable, Sendable {
    private var frame: [UInt8] = []

    /// Takes one byte; returns a packet when it was the last one of a frame with the right checksum.
    mutating func take(_ byte: UInt8) -> [UInt8]? {
        guard frame.count >= 2 else {
            if byte == BridgeFrame.magic[frame.count] {
                frame.append(byte)
            } else {
                frame = byte == BridgeFrame.magic[0] ? [byte] : []
            }
            return nil
        }
        frame.append(byte)
        guard frame.count >= 4 else { return nil }
        let length = Int(frame[2]) << 8 | Int(frame[3])
        guard length <= BridgeFrame.longestSerialPacket else {
            frame = []
            return nil
        }
        guard frame.count == length + BridgeFrame.serialOverhead else { return nil }
        let packet = Array(frame[4..<4 + length])
        let isRight = BridgeFrame.checksum(of: packet).elementsEqual(frame.suffix(2))
        frame = []
        return isRight ? packet : nil
    }
}
