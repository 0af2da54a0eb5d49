import MeshCapture
import MeshFirmware
import MeshLinks
import MeshSimulator
import MeshTime
import MeshWorlds
import NIOCore

/// A world and its ports, driven at a pace; it and everything that touches it live on one event loop.
///
/// When the machine was away, the world catches up in slices, between which clients are served. Where time waits for clients
/// (`ClientGate`), it passes moment by moment, and stops as soon as one of them is told something.
final class WorldRunner: PortOwner {
    /// Moments of the world that are run before the event loop gets a turn.
    static let slice = 2000
    /// Passes of a board while time stands still: more than the frames of the longest answer, the list of all contacts.
    private static let mostPasses = 4096

    let eventLoop: any EventLoop
    let halfClosedGrace = TimeAmount.milliseconds(250)
    private(set) var world: World
    private let state: StateDirectory?
    private let log: @Sendable (String) -> Void
    private let display: @Sendable (String) -> Void
    private let stopped: EventLoopPromise<Void>
    private var ports: [(any AppPort)?]
    /// The nodes that have a port, in their order.
    private var attached: [NodeID] = []
    private var recorder: RadioRecorder?
    private var people: MeshPeople?
    private let sink: Emulator.LiveSink?
    private let end: Instant
    private var pacer: Pacer
    /// For time that waits for clients; its clients are `attached`.
    private var gate: ClientGate?
    private let peers: PeerTable
    private var steps: [WorldStep] = []
    /// Clients that were told of as not reading.
    private var isNoted: [Bool]
    private let alarm: LoopAlarm
    private var isAdvancing = false
    private var mustAdvanceAgain = false
    private var isStopped = false

    init(_ world: World, _ configuration: Emulator.Configuration, eventLoop: any EventLoop) {
        self.world = world
        state = configuration.state
        self.eventLoop = eventLoop
        log = configuration.log
        display = configuration.display
        sink = configuration.happened
        end = configuration.end
        pacer = Pacer(configuration.pace, slice: Self.slice)
        gate = ClientGate(configuration.waitingForClients, for: configuration.pace)
        peers = PeerTable(configuration.peers)
        alarm = LoopAlarm(eventLoop)
        stopped = eventLoop.makePromise()
        ports = Array(repeating: nil, count: world.nodes.count)
        isNoted = Array(repeating: false, count: world.nodes.count)
        recorder = configuration.record.map { RadioRecorder(nodes: world.nodes.count, record: $0) }
        guard let plan = configuration.traffic else { return }
        people = MeshPeople(
            plan, seed: configuration.seed, span: end == .never ? nil : end - .start, in: &self.world,
            foreign: configuration.takenNodes.compactMap { world.node(labelled: $0) }, sink: sink)
    }

    /// Ends when the run has ended; fails when it had to.
    var whenStopped: EventLoopFuture<Void> { stopped.futureResult }

    func note(_ text: String) { log(text) }

    func show(_ text: String) { display(text) }

    func portFailed(_ error: EmulatorError) { stop(failure: error) }

    func attach(_ port: any AppPort, to node: NodeID, over link: RecordingLink) {
        ports[node.index] = port
        let place = attached.firstIndex { $0 > node } ?? attached.count
        attached.insert(node, at: place)
        gate?.addPort(at: place)
        // What passes at the console of the others are no frames.
        if world.companion(node) != nil { recorder?.add(node, world.label(of: node), over: link) }
    }

    /// Attaches the program of an external node.
    func attachPeer(_ port: any AppPort, to node: NodeID) { peers.attach(port, to: node, world.label(of: node)) }

    // MARK: Time

    /// The time of the world begins to run.
    func start() {
        pacer.start(from: world.now, at: alarm.now)
        settle()
        advance()
    }

    /// Brings the world to the present, with everything that clients have done.
    func advance() {
        guard pacer.isRunning else { return }
        guard !isAdvancing else {
            mustAdvanceAgain = true
            return
        }
        isAdvancing = true
        var isLate = false
        repeat {
            mustAdvanceAgain = false
            lookAtClients()
            isLate = !catchUp()
            if !isLate { takeInputs() }
            // What has become due meanwhile is done now: a timer would cost more than it.
        } while !isLate && (mustAdvanceAgain || isDue)
        isAdvancing = false
        let now = alarm.now
        alarm.set(isLate ? now : wake(at: now)) { [weak self] in self?.advance() }
    }

    /// When something happens: in the world, among its people, or to the run.
    private var nextTime: Instant {
        min(world.peekNextEventTime(), people?.nextStop ?? .never, end)
    }

    /// Whether time that waits for nobody has become due for something.
    private var isDue: Bool { gate == nil && !peers.isWaiting && pacer.isDue(nextTime, from: world.now, at: alarm.now) }

