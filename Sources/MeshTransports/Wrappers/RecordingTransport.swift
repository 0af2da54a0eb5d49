public import MeshCore
import Synchronization

/// What a recorded link carried, and what became of it.
public struct RecordedTraffic: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case connected
        case disconnected
        /// A frame from the app to the radio, as the link took it.
        case toRadio([UInt8])
        case toApp([UInt8])
    }

    /// Since the recorder was made, by its clock.
    public var time: Duration
    public var kind: Kind
}

/// A transport round a transport that reports everything that passes, in order. The link does not notice.
public actor RecordingTransport: MeshTransport {
    private let inner: any MeshTransport
    private let record: @Sendable (RecordedTraffic) -> Void
    private let elapsed: @Sendable () -> Duration
    private var inbox = FrameInbox()
    private var pump: Task<Void, Never>?

    /// `record` is called once for each thing, in the order in which they happen.
    public init(
        _ inner: any MeshTransport, clock: any Clock<Duration>,
        record: @escaping @Sendable (RecordedTraffic) -> Void
    ) {
        self.inner = inner
        self.record = record
        elapsed = clock.stopwatch()
    }

    public var receivedData: AsyncStream<[UInt8]> { inbox.stream }
    public var connectionState: ConnectionState { get async { await inner.connectionState } }
    public var capabilities: TransportCapabilities { get async { await inner.capabilities } }

    public func connect() async throws {
        if pump != nil, await inner.isConnected { return }
        await pump?.value
        try await inner.connect()
        note(.connected)
        let inbox = FrameInbox()
        self.inbox = inbox
        let frames = await inner.receivedData
        pump = Task(name: "recorder of a link") {
            for await frame in frames {
                note(.toApp(frame))
                if !inbox.deliver(frame) {
                    await inner.disconnect()
                    break
                }
            }
            inbox.finish()
            note(.disconnected)
            pump = nil
        }
    }

    public func disconnect() async {
        await inner.disconnect()
        await pump?.value
    }

    public func send(_ frame: [UInt8]) async throws {
        note(.toRadio(frame))
        try await inner.send(frame)
    }

    public func sendWithoutResponse(_ frame: [UInt8]) async throws {
        note(.toRadio(frame))
        try await inner.sendWithoutResponse(frame)
    }

    private func note(_ kind: RecordedTraffic.Kind) {
        record(RecordedTraffic(time: elapsed(), kind: kind))
    }
}
