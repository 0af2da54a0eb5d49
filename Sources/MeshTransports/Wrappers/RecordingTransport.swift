public import MeshCapture
import MeshCompanion
public import MeshCore
import MeshTime

/// A transport round a transport that reports everything that passes, as the lines of a recording. The link does not
/// notice.
public actor RecordingTransport: MeshTransport {
    private let inner: any MeshTransport
    private let link: RecordingLink
    private let record: @Sendable (RecordingEntry) -> Void
    private let elapsed: @Sendable () -> Duration
    private let limit: Int
    private var inbox: FrameInbox
    private var pump: Task<Void, Never>?

    /// Makes a recorder round a transport; `record` is called once for each line, in the order of events.
    ///
    /// Times are since the recorder was made, by its clock. A frame to the radio is recorded before the link has
    /// accepted it.
    public init(
        _ inner: any MeshTransport, over link: RecordingLink = .loopback, clock: any Clock<Duration>,
        record: @escaping @Sendable (RecordingEntry) -> Void
    ) {
        self.init(inner, over: link, clock: clock, waiting: FrameInbox.limit, record: record)
    }

    /// Makes a recorder in which this number of the radio's frames may wait for the app.
    package init(
        _ inner: any MeshTransport, over link: RecordingLink = .loopback, clock: any Clock<Duration>,
        waiting limit: Int, record: @escaping @Sendable (RecordingEntry) -> Void
    ) {
        self.limit = limit
        inbox = FrameInbox(limit: limit)
        self.inner = inner
        self.link = link
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
        let inbox = FrameInbox(limit: limit)
        self.inbox = inbox
        let frames = await inner.receivedData
        pump = Task(name: "recorder of a link") {
            for await frame in frames {
                note(frame, .toApp)
                if !inbox.deliver(frame) {
                    await inner.disconnect()
                    break
                }
            }
            inbox.finish()
            note(.disconnected(reason: ""))
            pump = nil
        }
    }

    public func disconnect() async {
        await inner.disconnect()
        await pump?.value
    }

    public func send(_ frame: [UInt8]) async throws {
        note(frame, .toRadio)
        try await inner.send(frame)
    }

    public func sendWithoutResponse(_ frame: [UInt8]) async throws {
        note(frame, .toRadio)
        try await inner.sendWithoutResponse(frame)
    }

    private var time: TimeSpan {
        let (seconds, attoseconds) = elapsed().components
        return .microseconds(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    private func note(_ event: RecordingEntry.Event) {
        record(RecordingEntry(time, link, event))
    }

    private func note(_ frame: [UInt8], _ direction: FrameDirection) {
        let time = time
        record(RecordingEntry(frame, direction, over: link, at: time))
        if let logged = RecordingEntry(loggedBy: frame, direction, at: time) { record(logged) }
    }
}
