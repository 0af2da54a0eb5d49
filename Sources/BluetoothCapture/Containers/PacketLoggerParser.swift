/// Apple's PacketLogger: records without a header in front of them, in one byte order or the other.
struct PacketLoggerParser: Sendable {
    private var order: ByteOrder?

    mutating func step(
        _ bytes: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog, into sink: inout some RecordSink
    ) -> ReadingStep {
        guard bytes.count >= 4 else { return .need(4) }
        let order = self.order ?? Self.order(bytes)
        self.order = order
        let length = Int(bytes.word32(0, order))
        guard length >= 8, length <= ContainerReader.longestRecord + 9 else {
            let number = log.next()
            log.note(offset, number: number, "a record of \(length) bytes is damage; the rest is left", into: &sink)
            return .end
        }
        guard bytes.count >= 4 + length else { return .need(4 + length) }
        let number = log.next()
        guard length >= 9 else {
            log.note(offset, number: number, "a record without its type", into: &sink)
            return .took(4 + length)
        }
        let time = Int64(bytes.word32(4, order)) * 1_000_000_000 + Int64(bytes.word32(8, order)) * 1000
        let type = bytes[12]
        sink.take(
            RecordHeader(
                number: number, offset: offset, nanoseconds: time, link: .packetLogger, originalLength: length - 9,
                way: Self.way(type), kind: UInt32(type)),
            bytes.extracting(13..<4 + length))
        return .took(4 + length)
    }

    /// Returns whether the first five records, or as many as a short file has, look like this container's.
    static func recognise(_ bytes: Span<UInt8>, isWhole: Bool) -> CaptureFormat.Recognition {
        let order = order(bytes)
        var start = 0
        for record in 0..<5 {
            guard bytes.count >= start + 13 else {
                guard isWhole else { return .need(start + 13) }
                return record > 0 ? .format(.packetLogger) : .refused("the first bytes are those of no capture")
            }
            let length = Int(bytes.word32(start, order))
            let isSound =
                (8..<65_536).contains(length) && bytes.word32(start + 8, order) < 1_000_000
                && (length == 8 || isKnown(bytes[start + 12]))
            guard isSound else { return .refused("the first bytes are those of no capture") }
            start += 4 + length
        }
        return .format(.packetLogger)
    }

    /// No record is so long that its length would need the upper half.
    private static func order(_ bytes: Span<UInt8>) -> ByteOrder {
        let length = bytes.word32(0, .little)
        return length & 0xFFFF == 0 && length >> 16 != 0 ? .big : .little
    }

    private static func isKnown(_ type: UInt8) -> Bool {
        switch type {
        case 0x00...0x03, 0x08...0x0B, 0xF7...0xFF: true
        default: false
        }
    }

    private static func way(_ type: UInt8) -> HostWay? {
        switch type {
        case 0x00, 0x02, 0x08, 0x0A: .sent
        case 0x01, 0x03, 0x09, 0x0B: .received
        default: nil
        }
    }
}
