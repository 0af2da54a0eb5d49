public import MeshCore
public import MeshTime

/// A transport round a transport on which things go wrong, the same ones for the same seed.
///
/// Counts and draws go on over reconnections, so a link that was cut is cut once.
public actor FaultyTransport: MeshTransport {
    private let inner: any MeshTransport
    private let clock: any Clock<Duration>
    private var toRadio: FaultyWay
    private var toApp: FaultyWay
    private var inbox = FrameInbox()
    private var pump: Task<Void, Never>?
    /// The last frame to the radio, after which the next one waits; `waitingSends` counts those that wait.
    private var lastSend: Task<Void, Never>?
    private var waitingSends = 0

    /// Makes a faulty link round another. Its stalls use the clock.
    public init(
        _ inner: any MeshTransport, toRadio: LinkFaults = .none, toApp: LinkFaults = .none, seed: Seed,
        clock: any Clock<Duration>
    ) {
        self.inner = inner
        self.clock = clock
        self.toRadio = FaultyWay(toRadio, seed.stream("link", "to radio"))
        self.toApp = FaultyWay(toApp, seed.stream("link", "to app"))
    }

    public var receivedData: AsyncStream<[UInt8]> { inbox.stream }
    public var connectionState: ConnectionState { get async { await inner.connectionState } }
    public var capabilities: TransportCapabilities { get async { await inner.capabilities } }

    /// Changes the faults from the next frame on; their effects are counted in `counter`.
    public func setFaults(
        toRadio: LinkFaults? = nil, toApp: LinkFaults? = nil, counter: LinkFaultCounter = LinkFaultCounter()
    ) {
        if let toRadio { self.toRadio.set(toRadio, counter: counter) }
        if let toApp { self.toApp.set(toApp, counter: counter) }
    }

    public func connect() async throws {
        if pump != nil, await inner.isConnected { return }
        await pump?.value
        try await inner.connect()
        let inbox = FrameInbox()
        self.inbox = inbox
        let frames = await inner.receivedData
        pump = Task(name: "faults of a link") {
            for await frame in frames {
                let fate = toApp.next(frame)
                await hold(fate.held)
                if !fate.pieces.allSatisfy(inbox.deliver) || fate.isLast { await inner.disconnect() }
            }
            inbox.finish()
            pump = nil
        }
    }

    public func disconnect() async {
        await inner.disconnect()
        await pump?.value
    }

    public func send(_ frame: [UInt8]) async throws {
        guard await inner.isConnected else { throw MeshTransportError.notConnected }
        let fate = toRadio.next(frame)
        guard fate.held > .zero || waitingSends > 0 else { return try await pass(fate) }
        // The link has taken the frame; it travels on its own, behind those before it.
        let previous = lastSend
        waitingSends += 1
        lastSend = Task(name: "a frame held back") {
            await previous?.value
            await hold(fate.held)
            try? await pass(fate)
            waitingSends -= 1
        }
    }

    private func pass(_ fate: FaultyWay.Fate) async throws {
        for piece in fate.pieces { try await inner.send(piece) }
        if fate.isLast { await inner.disconnect() }
    }

    private func hold(_ time: Duration) async {
        if time > .zero { try? await clock.sleep(for: time) }
    }
}
