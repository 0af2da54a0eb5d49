import MeshWire

/// The format of packets between repeaters that are joined by a cable or by ESP-NOW.
///
/// Source: InfrastructureNodes, "Bridge"; firmware, `BridgeBase`, `RS232Bridge`, `ESPNowBridge`.
enum BridgeFrame {
    /// The bytes at the beginning of every frame.
    static let magic: [UInt8] = [0xC0, 0x3E]
    /// Magic, length and checksum round the packet.
    static let serialOverhead = 6
    /// The longest packet that a serial receiver waits for.
    static let longestSerialPacket = 256
    /// The longest ESP-NOW frame.
    static let longestESPNowFrame = 250
    /// Magic and checksum before the packet.
    static let espNowOverhead = 4

    /// A packet for the cable: magic, length, packet, checksum; the numbers big endian.
    static func serial(_ packet: [UInt8]) -> [UInt8] {
        magic + bigEndian(UInt16(truncatingIfNeeded: packet.count)) + packet + bigEndian(fletcher16(packet))
    }

    /// A packet for ESP-NOW: magic, then checksum and packet in disguise. `nil` for one longer than 246 bytes.
    static func espNow(_ packet: [UInt8], secret: [UInt8]) -> [UInt8]? {
        guard packet.count + espNowOverhead <= longestESPNowFrame else { return nil }
        return magic + disguised(bigEndian(fletcher16(packet)) + packet, secret: secret)
    }

    /// The packet in an ESP-NOW frame; `nil` for a frame of something else, or with another secret.
    static func packet(espNow frame: [UInt8], secret: [UInt8]) -> [UInt8]? {
        guard (espNowOverhead...longestESPNowFrame).contains(frame.count), frame.starts(with: magic) else { return nil }
        let content = disguised([UInt8](frame[2...]), secret: secret)
        let packet = [UInt8](content[2...])
        return content.starts(with: bigEndian(fletcher16(packet))) ? packet : nil
    }

    /// The checksum of both; the second sum in the high byte.
    static func fletcher16(_ bytes: some Sequence<UInt8>) -> UInt16 {
        var low: UInt16 = 0
        var high: UInt16 = 0
        for byte in bytes {
            low = (low + UInt16(byte)) % 255
            high = (high + low) % 255
        }
        return high << 8 | low
    }

    /// XOR with the repeated secret, which undoes itself. An empty one, which divides by zero in the firmware, does
    /// nothing.
    private static func disguised(_ bytes: [UInt8], secret: [UInt8]) -> [UInt8] {
        guard !secret.isEmpty else { return bytes }
        return bytes.enumerated().map { $1 ^ secret[$0 % secret.count] }
    }

    fileprivate static func bigEndian(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}

/// Finds packets in the bytes of a bridge's cable, whatever else comes over it.
///
/// It holds at most one frame. Source: firmware, `RS232Bridge::loop`.
struct BridgeReceiver: Hashable, Sendable {
    /// The frame so far, magic first.
    private var frame: [UInt8] = []

    /// The packets that these bytes complete. Packets with a wrong checksum are dropped, and frames whose length
    /// field is too large.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        for byte in bytes {
            if let packet = take(byte) { packets.append(packet) }
        }
        return packets
    }

    private mutating func take(_ byte: UInt8) -> [UInt8]? {
        if frame.count < 2 {
            if byte != BridgeFrame.magic[frame.count] { frame = [] }
            // What is not the second byte may be the first.
            if byte == BridgeFrame.magic[frame.count] { frame.append(byte) }
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
        defer { frame = [] }
        let packet = [UInt8](frame[4..<(4 + length)])
        return frame.suffix(2).elementsEqual(BridgeFrame.bigEndian(BridgeFrame.fletcher16(packet))) ? packet : nil
    }
}
