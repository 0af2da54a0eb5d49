/// A transport on which the test plays the radio: it keeps sent frames, and delivers those of the test.
public actor MockTransport: MeshTransport {
    /// Every frame that was sent, in order.
    public private(set) var sentFrames: [[UInt8]] = []
    /// The number of its connections so far.
    public private(set) var connectCount = 0
    /// The number of its disconnections so far.
    public private(set) var disconnectCount = 0
    public private(set) var connectionState = ConnectionState.disconnected
    public var capabilities = TransportCapabilities()

    private var inbox = FrameInbox()
    private var answer: (@Sendable ([UInt8]) async -> [[UInt8]])?
    private var sendFailure: MeshTransportError?
    private var connectFailure: MeshTransportError?
    private var sentWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    public init() {}

    public var receivedData: AsyncStream<[UInt8]> { inbox.stream }

    public func connect() async throws {
        connectCount += 1
        if let connectFailure { throw connectFailure }
        if connectionState == .connected { return }
        // What came in before is the next connection's only if nobody can have read it.
        if disconnectCount > 0 { inbox = FrameInbox() }
        connectionState = .connected
    }

    public func disconnect() async {
        guard connectionState == .connected else { return }
        disconnectCount += 1
        connectionState = .disconnected
        inbox.finish()
        wakeSentWaiters()
    }

    public func send(_ frame: [UInt8]) async throws {
        guard connectionState == .connected else { throw MeshTransportError.notConnected }
        if let sendFailure { throw sendFailure }
        guard frame.count <= capabilities.maxFrame else {
            throw MeshTransportError.sendFailed("\(frame.count) bytes, the link takes \(capabilities.maxFrame)")
        }
        sentFrames.append(frame)
        wakeSentWaiters()
        for reply in await answer?(frame) ?? [] { _ = inbox.deliver(reply) }
    }

    // MARK: The test's side

    /// Answers every frame with these frames, before `send` returns.
    public func answerEach(_ answer: (@Sendable ([UInt8]) async -> [[UInt8]])?) {
        self.answer = answer
    }

    /// Sets the capabilities that it reports from now on.
    public func setCapabilities(_ capabilities: TransportCapabilities) {
        self.capabilities = capabilities
    }

    /// Has sends fail from now on; `nil` ends that.
    public func failSends(with error: MeshTransportError?) {
        sendFailure = error
    }

    /// Has connecting fail from now on; `nil` ends that.
    public func failConnects(with error: MeshTransportError?) {
        connectFailure = error
    }

    /// The radio sends a frame.
    public func simulateReceive(_ frame: [UInt8]) {
        _ = inbox.deliver(frame)
    }

    /// The radio says OK.
    public func simulateOK() {
        simulateReceive([0])
    }

    /// The radio refuses with this code.
    public func simulateError(_ code: UInt8) {
        simulateReceive([1, code])
    }

    /// The link is lost.
    public func simulateLoss() async {
        await disconnect()
    }

    /// Waits until this number of frames has been sent in all, or the link is closed.
    public func waitUntilSent(_ count: Int) async {
        guard sentFrames.count < count, connectionState == .connected else { return }
        await withCheckedContinuation { sentWaiters.append((count, $0)) }
    }

    private func wakeSentWaiters() {
        let isOpen = connectionState == .connected
        let ready = sentWaiters.filter { !isOpen || sentFrames.count >= $0.count }
        sentWaiters.removeAll { !isOpen || sentFrames.count >= $0.count }
        for waiter in ready { waiter.continuation.resume() }
    }
}
