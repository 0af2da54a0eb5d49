import MeshFirmware
package import MeshTime
package import MeshTransports
import NIOCore
import NIOPosix

/// The core behind an endpoint in place of a board: bytes of one client in, bytes out.
package protocol EndpointCore: Sendable {
    /// The time of its next call.
    var nextWake: Instant { get }
    /// Handles an event, and returns the actions of the endpoint, in order.
    mutating func handle(_ event: EndpointEvent, at now: Instant) -> [EndpointAction]
}

/// An event of the client or of time.
package enum EndpointEvent: Hashable, Sendable {
    /// A client is there; on TCP it may have replaced another.
    case connected
    /// Bytes came in.
    case bytes([UInt8])
    case disconnected
    case woke
}

/// An action that the core asks of its endpoint.
package enum EndpointAction: Hashable, Sendable {
    /// Bytes are to go out.
    case write([UInt8])
    /// Ends the client's connection.
    case hangUp
}

/// An endpoint of the emulator's own kind, TCP port or terminal, with any core behind it, on the real clock.
///
/// Links, queues and clients that come and go are as with an emulated board; what is said is the core's.
package final class EndpointServer<Core: EndpointCore>: Sendable {
    /// With the port number that the system chose.
    package let endpoint: LinkAddress
    private let core: WatchedCore<Core>
    private let group: MultiThreadedEventLoopGroup
    private let runner: NIOLoopBound<EndpointRunner<Core>>

    private init(
        endpoint: LinkAddress, core: WatchedCore<Core>, group: MultiThreadedEventLoopGroup,
        runner: NIOLoopBound<EndpointRunner<Core>>
    ) {
        self.endpoint = endpoint
        self.core = core
        self.group = group
        self.runner = runner
    }

    /// Opens the endpoint; nothing is left open when it fails. `log` receives a line for people about clients.
    package static func start(
        _ core: Core, at endpoint: LinkAddress, log: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(EmulatorError) -> EndpointServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            return try await open(core, endpoint, group, log)
        } catch {
            try? await group.shutdownGracefully()
            throw EmulatorError(opening: error)
        }
    }

    private static func open(
        _ core: Core, _ endpoint: LinkAddress, _ group: MultiThreadedEventLoopGroup,
        _ log: @escaping @Sendable (String) -> Void
    ) async throws -> EndpointServer {
        let eventLoop = group.next()
        let core = WatchedCore(core)
        let (runner, owner) = try await eventLoop.submit {
            let runner = EndpointRunner(core, eventLoop: eventLoop, log: log)
            let owner = NIOLoopBound<any PortOwner>(runner, eventLoop: eventLoop)
            return (NIOLoopBound(runner, eventLoop: eventLoop), owner)
        }.get()
        let opened = try await OpenPort.open(
            NodeEndpoint(label: "\(endpoint)", endpoint: endpoint), owner: owner
        ).map { opened in
            runner.value.attach(opened.value.port)
            return opened.value.endpoint.endpoint
        }.get()
        return EndpointServer(endpoint: opened, core: core, group: group, runner: runner)
    }

    /// Returns when the condition holds, at once if it does already, or when the endpoint is closed.
    ///
    /// The condition is checked after every event of the core, and must be quick: the endpoint waits for it.
    package func wait(until condition: @escaping @Sendable (Core) -> Bool) async {
        await core.wait(until: condition)
    }

    /// Closes the endpoint, removes a link, and returns the core in its last state.
    package func stop() async throws -> Core {
        let runner = runner
        defer { core.end() }
        try await runner.eventLoop.flatSubmit { runner.value.stop() }.get()
        try? await group.shutdownGracefully()
        return core.end()
    }
}

/// The core and its port; both live on one event loop.
final class EndpointRunner<Core: EndpointCore>: PortOwner {
    /// Bytes that are read at once.
    private static var window: Int { 4096 }

    let eventLoop: any EventLoop
    let halfClosedGrace: TimeAmount? = .milliseconds(250)
    let core: WatchedCore<Core>
    private let log: @Sendable (String) -> Void
    private let alarm: LoopAlarm
    private var port: (any AppPort)?

    init(_ core: WatchedCore<Core>, eventLoop: any EventLoop, log: @escaping @Sendable (String) -> Void) {
        self.core = core
        self.eventLoop = eventLoop
        self.log = log
        alarm = LoopAlarm(eventLoop)
    }

    func note(_ text: String) { log(text) }

    func attach(_ port: any AppPort) {
        self.port = port
        advance()
    }

    private var now: Instant { .start + alarm.now }

    func advance() {
        while let input = port?.nextInput(window: Self.window) {
            switch input {
            case .appConnected: handle(.connected)
            case .appBytes(let bytes): handle(.bytes(bytes))
            case .appDisconnected: handle(.disconnected)
            case .heard, .heardPacket, .receiveError, .transmitDone, .bridge, .atInterface, .woke: break
            }
        }
        while port != nil, core.nextWake <= now { handle(.woke) }
        setAlarm()
    }

    private func handle(_ event: EndpointEvent) {
        for action in core.handle(event, at: now) {
            switch action {
            case .write(let bytes): port?.send(bytes)
            case .hangUp: port?.shutOut()
            }
        }
    }

    private func setAlarm() {
        let wake = core.nextWake
        alarm.set(port == nil || wake == .never ? nil : wake - .start) { [weak self] in self?.advance() }
    }

    func stop() -> EventLoopFuture<Void> {
        alarm.set(nil) {}
        let ending = port?.stop() ?? eventLoop.makeSucceededVoidFuture()
        port = nil
        return ending
    }
}
