import MeshCapture

/// The link types of hosts and their controllers.
extension LinkDecoder {
    /// Lends what follows the first `start` bytes.
    private mutating func lend(
        _ header: RecordHeader, _ bytes: Span<UInt8>, from start: Int, adapter: UInt16, _ kind: HostPacketHeader.Kind,
        _ way: HostWay?
    ) {
        var header = header
        header.originalLength -= start
        sink.take(
            HostPacketHeader(record: header, adapter: adapter, kind: kind, way: way), bytes.extracting(start...))
    }

    /// A type byte at `start`, then the packet.
    mutating func takeH4(_ header: RecordHeader, _ bytes: Span<UInt8>, from start: Int, way: HostWay?) {
        guard bytes.count > start else { return drop(header, .tooShort) }
        let adapter = header.interface
        switch bytes[start] {
        case 1: lend(header, bytes, from: start + 1, adapter: adapter, .command, .sent)
        case 2:
            let way = way ?? Self.wayOfData(bytes, from: start + 1)
            lend(header, bytes, from: start + 1, adapter: adapter, .data, way)
        case 4: lend(header, bytes, from: start + 1, adapter: adapter, .event, .received)
        default: lend(header, bytes, from: start + 1, adapter: adapter, .other, way)
        }
    }

    /// The first fragment of a host cannot be flushed, that of a controller can; continuations do not tell.
    private static func wayOfData(_ bytes: Span<UInt8>, from start: Int) -> HostWay? {
        guard bytes.count >= start + 2 else { return nil }
        switch bytes[start + 1] >> 4 & 3 {
        case 0: return .sent
        case 2: return .received
        default: return nil
        }
    }

    /// Link type 201. Some have written the direction the other way round; commands and events tell.
    mutating func takeDirected(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        guard bytes.count > 4 else { return drop(header, .tooShort) }
        let isReceived = bytes[3] & 1 == 1
        switch bytes[4] {
        case 1: expect(!isReceived, header)
        case 4: expect(isReceived, header)
        default: break
        }
        takeH4(header, bytes, from: 4, way: isReceived != isReversed ? .received : .sent)
    }

    private mutating func expect(_ isRight: Bool, _ header: RecordHeader) {
        guard isReversed == isRight else { return }
        isReversed = !isRight
        let reason = isRight ? "from here on, directions are as they should be" : "directions are the wrong way round"
        sink.note(CaptureProblem(offset: header.offset, number: header.number, reason))
    }

    /// btsnoop 1001: the kind in the two lowest flags.
    mutating func takeByFlags(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        switch header.kind & 3 {
        case 0: lend(header, bytes, from: 0, adapter: 0, .data, .sent)
        case 1: lend(header, bytes, from: 0, adapter: 0, .data, .received)
        case 2: lend(header, bytes, from: 0, adapter: 0, .command, .sent)
        default: lend(header, bytes, from: 0, adapter: 0, .event, .received)
        }
    }

    /// Link type 254.
    mutating func takeMonitor(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        guard bytes.count >= 4 else { return drop(header, .tooShort) }
        takeMonitor(header, bytes, from: 4, adapter: bytes.word16(0, .big), opcode: bytes.word16(2, .big))
    }

    mutating func takeMonitor(
        _ header: RecordHeader, _ bytes: Span<UInt8>, from start: Int, adapter: UInt16, opcode: UInt16
    ) {
        switch opcode {
        case 0, 1, 8, 9, 10: lend(header, bytes, from: start, adapter: adapter, .adapter(opcode: opcode), nil)
        case 2: lend(header, bytes, from: start, adapter: adapter, .command, .sent)
        case 3: lend(header, bytes, from: start, adapter: adapter, .event, .received)
        case 4: lend(header, bytes, from: start, adapter: adapter, .data, .sent)
        case 5: lend(header, bytes, from: start, adapter: adapter, .data, .received)
        case 6, 18: lend(header, bytes, from: start, adapter: adapter, .other, .sent)
        case 7, 19: lend(header, bytes, from: start, adapter: adapter, .other, .received)
        // Diagnostics, and what the management interface was told.
        case 11, 14...17: lend(header, bytes, from: start, adapter: adapter, .other, nil)
        case 12: lend(header, bytes, from: start, adapter: adapter, .note, nil)
        case 13:
            // A priority and the name of the program come first.
            guard bytes.count >= start + 2, bytes.count >= start + 2 + Int(bytes[start + 1]) else {
                return drop(header, .tooShort)
            }
            lend(header, bytes, from: start + 2 + Int(bytes[start + 1]), adapter: adapter, .note, nil)
        default: drop(header, .unknownType(UInt32(opcode)))
        }
    }

    /// PacketLogger: the type stood in the record's header.
    mutating func takeLogged(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        switch header.kind {
        case 0x00: lend(header, bytes, from: 0, adapter: 0, .command, .sent)
        case 0x01: lend(header, bytes, from: 0, adapter: 0, .event, .received)
        case 0x02: lend(header, bytes, from: 0, adapter: 0, .data, .sent)
        case 0x03: lend(header, bytes, from: 0, adapter: 0, .data, .received)
        case 0x08...0x0B: lend(header, bytes, from: 0, adapter: 0, .other, header.way)
        case 0xF7...0xFF: lend(header, bytes, from: 0, adapter: 0, .note, nil)
        default: drop(header, .unknownType(header.kind))
        }
    }
}
