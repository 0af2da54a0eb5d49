/// Classic pcap: a header of 24 bytes, then records with one of 16.
///
/// A damaged length ends the file, as nothing in it would show the beginning of the next record.
struct PcapParser: Sendable {
    private var order = ByteOrder.little
    private var nanosecondsPerTick: Int64 = 1000
    private var link: LinkType?

    mutating func step(
        _ bytes: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog, into sink: inout some RecordSink
    ) -> ReadingStep {
        guard let link else { return header(bytes, at: offset, &log, into: &sink) }
        guard bytes.count >= 16 else { return .need(16) }
        let captured = Int(bytes.word32(8, order))
        guard captured <= ContainerReader.longestRecord else {
            let number = log.next()
            log.note(offset, number: number, "a record of \(captured) bytes is damage; the rest is left", into: &sink)
            return .end
        }
        guard bytes.count >= 16 + captured else { return .need(16 + captured) }
        // Both words have 32 bits, so this fits; broken files carry over into the seconds.
        let time = Int64(bytes.word32(0, order)) * 1_000_000_000 + Int64(bytes.word32(4, order)) * nanosecondsPerTick
        sink.take(
            RecordHeader(
                number: log.next(), offset: offset, nanoseconds: time, link: link,
                originalLength: max(captured, Int(bytes.word32(12, order)))),
            bytes.extracting(16..<16 + captured))
        return .took(16 + captured)
    }

    private mutating func header(
        _ bytes: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog, into sink: inout some RecordSink
    ) -> ReadingStep {
        guard bytes.count >= 24 else { return .need(24) }
        let magic = bytes.word32(0, .little)
        order = magic & 0xFFFF_0000 == 0xA1B2_0000 ? .little : .big
        nanosecondsPerTick = magic == 0xA1B2_3C4D || magic == 0x4D3C_B2A1 ? 1 : 1000
        let version = bytes.word16(4, order)
        if version != 2 {
            log.note(offset, "pcap of version \(version) is read as version 2", into: &sink)
        }
        // The upper half holds the length of a check sum at the end, which none of our link types has.
        link = LinkType(pcap: bytes.word32(20, order) & 0xFFFF)
        return .took(24)
    }
}
