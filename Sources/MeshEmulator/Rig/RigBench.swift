import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import NIOCore

/// The bench of a rig: one radio on held time, its ports, and the pending request; all on one event loop.
///
/// An action of the client on the app's connection is awaited here, so that it is done before time passes. Bytes of the
/// real link get to the radio when the client has stated their number.
final class RigBench: PortOwner {
    let eventLoop: any EventLoop
    // A client that has gone has read all that it wants: it knows how much there was.
    let halfClosedGrace: TimeAmount? = .zero
    /// The time that the rig waits for an action that a client has announced on the app's connection.
    static let patience = TimeAmount.seconds(5)

    /// The longest frame that a chip sends and receives.
    static let longestFrame = 255
    /// The longest time that one request lets pass, a day: nothing else is answered meanwhile.
    static let longestRun = TimeSpan.seconds(86_400)

    private let build: HeldRadio.Build
    private let log: @Sendable (String) -> Void
    private var radio: HeldRadio
    private var ports: [(endpoint: LinkAddress, port: any AppPort)] = []

    /// Bytes of the app that the radio has not got, and how many it has.
    private var received: [UInt8] = []
    private var taken = 0
    private var written = 0
    private var wasConnected = false
    /// An event of the app's connection without a request for it.
    private var failure: String?
    private var pending: (request: RigRequest, reply: (RigReply) -> Void, limit: Scheduled<Void>)?

    init(_ build: HeldRadio.Build, eventLoop: any EventLoop, log: @escaping @Sendable (String) -> Void) {
        self.build = build
        self.eventLoop = eventLoop
        self.log = log
        radio = HeldRadio(build)
    }

    func attach(_ opened: OpenPort) {
        ports.append((opened.endpoint.endpoint, opened.port))
    }

    /// Ignores the lines of ports about clients, which come with every statement of a run.
    func note(_ text: String) {}

    func tell(_ text: String) { log("rig: " + text) }

    private var link: AppLink { radio.build.link }
    private var port: (any AppPort)? { ports.first { $0.endpoint.links.contains(link) }?.port }

    // MARK: Requests