    private func wake(at clock: TimeSpan) -> TimeSpan? {
        if peers.isWaiting { return peers.deadline }
        guard let gate, !gate.letsTimePass(at: clock) else { return pacer.wake(for: nextTime, at: clock) }
        return gate.deadline(after: clock)
    }

    // MARK: Steps

    /// Queues a step.
    func add(_ step: WorldStep) {
        guard !isStopped else { return step.promise.fail(EmulatorError.ended) }
        steps.append(step)
    }

    /// Whether time that waits for clients may pass now; ends steps that have come to their end.
    private func mayPass(at clock: TimeSpan) -> Bool {
        guard pacer.pace == .stepped else { return gate?.letsTimePass(at: clock) == true }
        while let step = steps.first {
            let stepEnd = step.end ?? world.now + min(step.span, .never - world.now)
            steps[0].end = stepEnd
            pacer.allow(until: stepEnd)
            let isMet = step.condition?(world) ?? false
            guard isMet || world.now >= stepEnd && nextTime > stepEnd else {
                return gate?.letsTimePass(at: clock) == true
            }
            // Whoever let time pass looks at the clients next.
            guard gate?.allHaveBytes(at: clock) == true else { return false }
            pacer.allow(until: world.now)
            gate?.standStill()
            steps.removeFirst()
            step.promise.succeed(isMet)
        }
        return false
    }

    /// Lets somebody look at the world and change it, at the present moment.
    func change<R>(_ body: (inout World) throws -> R) rethrows -> R {
        advance()
        let result = try body(&world)
        deliver()
        advance()
        return result
    }

    /// Runs what is due; `false` when there is more than a slice of it.
    private func catchUp() -> Bool {
        let clock = alarm.now
        while pacer.isRunning {
            guard hearPeers() else { return true }
            if gate != nil, !mayPass(at: clock) { return true }
            if world.now >= end {
                finish()
                return true
            }
            switch pacer.turn(from: world.now, next: nextTime, at: clock) {
            case .run(let moment): run(until: moment)
            case .pause: return false
            case .wait: return true
            }
        }
        return true
    }

    private func run(until moment: Instant) {
        let isEvent = world.peekNextEventTime() <= moment
        if moment > world.now { gate?.timePassed() }
        world.run(until: moment)
        // What boards said while they were switched on waits for the first event or client.
        if isEvent { deliver() }
        if let stop = people?.nextStop, stop <= world.now { settle() }
    }

    /// Lets the people of the world act.
    private func settle() {
        guard people != nil else { return }
        deliver()
        people?.takeNews(at: world.now)
        people?.act(in: &world)
        deliver()
        people?.takeNews(at: world.now)
        people?.plan(in: &world)
    }

    // MARK: Clients

    private func lookAtClients() {
        guard gate != nil else { return }
        let clock = alarm.now
        for (place, node) in attached.enumerated() {
            guard let port = ports[node.index] else { continue }
            look(at: port, place, node, at: clock)
            noteGivenUp(place, node, at: clock)
        }
    }

    private func look(at port: any AppPort, _ place: Int, _ node: NodeID, at clock: TimeSpan) {
        gate?.look(
            place, isPresent: port.hasClient, hasInput: port.hasInput == true,
            // That a client has gone is always heard.
            hasRoom: !port.hasClient || world.appWindow(of: node) > 0, isBehind: port.isBehind, at: clock)
    }

    private func noteGivenUp(_ place: Int, _ node: NodeID, at clock: TimeSpan) {
        let isGivenUp = gate?.isGivenUp(place, at: clock) == true
        defer { isNoted[node.index] = isGivenUp }
        guard isGivenUp, !isNoted[node.index] else { return }
        note("\(world.label(of: node)): the client does not read; time passes without it")
    }

    private func takeInputs() {
        // Who answers comes before who speaks, whatever came first: it is the same in each run.
        guard !peers.isWaiting else { return }
        let isRound = gate?.takesInputs(at: alarm.now) ?? true
        for (place, node) in attached.enumerated() {
            guard let port = ports[node.index], isRound || port.hasInput == nil else { continue }
            if port.hasRoom == true { tellRoom(to: node) }
            while !isStopped, let input = port.nextInput(window: world.appWindow(of: node)) {
                gate?.took(place, at: alarm.now)
                recording { recorder throws in try recorder.took(input, node, at: world.now) }
                world.inject(input, into: node)
                deliver()
                if gate != nil { answer(node) }
                people?.lookAhead(in: &world)
            }
        }
    }

