import MeshBluetoothHost

// Where the records of hosts and controllers have their packets, for all who look into records.
extension RecordHeader {
    /// What the record holds, and at which of its bytes that begins.
    ///
    /// Throws why it holds nothing, among that the link types of the air.
    func hostPacket(in bytes: Span<UInt8>) throws(LinkDrops.Cause) -> (header: HostPacketHeader, start: Int) {
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

    private func packet(
        _ kind: HostPacketHeader.Kind, _ way: HostWay?, adapter: UInt16 = 0, from start: Int = 0
    ) -> (header: HostPacketHeader, start: Int) {
        var record = self
        record.originalLength -= start
        return (HostPacketHeader(record: record, adapter: adapter, kind: kind, way: way), start)
    }

    /// A type byte at `start`, then the packet.
    private func typed(
        _ bytes: Span<UInt8>, from start: Int, _ way: HostWay?
    ) throws(LinkDrops.Cause) -> (header: HostPacketHeader, start: Int) {
        guard bytes.count > start else { throw .tooShort }
        switch bytes[start] {
        case 1: return packet(.command, .sent, adapter: interface, from: start + 1)
        case 2:
            let way = way ?? Self.wayOfData(bytes.extracting(droppingFirst: start + 1))
            return packet(.data, way, adapter: interface, from: start + 1)
        case 4: return packet(.event, .received, adapter: interface, from: start + 1)
        default: return packet(.other, way, adapter: interface, from: start + 1)
        }
    }

    /// The first fragment of a host cannot be flushed, that of a controller can; continuations do not tell.
    private static func wayOfData(_ bytes: Span<UInt8>) -> HostWay? {
        switch HCI.DataHeader(bytes)?.boundary {
        case .first: .sent
        case .firstFlushable: .received
        case .continuation, .whole, nil: nil
        }
    }

    /// btsnoop 1001: the kind in the two lowest flags.
    private var byFlags: (header: HostPacketHeader, start: Int) {
        switch kind & 3 {
        case 0: packet(.data, .sent)
        case 1: packet(.data, .received)
        case 2: packet(.command, .sent)
        default: packet(.event, .received)
        }
    }

    /// PacketLogger: the type stood in the record's header.
    private var logged: (header: HostPacketHeader, start: Int) {
        get throws(LinkDrops.Cause) {
            switch kind {
            case 0x00: packet(.command, .sent)
            case 0x01: packet(.event, .received)
            case 0x02: packet(.data, .sent)
            case 0x03: packet(.data, .received)
            case 0x08...0x0B: packet(.other, way)
            case 0xF7...0xFF: packet(.note, nil)
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
    ) throws(LinkDrops.Cause) -> (header: HostPacketHeader, start: Int) {
        func packet(
            _ kind: HostPacketHeader.Kind, _ way: HostWay?, skipping count: Int = 0
        ) -> (header: HostPacketHeader, start: Int) {
            self.packet(kind, way, adapter: message.adapter, from: message.start + count)
        }
        switch message.opcode {
        case 0, 1, 8, 9, 10: return packet(.adapter(opcode: message.opcode), nil)
        case 2: return packet(.command, .sent)
        case 3: return packet(.event, .received)
        case 4: return packet(.data, .sent)
        case 5: return packet(.data, .received)
        case 6, 18: return packet(.other, .sent)
        case 7, 19: return packet(.other, .received)
        // Diagnostics, and what the management interface was told.
        case 11, 14...17: return packet(.other, nil)
        case 12: return packet(.note, nil)
        case 13:
            // A priority and the name of the program come first.
            let start = message.start
            guard bytes.count >= start + 2, bytes.count >= start + 2 + Int(bytes[start + 1]) else { throw .tooShort }
            return packet(.note, nil, skipping: 2 + Int(bytes[start + 1]))
        default: throw .unknownType(UInt32(message.opcode))
        }
    }
}