    /// Carries out a request; `reply` is called once, perhaps later, unless `abandon` comes before.
    func perform(_ request: RigRequest, reply: @escaping (RigReply) -> Void) {
        abandon()
        let limit = eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [weak self] () -> Void in
            self?.giveUp()
        }
        pending = (request, reply, limit)
        advance()
    }

    /// Drops the pending request.
    func abandon() {
        pending?.limit.cancel()
        pending = nil
    }

    private func giveUp() {
        guard let request = pending?.request else { return }
        answer(.refused(reason: Self.lament(request)))
    }

    private static func lament(_ request: RigRequest) -> String {
        switch request {
        case .linkUp: "nobody has connected to the radio"
        case .linkDown: "the app's connection is still open"
        case .taken(let bytes): "fewer than \(bytes) bytes have come from the app"
        default: "it takes too long"
        }
    }

    private func answer(_ reply: RigReply) {
        let reply = (reply, pending?.reply)
        abandon()
        reply.1?(reply.0)
    }

    /// Looks at the actions of clients, and whether the pending request can be carried out now.
    func advance() {
        guard let pending else { return }
        do throws(Refusal) {
            guard try carryOut(pending.request) else { return }
        } catch {
            answer(.refused(reason: error.reason))
            return
        }
        if case .hello = pending.request { answer(.welcome(welcome)) } else { answer(.state(takeState())) }
    }

    private struct Refusal: Error {
        let reason: String
    }

    /// Carries out a request; returns `false` when something else has to come before.
    private func carryOut(_ request: RigRequest) throws(Refusal) -> Bool {
        switch request {
        case .hello: return true
        case .prepare(let link, let board): try prepare(link, board)
        case .linkUp: return try linkUp()
        case .linkDown: return linkDown()
        case .taken(let bytes): return try take(upTo: bytes)
        case .run(let microseconds, let stop):
            guard microseconds >= 0 else { throw Refusal(reason: "time does not go back") }
            guard microseconds <= Self.longestRun.microseconds else {
                throw Refusal(
                    reason: "microseconds is \(microseconds), and must be 0 to \(Self.longestRun.microseconds)")
            }
            try look()
            radio.run(for: .microseconds(microseconds), until: stop)
        case .noteRestart: radio.noteRestart()
        case .cyclePower: cyclePower()
        case .hear(let frame, let snr, let rssi): try hear(frame, Signal(snrHundredths: snr, rssiHundredths: rssi))
        case .hold(let isBusy): radio.isChannelBusy = isBusy
        case .storage(let writing, let formatting): radio.failStorage(writing: writing, formatting: formatting)
        }
        deliver()
        return true
    }

    private var welcome: RigWelcome {
        RigWelcome(
            board: build.board,
            endpoints: ports.map { RigEndpoint(links: $0.endpoint.links, address: "\($0.endpoint)") })
    }

    private func takeState() -> RigState {
        var state = RigState()
        state.now = radio.now.microseconds
        state.written = written
        state.isConnected = radio.isConnected
        state.hasRestarted = radio.hasRestarted
        while let frame = radio.takeTransmission() { state.sent.append(frame.hex) }
        return state
    }

    // MARK: Bench

    private func prepare(_ link: AppLink, _ board: BoardProfile?) throws(Refusal) {
        do { try board?.check() } catch { throw Refusal(reason: "\(error)") }
        for entry in ports { entry.port.reset() }
        // What else the rig was started with stays: quirks, seed.
        var build = build
        build.board = board ?? build.board
        build.link = link
        radio = HeldRadio(build)
        forgetLink()
        written = 0
        wasConnected = false
    }

    private func cyclePower() {
        radio.cyclePower()
        port?.shutOut()
        forgetLink()
    }

    private func hear(_ frame: String, _ signal: Signal) throws(Refusal) {
        guard let bytes = [UInt8](hex: frame), 1...Self.longestFrame ~= bytes.count else {
            throw Refusal(reason: "the frame is not 1 to \(Self.longestFrame) bytes of hex")
        }
        try look()
        radio.hear(RadioFrame(bytes), signal)
    }

    /// Sends the radio's output on the real link, and closes the link when the radio does.
    private func deliver() {
        while let bytes = radio.takeWrite() {
            guard let port, port.send(bytes) else { continue }
            written += bytes.count
        }
        defer { wasConnected = radio.isConnected }
        guard wasConnected, !radio.isConnected, let port else { return }
        written -= port.shutOut()
    }

    // MARK: Link

    private func forgetLink() {
        received = []
        taken = 0
        failure = nil
    }

    /// Looks at what the client has done without a request.
    private func look() throws(Refusal) {
        while let input = port?.nextInput(window: .max) {
            switch input {
            case .appBytes(let bytes): received += bytes
            case .appConnected: failure = "another client has taken the app's connection"
            case .appDisconnected: failure = failure ?? "the app's connection is closed"
            default: break
            }
        }
        // A radio that has closed the connection itself sees the end of it as well.
        if let failure, radio.isConnected { throw Refusal(reason: failure) }
    }

    private func linkUp() throws(Refusal) -> Bool {
        guard let port else { return true }
        switch link {
        case .serial: guard port.hasClient else { return false }
        case .wifi, .ethernet, .paced, .bluetooth:
            var hasArrived = false
            while !hasArrived, let input = port.nextInput(window: .max) {
                if case .appConnected = input { hasArrived = true }
            }
            guard hasArrived else { return false }
            written = 0
        }
        forgetLink()
        radio.connect()
        deliver()
        return true
    }

    private func linkDown() -> Bool {
        guard let port else { return true }
        if link != .serial {
            while port.nextInput(window: .max) != nil {}
            guard !port.hasClient else { return false }
        }
        forgetLink()
        radio.disconnect()
        deliver()
        return true
    }

    private func take(upTo count: Int) throws(Refusal) -> Bool {
        guard count >= 0 else { throw Refusal(reason: "bytes is \(count), and must be 0 or more") }
        try look()
        guard taken + received.count >= count else { return false }
        let bytes = [UInt8](received.prefix(max(0, count - taken)))
        received.removeFirst(bytes.count)
        taken += bytes.count
        radio.receive(bytes)
        deliver()
        return true
    }

    // MARK: Ending

    func stop() -> EventLoopFuture<Void> {
        abandon()
        let endings = ports.map { $0.port.stop() }
        ports = []
        return EventLoopFuture.andAllComplete(endings, on: eventLoop)
    }
}

extension LinkAddress {
    /// The builds of a board that are reached this way.
    var links: [AppLink] {
        switch self {
        case .tcp: AppLink.allCases.filter { $0 != .serial && $0 != .bluetooth }
        case .pty, .serial, .remote: [.serial]
        // A controller has a clock of its own: held time would look to it like a host that has died.
        case .controller, .bluetooth: []
        }
    }
}
