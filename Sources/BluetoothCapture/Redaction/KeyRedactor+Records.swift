extension KeyRedactor {
    /// Redacts a record as it stands in a file, wrapping included. Returns whether it held a key.
    ///
    /// Link types that carry no HCI are left alone: on the air keys travel encrypted.
    public mutating func redact(_ header: RecordHeader, _ bytes: inout [UInt8]) -> Bool {
        switch header.link {
        case .h4: return redactH4(header, from: 0, way: header.way, &bytes)
        case .h4WithDirection:
            guard bytes.count > 4 else { return false }
            return redactH4(header, from: 4, way: bytes[3] & 1 == 0 ? .sent : .received, &bytes)
        case .hciByFlags:
            let kinds: [UInt8] = [2, 2, 1, 4]
            return redact(
                header, adapter: 0, kinds[Int(header.kind & 3)], from: 0, header.kind & 1 == 0 ? .sent : .received,
                &bytes)
        case .linuxMonitor:
            guard bytes.count > 4 else { return false }
            let adapter = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
            return redactMonitor(header, adapter, UInt16(bytes[2]) << 8 | UInt16(bytes[3]), from: 4, &bytes)
        case .linuxMonitorByFlags:
            return redactMonitor(
                header, UInt16(header.kind >> 16), UInt16(truncatingIfNeeded: header.kind), from: 0, &bytes)
        case .packetLogger:
            let kinds: [UInt8] = [1, 4, 2, 2]
            guard header.kind < 4 else { return false }
            return redact(
                header, adapter: 0, kinds[Int(header.kind)], from: 0, header.kind == 3 ? .received : .sent, &bytes)
        case .lowEnergy, .lowEnergyWithRadio, .nordicSniffer, .other: return false
        }
    }

    private mutating func redactH4(
        _ header: RecordHeader, from start: Int, way: HostWay?, _ bytes: inout [UInt8]
    ) -> Bool {
        guard start < bytes.count else { return false }
        return redact(header, adapter: 0, bytes[start], from: start + 1, way, &bytes)
    }

    private mutating func redactMonitor(
        _ header: RecordHeader, _ adapter: UInt16, _ opcode: UInt16, from start: Int, _ bytes: inout [UInt8]
    ) -> Bool {
        switch opcode {
        case 2: return redact(header, adapter: adapter, 1, from: start, .sent, &bytes)
        case 3: return redact(header, adapter: adapter, 4, from: start, .received, &bytes)
        case 4: return redact(header, adapter: adapter, 2, from: start, .sent, &bytes)
        case 5: return redact(header, adapter: adapter, 2, from: start, .received, &bytes)
        case 16, 17:
            // Behind the cookie of whoever talks.
            return Self.edit(&bytes, from: start + 4) { Self.redactManagement(isEvent: opcode == 17, &$0) }
        default: return false
        }
    }

    /// `type` is that of H4.
    private mutating func redact(
        _ record: RecordHeader, adapter: UInt16, _ type: UInt8, from start: Int, _ way: HostWay?,
        _ bytes: inout [UInt8]
    ) -> Bool {
        let kind: HostPacketHeader.Kind
        switch type {
        case 1: kind = .command
        case 2: kind = .data
        case 4: kind = .event
        default: return false
        }
        let header = HostPacketHeader(record: record, adapter: adapter, kind: kind, way: way)
        return Self.edit(&bytes, from: start) { redact(header, &$0) }
    }

    /// Edits the bytes behind a wrapping.
    private static func edit(_ bytes: inout [UInt8], from start: Int, _ body: (inout [UInt8]) -> Bool) -> Bool {
        guard start < bytes.count else { return false }
        var inner = [UInt8](bytes[start...])
        guard body(&inner) else { return false }
        bytes.replaceSubrange(start..., with: inner)
        return true
    }
}
