import MeshBluetoothHost

/// The content of a record of a host and its controller, and the byte at which it begins.
///
/// One description of the link types of hosts, for all who look into records. It is small and holds no record: the
/// decoder makes one for each of millions.
struct HostPlace {
    var kind: HostPacketHeader.Kind
    var way: HostWay?
    var adapter: UInt16
    var start: Int
}

extension HostPacketHeader {
    /// The packet that stands there in a record.
    init(_ record: RecordHeader, _ place: HostPlace) {
        self.init(record: record, adapter: place.adapter, kind: place.kind, way: place.way)
        self.record.originalLength -= place.start
    }
}

extension RecordHeader {
    /// Returns the place of the record's packet. Throws the cause if there is none, as for the link types of the air.
    func hostPlace(in bytes: Span<UInt8>) throws(LinkDrops.Cause) -> HostPlace {
        switch link {
        case .h4: return try typed(bytes, from: 0, way)
        case .h4WithDirection:
            guard bytes.count > 4 else { throw .tooShort }
            return try typed(bytes, from: 4, bytes[3] & 1 == 1 ? .received : .sent)
        case .hciByFlags: return byFlags
        case .linuxMonitor, .linuxMonitorByFlags:
            guard let message = monitorMessage(in: bytes) else { throw .tooShort }
            return try monitored(message, bytes)
        case .packetLogger: return try logged
        case .lowEnergy, .lowEnergyWithRadio, .nordicSniffer, .other: throw .unknownLink(link.pcapNumber ?? 0)
        }
    }

    private func place(
        _ kind: HostPacketHeader.Kind, _ way: HostWay?, adapter: UInt16 = 0, from start: Int = 0
    ) -> HostPlace {
        HostPlace(kind: kind, way: way, adapter: adapter, start: start)
    }

    /// A type byte at `start`, then the packet.
    private func typed(
        _ bytes: Span<UInt8>, from start: Int, _ way: HostWay?
    ) throws(LinkDrops.Cause) -> HostPlace {
        guard bytes.count > start else { throw .tooShort }
        switch bytes[start] {
        case 1: return place(.command, .sent, adapter: interface, from: start + 1)
        case 2:
            let way = way ?? Self.wayOfData(bytes.extracting(droppingFirst: start + 1))
            return place(.data, way, adapter: interface, from: start + 1)
        case 4: return place(.event, .received, adapter: interface, from: start + 1)
        default: return place(.other, way, adapter: interface, from: start + 1)
        }
    }

    /// The first fragment of a host cannot be flushed, that of a controller can; continuations do not show it.
    private static func wayOfData(_ bytes: Span<UInt8>) -> HostWay? {
        switch HCI.DataHeader(bytes)?.boundary {
        case .first: .sent
        case .firstFlushable: .received
        case .continuation, .whole, nil: nil
        }
    }

    /// btsnoop 1001: the kind in the two lowest flags.
    private var byFlags: HostPlace {
        switch kind & 3 {
        case 0: place(.data, .sent)
        case 1: place(.data, .received)
        case 2: place(.command, .sent)
        default: place(.event, .received)
        }
    }

    /// PacketLogger: the type stood in the record's header.
    private var logged: HostPlace {
        get throws(LinkDrops.Cause) {
            switch kind {
            case 0x00: place(.command, .sent)
            case 0x01: place(.event, .received)
            case 0x02: place(.data, .sent)
            case 0x03: place(.data, .received)
            case 0x08...0x0B: place(.other, way)
            case 0xF7...0xFF: place(.note, nil)
            default: throw .unknownType(kind)
            }
        }
    }

    // MARK: The Linux monitor

    /// The adapter and the opcode of a record of the Linux monitor, and where their message begins; else `nil`.
    func monitorMessage(in bytes: Span<UInt8>) -> (adapter: UInt16, opcode: UInt16, start: Int)? {
        switch link {
        case .linuxMonitor where bytes.count >= 4: (bytes.word16(0, .big), bytes.word16(2, .big), 4)
        case .linuxMonitorByFlags:
            (UInt16(truncatingIfNeeded: kind >> 16), UInt16(truncatingIfNeeded: kind), 0)
        default: nil
        }
    }

    private func monitored(
        _ message: (adapter: UInt16, opcode: UInt16, start: Int), _ bytes: Span<UInt8>
    ) throws(LinkDrops.Cause) -> HostPlace {
        func place(
            _ kind: HostPacketHeader.Kind, _ way: HostWay?, skipping count: Int = 0
        ) -> HostPlace {
            self.place(kind, way, adapter: message.adapter, from: message.start + count)
        }
        switch message.opcode {
        case 0, 1, 8, 9, 10: return place(.adapter(opcode: message.opcode), nil)
        case 2: return place(.command, .sent)
        case 3: return place(.event, .received)
        case 4: return place(.data, .sent)
        case 5: return place(.data, .received)
        case 6, 18: return place(.other, .sent)
        case 7, 19: return place(.other, .received)
        // Diagnostics, and what the management interface was told.
        case 11, 14...17: return place(.other, nil)
        case 12: return place(.note, nil)
        case 13:
            // A priority and the name of the program come first.
            let start = message.start
            guard bytes.count >= start + 2, bytes.count >= start + 2 + Int(bytes[start + 1]) else { throw .tooShort }
            return place(.note, nil, skipping: 2 + Int(bytes[start + 1]))
        default: throw .unknownType(UInt32(message.opcode))
        }
    }
}
