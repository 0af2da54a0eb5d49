@testable import BluetoothCapture

/// The form in which sniffers write a packet, by link type.
enum SniffedRecord: CaseIterable, Sendable {
    case lowEnergy
    case withRadio
    case nordic1
    case nordic2
    case nordic3

    var link: LinkType {
        switch self {
        case .lowEnergy: .lowEnergy
        case .withRadio: .lowEnergyWithRadio
        case .nordic1, .nordic2, .nordic3: .nordicSniffer
        }
    }

    /// The bytes of the record.
    func bytes(_ packet: SniffedSession.Packet, number: Int) -> [UInt8] {
        switch self {
        case .lowEnergy: packet.bytes
        case .withRadio: radioHeader(packet) + packet.bytes
        case .nordic1: nordicHeader(packet, version: 1, number) + packet.bytes
        case .nordic2: nordicHeader(packet, version: 2, number) + packet.bytes
        case .nordic3: nordicHeader(packet, version: 3, number) + packet.bytes
        }
    }

    private func radioHeader(_ packet: SniffedSession.Packet) -> [UInt8] {
        let channel: UInt8 =
            switch packet.channelIndex {
            case 37: 0
            case 38: 12
            case 39: 39
            case 0...10: packet.channelIndex + 1
            default: packet.channelIndex + 2
            }
        let kind: UInt16 =
            switch packet.side {
            case nil: 0
            case .central?: 2
            case .peripheral?: 3
            }
        // Dewhitened, signal valid, reference address valid, check sum checked and good.
        let flags: UInt16 = 0x0001 | 0x0002 | 0x0010 | kind << 7 | 0x0400 | 0x0800
        return [channel, 0xCE, 0x80, 0] + packet.bytes.prefix(4) + flags.littleEndianBytes
    }

    private func nordicHeader(_ packet: SniffedSession.Packet, version: UInt8, _ number: Int) -> [UInt8] {
        let length = 10 + packet.bytes.count
        let isAdvertising = packet.side == nil
        let lengths: [UInt8] =
            version == 1 ? [6, UInt8(length)] : [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
        let kind: UInt8 = version == 3 && isAdvertising ? 2 : 6
        let flags: UInt8 = 0x01 | (packet.side == .central ? 0x02 : 0)
        let stamp = UInt32(truncatingIfNeeded: packet.nanoseconds / 1000)
        return [0] + lengths + [version] + UInt16(truncatingIfNeeded: number).littleEndianBytes
            + [kind, 10, flags, packet.channelIndex, 50] + UInt16(number & 0xFFFF).littleEndianBytes
            + stamp.littleEndianBytes
    }
}
