/// The parser of any container. It keeps little; all bytes are the reader's.
struct ContainerParser: Sendable {
    private(set) var format: CaptureFormat?
    private(set) var log = ReadingLog()
    private var pcap = PcapParser()
    private var pcapng = PcapngParser()
    private var btsnoop = BtsnoopParser()
    private var packetLogger = PacketLoggerParser()

    /// Reads from the beginning of `bytes`, which are at `offset` of the file.
    ///
    /// A step that needs more bytes reports nothing to the sink, so that it does not matter how the file is cut.
    mutating func step(
        _ bytes: Span<UInt8>, at offset: UInt64, isWhole: Bool, into sink: inout some RecordSink
    ) -> ReadingStep {
        switch format {
        case .pcap: pcap.step(bytes, at: offset, &log, into: &sink)
        case .pcapng: pcapng.step(bytes, at: offset, &log, into: &sink)
        case .btsnoop: btsnoop.step(bytes, at: offset, &log, into: &sink)
        case .packetLogger: packetLogger.step(bytes, at: offset, &log, into: &sink)
        case nil: recognise(bytes, isWhole: isWhole, into: &sink)
        }
    }

    private mutating func recognise(
        _ bytes: Span<UInt8>, isWhole: Bool, into sink: inout some RecordSink
    ) -> ReadingStep {
        switch CaptureFormat.recognise(bytes, isWhole: isWhole) {
        case .format(let format):
            self.format = format
            return .took(0)
        case .need(let count): return .need(count)
        case .refused(let reason):
            log.note(0, reason, into: &sink)
            return .end
        }
    }

    /// Reports that the file ends too early.
    mutating func cut(at offset: UInt64, _ reason: @autoclosure () -> String, into sink: inout some RecordSink) {
        log.note(offset, number: log.records + 1, reason(), into: &sink)
    }
}
