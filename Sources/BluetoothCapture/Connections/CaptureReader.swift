package import MeshCapture

/// Reads a capture's companion frames, from packets of hosts and controllers and from packets on the air.
///
/// It follows a `LinkDecoder`; call `finish` when the capture ends. A capture that has both keeps their order, and
/// the connections of both are counted together.
package struct CaptureReader<Sink: CaptureSink>: HostPacketSink, AirPacketSink {
    /// Follows the packets between hosts and their controllers (HCI).
    package private(set) var host: HostReader<Sink>
    /// The reader of the packets that a sniffer captured on the air.
    package private(set) var air: AirReader<FrameFinder<Sink>>
    /// The finder of frames, with the sink in it, is with the reader that had the last packet.
    private var isOnAir = false

    /// Makes a reader that delivers frames and events of both layers to `sink`; `options` is for encrypted links on
    /// the air.
    package init(_ sink: Sink, _ options: AirOptions = AirOptions()) {
        host = HostReader(sink)
        air = AirReader(FrameFinder(sink), options)
    }

    /// The receiver of frames and events, in its state after the last packet.
    package var sink: Sink { isOnAir ? air.sink.sink : host.finder.sink }

    /// Calls `body` with the sink, between two packets.
    package mutating func withSink<T>(_ body: (inout Sink) -> T) -> T {
        isOnAir ? body(&air.sink.sink) : body(&host.finder.sink)
    }

    package mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        if isOnAir { turn() }
        host.take(header, bytes)
    }

    package mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {
        if !isOnAir { turn() }
        air.take(header, bytes)
    }

    package mutating func note(_ problem: CaptureProblem) {
        if isOnAir { air.note(problem) } else { host.note(problem) }
    }

    /// Ends the capture: reports what is still open, as it is.
    package mutating func finish() {
        if !isOnAir { turn() }
        air.finish()
        turn()
        host.finish()
    }

    private mutating func turn() {
        swap(&host.finder, &air.sink)
        isOnAir.toggle()
    }
}
