package import MeshCapture
import MeshCore
import MeshFirmware
package import MeshSimulator
package import MeshTime
import MeshTransports
package import MeshWorlds
import NIOCore
import NIOPosix
import Synchronization

/// A world with endpoints for real clients, on the real clock or at another pace.
///
/// ```swift
/// let emulator = try await Emulator.start(.init(world: .pair, seed: Seed(7), endpoints: [endpoint]))
/// print(emulator.endpoints)
/// await emulator.stop()
/// ```
///
/// It runs until `stop` is called, also when nobody holds the value any more. The world inside it is the simulator's.
/// Paced by the clock, a run with clients is not reproducible; stepped or in lockstep it is, as far as clients only
/// answer.
package final class Emulator: Sendable {
    /// Takes a line of a trace.
    package typealias LiveSink = @Sendable (Instant, NodeID, MeshRun.Happening) -> Void

    /// World of a run, with its endpoints and its time.
    package struct Configuration: Sendable {
        /// The nodes and the links between them.
        package var world: WorldDescription
        /// The source of all random numbers.
        package var seed: Seed
        /// The endpoints for clients, node by node.
        package var endpoints: [NodeEndpoint]
        /// Real radios in the places of nodes; for time that follows the clock at speed 1.
        package var antennas: [AntennaPlace] = []
        /// The way in which the world's time passes; that of a stepped one in `advance`, `run` and `withWorld` only.
        package var pace: Pace
        /// The link between companion radios with an endpoint and their apps.
        package var link = LoopbackLink.direct
        /// Limits of waiting where time waits for clients: in lockstep, and in the steps of a stepped world.
        package var waiting = ClientGate.Rules()
        /// Tells whether somebody steers the world while it runs (`steer`): what happens is kept, and nodes without an
        /// endpoint have apps that do what they are asked for. Takes `traffic`, if only one without rules.
        package var isSteered = false
        /// Tells whether clients may arm faults of their links over these (``JigCommand``).
        package var hasJig = false
        /// Fault plans of links between companion radios with an endpoint and their clients, armed from the beginning.
        package var linkFaults: [NodeLinkFaults] = []
        /// Limits for the programs of external nodes.
        package var peers = PeerDesk.Rules()
        /// The run ends here by itself.
        package var end = Instant.never
        /// The plan of `world` where its people have something to say. Whoever has an endpoint is left to its client.
        package var traffic: WorldPlan?
        /// Takes everything that happens, as a trace file has it; on the emulator's own thread, in its order.
        package var happened: LiveSink?
        /// Receives turns of a steered run, among what happens: a snapshot was taken, or the run went back to one. The
        /// moment is the snapshot's in both.
        package var turned: (@Sendable (RunTurn, Instant) -> Void)?
        /// Takes a line for people about each of the first frames that are lost to other frames on the air.
        package var lost: (@Sendable (String) -> Void)?
        /// The directory of the nodes' files; without one they end with the run.
        package var state: StateDirectory?
        /// Takes a line for people about clients that come and go, and boards that restart.
        package var log: @Sendable (String) -> Void
        /// Takes a line that a radio shows on its display: the PIN of a pairing, which belongs on no other line.
        package var display: @Sendable (String) -> Void = { _ in }
        /// Takes what passes between companion radios with an endpoint and their apps, and what they send and hear on
        /// the air: the node's label, and the lines of its recording in their order. When it throws, the run ends.
        package var record: (@Sendable (String, RecordingEntry) throws -> Void)?

        package init(
            world: WorldDescription, seed: Seed, endpoints: [NodeEndpoint] = [], pace: Pace = .clock(speed: 1),
            state: StateDirectory? = nil, log: @escaping @Sendable (String) -> Void = { _ in },
            record: (@Sendable (String, RecordingEntry) throws -> Void)? = nil
        ) {
            self.world = world
            self.seed = seed
            self.endpoints = endpoints
            self.pace = pace
            self.state = state
            self.log = log
            self.record = record
        }
    }

    /// The endpoints as they are open, with the ports that the system chose.
    package let endpoints: [NodeEndpoint]
    private let group: MultiThreadedEventLoopGroup
    private let runner: NIOLoopBound<WorldRunner>
    private let ended: EventLoopFuture<Void>
    /// The end of the run, for questions after its event loop has ended.
    private let ending = Mutex<Result<Void, EmulatorError>?>(nil)

    private init(
        endpoints: [NodeEndpoint], group: MultiThreadedEventLoopGroup, runner: NIOLoopBound<WorldRunner>,
        ended: EventLoopFuture<Void>
    ) {
        self.endpoints = endpoints
        self.group = group
        self.runner = runner
        self.ended = ended
    }

    // MARK: Starting

    /// Loads the state, opens all endpoints and lets the world run. Nothing is left open when it fails.
    @discardableResult
    package static func start(_ configuration: Configuration) async throws(EmulatorError) -> Emulator {
        try await start(configuration, try prepared(configuration))
    }

    /// Lets a world run that was made already, in place of the configuration's; its companion radios have the
    /// interfaces that the endpoints need. Nothing of it is kept when the run ends.
    package static func start(
        _ world: World, endpoints: [NodeEndpoint], pace: Pace = .clock(speed: 1),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(EmulatorError) -> Emulator {
        let labels = world.nodes.map(world.label(of:))
        if let stray = endpoints.first(where: { !labels.contains($0.label) }) {
            throw .unknownNode(stray.label, known: labels)
        }
        let nothing = WorldDescription(name: "made", summary: "", nodes: [])
        let configuration = Configuration(
            world: nothing, seed: world.seed, endpoints: endpoints, pace: pace, log: log)
        return try await start(configuration, world)
    }

    private static func start(
        _ configuration: Configuration, _ world: World
    ) async throws(EmulatorError) -> Emulator {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            return try await open(configuration, world, group)
        } catch {
            try? await group.shutdownGracefully()
            throw EmulatorError(opening: error)
        }
    }

    private static func prepared(_ configuration: Configuration) throws(EmulatorError) -> World {
        let labels = configuration.world.nodes.map(\.label)
        let places = Dictionary(labels.enumerated().map { ($1, $0) }) { first, _ in first }
        var description = configuration.world
        var interfaces = EndpointInterfaces()
        for (position, endpoint) in configuration.endpoints.enumerated() {
            guard let index = places[endpoint.label] else {
                throw .unknownNode(endpoint.label, known: labels)
            }
            if configuration.pace.waitsForClients, case .controller = endpoint.endpoint {
                throw .heldController(label: endpoint.label)
            }
            if case .controller = endpoint.endpoint,
                let other = configuration.endpoints[..<position].first(where: { $0.endpoint == endpoint.endpoint })
            {
                throw .link(.unreachable(endpoint.endpoint, reason: "it is the endpoint of \(other.label) already"))
            }
            if configuration.record != nil, interfaces.holds(endpoint.label) {
                throw .severalRecorded(label: endpoint.label)
            }
            try interfaces.connect(
                endpoint, to: &description.nodes[index], over: configuration.link,
                isGiven: !configuration.world.nodes[index].furtherLinks.isEmpty)
        }
        try configuration.checkLinkFaults(in: description)
        try configuration.placeAntennas(in: &description)
        for node in description.nodes {
            guard node.furtherLinks.isEmpty || node.board.hasSeveralInterfaces else {
                throw .severalInterfaces(label: node.label, firmware: "\(node.board.firmware)")
            }
            do { try node.board.check() } catch { throw .badBoard("node \"\(node.label)\": \(error)") }
        }
        let capacity =
            configuration.happened != nil || configuration.isSteered || configuration.lost != nil
            ? .max : configuration.record == nil ? 0 : RadioRecorder.traceCapacity
        guard let state = configuration.state else {
            return World(description, seed: configuration.seed, traceCapacity: capacity)
        }
        for index in description.nodes.indices {
            description.nodes[index].flash = try state.checkedFlash(of: description.nodes[index])
        }
        var world = World(description, seed: configuration.seed, traceCapacity: capacity)
        // What the boards wrote while they started: their identities above all.
        for node in world.nodes { try state.store(world.flash(of: node), of: world.label(of: node)) }
        _ = world.takeOutputs()
        return world
    }

    private static func open(
        _ configuration: Configuration, _ world: World, _ group: MultiThreadedEventLoopGroup
    ) async throws -> Emulator {
        let eventLoop = group.next()
        let (runner, owner, ended) = try await eventLoop.submit {
            let runner = WorldRunner(world, configuration, eventLoop: eventLoop)
            let owner = NIOLoopBound<any PortOwner>(runner, eventLoop: eventLoop)
            return (NIOLoopBound(runner, eventLoop: eventLoop), owner, runner.whenStopped)
        }.get()
        var bound: [NodeEndpoint] = []
        var interfaces = EndpointInterfaces()
        do {
            for endpoint in configuration.endpoints {
                let interface = try interface(of: endpoint, in: world, configuration, &interfaces)
                bound.append(try await open(endpoint, at: interface, world, configuration, runner, owner))
            }
            for antenna in configuration.antennas { try await open(antenna, world, runner, owner) }
        } catch {
            try? await eventLoop.submit { runner.value.stop() }.get()
            try? await ended.get()
            throw error
        }
        do {
            try await eventLoop.submit { try runner.value.start() }.get()
        } catch {
            try? await eventLoop.submit { runner.value.stop() }.get()
            try? await ended.get()
            throw error
        }
        return Emulator(endpoints: bound, group: group, runner: runner, ended: ended)
    }

    /// Returns the number of the interface that an endpoint has.
    private static func interface(
        of endpoint: NodeEndpoint, in world: World, _ configuration: Configuration,
        _ interfaces: inout EndpointInterfaces
    ) throws(EmulatorError) -> Int {
        guard let node = world.node(labelled: endpoint.label) else { return 0 }
        let links = world.appLinks(of: node)
        let isModelled = configuration.link != .direct && !interfaces.holds(endpoint.label)
        guard let number = interfaces.take(endpoint, of: links, isModelled: isModelled) else {
            throw links.count > 1
                ? .noInterface(
                    label: endpoint.label, endpoint: endpoint.place, has: links.compactMap(\.interfaceName))
                : .secondEndpoint(label: endpoint.label)
        }
        return number
    }

    private static func open(
        _ endpoint: NodeEndpoint, at interface: Int, _ world: World, _ configuration: Configuration,
        _ runner: NIOLoopBound<WorldRunner>, _ owner: NIOLoopBound<any PortOwner>
    ) async throws -> NodeEndpoint {
        guard let node = world.node(labelled: endpoint.label) else { return endpoint }
        if endpoint.service == .external {
            guard world.guest(node) is ExternalNode else {
                throw EmulatorError.notStarted(reason: "node \"\(endpoint.label)\" of this world is not external")
            }
            return try await OpenPort.open(endpoint, owner: owner).map { opened in
                runner.value.attachPeer(opened.value.port, to: node)
                return opened.value.endpoint
            }.get()
        }
        if endpoint.service == .modem, world.modem(node) == nil {
            throw EmulatorError.noModem(label: endpoint.label)
        }
        let state = configuration.state
        let links = world.appLinks(of: node)
        // Of several interfaces, that of Bluetooth alone is modelled.
        let modelled =
            links.count < 2 || links[interface] == .bluetooth
            ? configuration.link.bluetooth(seed: configuration.seed) : nil
        // What is below frames is there before anybody can find the radio.
        let faults = configuration.linkFaults.first { $0.label == endpoint.label }?.plan.bluetooth ?? []
        let bluetooth = RadioIdentity(node, in: world).map { radio in
            OpenPort.Bluetooth(
                radio: radio, bonds: state.map { BondFile(path: $0.bonds(of: endpoint.label)) }, faults: faults)
        }
        if case .controller = endpoint.endpoint, bluetooth == nil {
            throw EmulatorError.noBluetooth(label: endpoint.label)
        }
        return try await OpenPort.open(endpoint, bluetooth: bluetooth, owner: owner).map { opened in
            runner.value.attach(
                opened.value.port, to: ClientID(node, interface: interface), over: RecordingLink(endpoint.endpoint),
                isLine: endpoint.endpoint.isLine, bluetooth: bluetooth == nil ? nil : modelled)
            return opened.value.endpoint
        }.get()
    }

    private static func open(
        _ antenna: AntennaPlace, _ world: World, _ runner: NIOLoopBound<WorldRunner>,
        _ owner: NIOLoopBound<any PortOwner>
    ) async throws {
        guard let node = world.node(labelled: antenna.label) else { return }
        let radio = try await AntennaRadio.open(antenna.address)
        try await runner.eventLoop.submit {
            let port = AntennaPort(radio, owner: owner.value, label: antenna.label)
            runner.value.attach(
                port, to: ClientID(node), over: RecordingLink(antenna.address), isLine: false, bluetooth: nil)
        }.get()
    }

    // MARK: Running

    // In stepped time whatever is asked for here waits until what clients have sent over TCP before is in the world.

    /// Looks at the world as it is now.
    package func inspect<R: Sendable>(_ look: @escaping @Sendable (World) -> R) async throws -> R {
        try await inOrder { runner in runner.look { look($0.world) } }
    }

    /// Looks at the world as it is now, and changes it; what follows from the change happens at once.
    package func withWorld<R: Sendable>(_ body: @escaping @Sendable (inout World) throws -> R) async throws -> R {
        try await inOrder { runner in try runner.steer { try body(&$0.world) } }
    }

    /// Does something on the world's event loop, when all that was asked for before is done.
    func inOrder<R: Sendable>(_ body: @escaping @Sendable (WorldRunner) throws -> R) async throws -> R {
        let runner = runner
        return try await runner.eventLoop.flatSubmit { runner.value.inOrder(body) }.get()
    }

    /// Steers the world at the present moment; what follows happens at once.
    package func steer<R: Sendable>(
        _ body: @escaping @Sendable (inout WorldDriver) throws -> R
    ) async throws -> R {
        guard ending.withLock({ $0 }) == nil else { throw EmulatorError.ended }
        return try await inOrder { try $0.steer(body) }
    }

    /// Steers the world as `steer` does, and returns what `look` sees once all that follows has happened.
    package func steer<R: Sendable>(
        _ body: @escaping @Sendable (inout WorldDriver) throws -> Void,
        look: @escaping @Sendable (inout WorldDriver) throws -> R
    ) async throws -> R {
        guard ending.withLock({ $0 }) == nil else { throw EmulatorError.ended }
        return try await inOrder {
            try $0.steer(body)
            return try $0.look(look)
        }
    }

    /// Looks at a steered world, without letting anything else happen.
    package func look<R: Sendable>(_ body: @escaping @Sendable (inout WorldDriver) throws -> R) async throws -> R {
        guard ending.withLock({ $0 }) == nil else { throw EmulatorError.ended }
        return try await inOrder { try $0.look(body) }
    }

    /// Lines that wait for a reader at most: one that stays behind loses its stream, not the world its memory.
    private static let linesKept = 65_536
    /// Readers that are served at once.
    private static let mostFollowers = 16

    /// Lines of the trace from now on, as they occur; `nil` when there are as many subscribers as are served.
    package func follow() async throws -> AsyncStream<HappeningLog.Line>? {
        guard ending.withLock({ $0 }) == nil else { throw EmulatorError.ended }
        return try await inOrder {
            $0.lines.subscribeWithoutGaps(bufferSize: Self.linesKept, mostSubscribers: Self.mostFollowers)
        }
    }

    /// Lets time of a stepped world pass, after what others have asked for; says where the world is then.
    ///
    /// Time passes as in lockstep: it waits for clients (`ClientGate`). It returns when clients have had all bytes up
    /// to then, and throws `ended` when the run ends meanwhile. What clients have sent over TCP before the call has
    /// gone into the world before time passes.
    ///
    /// - Parameter stoppingWhenTold: whether it also ends at the moment at which a client is told something.
    @discardableResult
    package func advance(by span: TimeSpan, stoppingWhenTold: Bool = false) async throws(EmulatorError) -> Instant {
        _ = try await step(span, nil, stoppingWhenTold)
        do { return try await inspect { $0.now } } catch { throw .ended }
    }

    /// Lets time of a stepped world pass until something is the case, which is looked at after everything that happens;
    /// says whether it is, or whether all the time has passed without it.
    package func run(
        until condition: @escaping @Sendable (World) -> Bool, atMost span: TimeSpan
    ) async throws(EmulatorError) -> Bool {
        try await step(span, { condition($0.world) })
    }

    /// The same, of a condition that the run knows more about than its world; `nil` for none. Where time passes by
    /// itself, it is not stopped: the answer comes when the condition holds. What `look` sees is the run at that
    /// moment.
    package func run<R: Sendable>(
        atMost span: TimeSpan, stoppingWhenTold: Bool = false, until condition: DriverStep.Condition?,
        look: @escaping @Sendable (inout WorldDriver, _ isMet: Bool) -> R
    ) async throws(EmulatorError) -> R {
        let seen = Mutex<R?>(nil)
        _ = try await step(span, condition, stoppingWhenTold) { driver, isMet in
            let look = look(&driver, isMet)
            seen.withLock { $0 = look }
        }
        guard let seen = seen.withLock({ $0 }) else { throw .ended }
        return seen
    }

    private func step(
        _ span: TimeSpan, _ condition: DriverStep.Condition?, _ stopsWhenTold: Bool = false,
        ended: (@Sendable (inout WorldDriver, Bool) -> Void)? = nil
    ) async throws(EmulatorError) -> Bool {
        let runner = runner
        guard ending.withLock({ $0 }) == nil else { throw .ended }
        let promise = runner.eventLoop.makePromise(of: Bool.self)
        do {
            try await runner.eventLoop.submit {
                runner.value.step(
                    EmulatorStep(
                        span: span, stopsWhenTold: stopsWhenTold, condition: condition, ended: ended, promise: promise))
            }.get()
        } catch {
            promise.fail(EmulatorError.ended)
            throw .ended
        }
        do { return try await promise.futureResult.get() } catch { throw error as? EmulatorError ?? .ended }
    }

    /// Ends the run as `stop` does, and says how it stands; `nil` when it was stopped before.
    package func conclude() async -> RunOutcome? {
        guard ending.withLock({ $0 }) == nil else { return nil }
        let runner = runner
        let outcome = try? await runner.eventLoop.submit { runner.value.conclude() }.get()
        await stop()
        return outcome
    }

    /// Waits until the run has ended: by `stop`, or because it could not go on.
    package func waitUntilEnded() async throws(EmulatorError) {
        if let ending = ending.withLock({ $0 }) { return try ending.get() }
        try await outcome().get()
    }

    private func outcome() async -> Result<Void, EmulatorError> {
        do {
            try await ended.get()
            return .success(())
        } catch {
            return .failure(error as? EmulatorError ?? .stateNotWritten(path: "", reason: "\(error)"))
        }
    }

    /// Closes all endpoints, removes links, and ends the run.
    ///
    /// All state is on disk before, also what a board would have written later; `waitUntilEnded` throws afterwards when
    /// that was not possible.
    package func stop() async {
        guard ending.withLock({ $0 }) == nil else { return }
        let runner = runner
        try? await runner.eventLoop.submit { runner.value.finish() }.get()
        let outcome = await outcome()
        ending.withLock { $0 = outcome }
        try? await group.shutdownGracefully()
    }
}