    /// Lets a board do at this moment what takes it milliseconds otherwise: it reads or writes one frame a pass.
    ///
    /// So a client is answered while time stands still, and several commands have the same answers in whatever pieces they
    /// come.
    private func answer(_ node: NodeID) {
        for _ in 0..<Self.mostPasses {
            guard !isStopped, world.isUp(node), world.withCompanion(node, { $0.wantsPassForApp() }) == true else {
                break
            }
            world.inject(.woke, into: node)
            deliver()
        }
        // Whoever has answered may be the last one that was waited for.
        mustAdvanceAgain = true
    }

    /// The link of a node has room: where it had none before, the node goes on in a pass of its own.
    private func tellRoom(to node: NodeID) {
        guard world.holdLink(of: node, false) else { return }
        world.inject(.woke, into: node)
        deliver()
    }

    // MARK: External nodes

    /// Lets external nodes answer what they were asked at this moment; whether none of them is waited for.
    private func hearPeers() -> Bool {
        do throws(EmulatorError) {
            while !isStopped {
                switch try peers.turn(at: alarm.now, world.now) {
                case .goOn: return true
                case .wait: return false
                case .hand(let inputs):
                    // A board that went down at this moment has forgotten what it had asked for.
                    for (node, input) in inputs where world.isUp(node) {
                        world.inject(input, into: node)
                        try peers.check(node, world.guest(node), world.now)
                    }
                    deliver()
                }
            }
        } catch {
            stop(failure: error)
        }
        return false
    }

    // MARK: Outputs

    /// Hands out what the world says, in its order: a change of flash is durable before anything later leaves.
    private func deliver() {
        // Before anything leaves: what an app has seen is in the recording, however the run ends.
        let trace = world.takeTrace()
        if let sink { for line in trace { sink(line.time, line.node, .event(line.event)) } }
        recording { recorder throws in try recorder.happened(trace) }
        for output in world.takeOutputs() where !isStopped {
            if peers.take(output, at: alarm.now) { continue }
            let port = ports[output.node.index]
            if port == nil { people?.take(output) }
            switch output.kind {
            case .appBytes(let bytes):
                if port?.send(bytes) == true { told(output.node) }
                // Before its next pass: a busy link leaves further frames with the node.
                if port?.hasRoom == false { _ = world.holdLink(of: output.node, true) }
            case .appClosed:
                port?.shutOut()
                told(output.node)
            case .flash(let change): persist(change, of: output.node)
            case .rebooted:
                port?.restarts()
                told(output.node)
                note("\(world.label(of: output.node)): restarts")
            case .booted:
                if let radio = RadioIdentity(output.node, in: world) { port?.booted(as: radio) }
                note("\(world.label(of: output.node)): is up again")
            }
        }
    }

    /// The client of a node was told something.
    private func told(_ node: NodeID) {
        guard gate != nil, let place = attached.firstIndex(of: node), let port = ports[node.index] else { return }
        let clock = alarm.now
        gate?.sent(place, at: clock)
        look(at: port, place, node, at: clock)
    }

    /// A recording that cannot go on ends the run: it was asked for.
    private func recording(_ body: (inout RadioRecorder) throws -> Void) {
        guard recorder != nil else { return }
        do {
            if var taken = recorder.take() {
                defer { recorder = taken }
                try body(&taken)
            }
        } catch {
            stop(failure: .notRecorded(reason: "\(error)"))
        }
    }

    private func persist(_ change: FlashChange, of node: NodeID) {
        do throws(EmulatorError) {
            try state?.apply(change, of: world.label(of: node))
        } catch {
            stop(failure: error)
        }
    }

    // MARK: Ending

    /// How things stand: the end of a run, once it has ended.
    var outcome: RunOutcome {
        RunOutcome(
            now: world.now, digest: world.digest, unseed: world.unseed,
            unpromptedInputs: gate?.unpromptedInputs)
    }

    /// Ends the run in good order: what the boards have not yet written is written.
    func finish() {
        if !isStopped { peers.end(at: world.now) }
        for node in world.nodes where !isStopped && world.isUp(node) {
            if let change = world.firmware(node)?.pendingWrite { persist(change, of: node) }
        }
        stop()
    }

    /// Ends all ports, then the run.
    func stop(failure: EmulatorError? = nil) {
        guard !isStopped else { return }
        isStopped = true
        if failure == nil { recording { recorder throws in try recorder.end(at: world.now) } }
        pacer.stop()
        alarm.set(nil) {}
        for step in steps { step.promise.fail(EmulatorError.ended) }
        steps = []
        let endings = ports.compactMap { $0?.stop() } + peers.stop()
        // The ports hold on to the runner; an emulator that is never stopped runs on.
        ports = Array(repeating: nil, count: ports.count)
        attached = []
        let promise = stopped
        EventLoopFuture.andAllComplete(endings, on: eventLoop).whenComplete { _ in
            if let failure { promise.fail(failure) } else { promise.succeed() }
        }
    }
}
