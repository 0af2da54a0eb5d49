/// Follows what passes between hosts and their controllers: connections, fragments, and what is inside of them.
public struct HostReader<Sink: CaptureSink>: HostPacketSink {
    public var finder: FrameFinder<Sink>

    public init(_ sink: Sink) {
        finder = FrameFinder(sink)
    }

    public mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {}

    public mutating func note(_ problem: CaptureProblem) {
        finder.sink.note(problem)
    }

    /// The capture ends.
    public mutating func finish() {
        finder.finish()
    }
}
