/// Unwraps records into what passed between hosts and controllers, and into packets on the air.
public struct LinkDecoder<Sink: HostPacketSink & AirPacketSink>: RecordSink {
    /// Where the packets go.
    public var sink: Sink
    /// What was in no record for it, counted by cause.
    public private(set) var drops = LinkDrops()

    public init(_ sink: Sink) {
        self.sink = sink
    }

    public mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {}

    public mutating func note(_ problem: CaptureProblem) {
        sink.note(problem)
    }
}
