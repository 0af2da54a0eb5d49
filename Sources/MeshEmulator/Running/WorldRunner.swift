import MeshCapture
import MeshFirmware
import MeshLinks
package import MeshSimulator
import MeshTime
package import MeshWorlds
import NIOCore

/// A world and its ports, driven at a pace; it and everything that touches it live on one event loop.
///
/// When the machine was away, the world catches up in slices, between which clients are served. Where time waits for clients
/// (`ClientGate`), it passes moment by moment, and stops as soon as one of them is told something.
package final class WorldRunner: PortOwner {
    /// Moments of the world that are run before the event loop gets a turn.
    static let slice = 2000
    /// Steps that wait at most.
    private static let mostSteps = 64
    /// Passes of a board while time stands still: more than the frames of the longest answer, the list of all contacts.
    private static let mostPasses = 4096

    let eventLoop: any EventLoop
    let halfClosedGrace: TimeAmount?
    package internal(set) var world: World
    let seed: Seed
    let state: StateDirectory?
    private let note: @Sendable (String) -> Void
    private let display: @Sendable (String) -> Void
    private let stopped: EventLoopPromise<Void>
    var ports: [(any AppPort)?]
    /// The same ports where things can go wrong with frames: those of companion radios in a steered world. By node.
    var faulty: [Int: FaultyPort] = [:]
    /// What the ports are, for recordings. By node.
    var links: [Int: RecordingLink] = [:]
    /// The nodes that have a port, in their order.
    var attached: [NodeID] = []
    /// Those of them whose port has a modelled link, in the same order.
    var modelled: [(node: NodeID, port: ModelledPort)] = []
    var recorder: RadioRecorder?
    package internal(set) var people: MeshPeople?
    /// The texts of clients, where somebody steers the world.
    var texts = ClientTexts()
    /// What has happened, where somebody steers the world.
    package internal(set) var log: HappeningLog?
    private let sink: Emulator.LiveSink?
    /// Tells people of frames that were lost to others, where they want to know.
    private var losses: LossTeller?
    /// What people have said since the last look; the people have the sink of it.
    private let said = Said()
    /// Who is told what happens, while it does.
    let followers = Followers()
    /// Whether what happens goes to files, which do not go back in time.
    var isWritingFiles: Bool { sink != nil || isRecordingFiles }
    private let end: Instant
    var pacer: Pacer
    /// For time that waits for clients; its clients are `attached`.
    var gate: ClientGate?
    private let peers: PeerTable
    private var steps: [WorldStep] = []
    private var takesSteps = true
    /// Requests that wait until what clients have sent before them is in the world, oldest first.
    var requests: [() -> Void] = []
    var isAnswering = false
    /// How often a client was told something.
    var tellings = 0
    /// What others wait for while time passes by itself.
    private var watches: [WorldStep] = []
    /// Clients that were told of as not reading.
    var isNoted: [Bool]
    let alarm: LoopAlarm
    private var isAdvancing = false
    private var mustAdvanceAgain = false
    private(set) var isStopped = false
    /// Whether time stands still although it would pass by itself.
    package private(set) var isPaused = false
    var snapshots: [WorldSnapshot] = []
    /// How often the run has gone back.
    package internal(set) var restores = 0
    /// For recordings that whoever steers the world asks for.
    let recorded = RecordedLines()
    /// Whether recordings go to files.
    let isRecordingFiles: Bool
    /// The console at which somebody types a line, and what it has written.
    var typing: (node: NodeID, output: [UInt8])?

    init(_ world: World, _ configuration: Emulator.Configuration, eventLoop: any EventLoop) {
        self.world = world
        seed = world.seed
        state = configuration.state
        self.eventLoop = eventLoop
        note = configuration.log
        display = configuration.display
        sink = configuration.happened
        losses = configuration.lost.map { LossTeller(world.nodes.map(world.label(of:)), tell: $0) }
        end = configuration.end
        pacer = Pacer(configuration.pace, slice: Self.slice)
        gate = ClientGate(configuration.waitingForClients, for: configuration.pace)
        halfClosedGrace = configuration.pace.waitsForClients ? nil : .milliseconds(250)
        peers = PeerTable(configuration.peers)
        alarm = LoopAlarm(eventLoop)
        stopped = eventLoop.makePromise()
        ports = Array(repeating: nil, count: world.nodes.count)
        isNoted = Array(repeating: false, count: world.nodes.count)
        isRecordingFiles = configuration.record != nil
        recorder = configuration.record.map { RadioRecorder(nodes: world.nodes.count, record: $0) }
        if configuration.isSteered { log = HappeningLog() }
        guard let plan = configuration.traffic else { return }
        let said = said
        people = MeshPeople(
            plan, seed: configuration.seed, span: end == .never ? nil : end - .start, in: &self.world,
            foreign: configuration.takenNodes.compactMap { world.node(labelled: $0) },
            keepsInboxes: configuration.isSteered, sink: { said.lines.append(HappeningLog.Line($0, $1, $2)) })
    }

    /// A port on which things can go wrong, where the world is steered and frames pass at it.
    private func steerable(_ port: any AppPort, of node: NodeID) -> any AppPort {
        guard log != nil, world.companion(node) != nil, !(port is ModelledPort) else { return port }
        let port = FaultyPort(port, seed: seed.part("endpoint", world.label(of: node))) { [unowned self] in world.now }
        faulty[node.index] = port
        return port
    }

    /// Ends when the run has ended; fails when it had to.
    var whenStopped: EventLoopFuture<Void> { stopped.futureResult }

    func note(_ text: String) { note(text) }

    func show(_ text: String) { display(text) }

    func portFailed(_ error: EmulatorError) { stop(failure: error) }

    func attach(_ port: any AppPort, to node: NodeID, over link: RecordingLink) {
        ports[node.index] = steerable(port, of: node)
        links[node.index] = link
        if !world.isUp(node) { ports[node.index]?.losesPower() }
        let place = attached.firstIndex { $0 > node } ?? attached.count
        attached.insert(node, at: place)
        gate?.addPort(at: place)
        if let port = port as? ModelledPort {
            modelled.insert((node, port), at: modelled.firstIndex { $0.node > node } ?? modelled.count)
        }
        // What passes at the console of the others are no frames.
        guard world.companion(node) != nil else { return }
        recorder?.add(node, world.label(of: node), over: link)
        if log != nil { texts.add(node, over: link) }
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
        answerRequests()
        let now = alarm.now
        alarm.set(isLate ? now : wake(at: now)) { [weak self] in self?.advance() }
    }

    /// When something happens: in the world, among its people, on a modelled link, or to the run.
    private var nextTime: Instant {
        var next = min(world.peekNextEventTime(), people?.nextStop ?? .never, end)
        for port in faulty.values { next = min(next, port.nextRelease) }
        for watch in watches { next = min(next, watch.end ?? .never) }
        for link in modelled { next = min(next, link.port.deadline ?? .never) }
        return next
    }

    /// Whether time that waits for nobody has become due for something.
    private var isDue: Bool {
        gate == nil && !isPaused && !peers.isWaiting && pacer.isDue(nextTime, from: world.now, at: alarm.now)
    }

    private func wake(at clock: TimeSpan) -> TimeSpan? {
        if peers.isWaiting { return peers.deadline }
        // Bytes on the way to a request or a step's beginning tell of themselves; nothing depends on it.
        guard requests.isEmpty else { return clock + .milliseconds(1) }
        guard !isPaused else { return nil }
        if let step = steps.first, step.end == nil { return clock + .milliseconds(1) }
        guard let gate, !gate.letsTimePass(at: clock) else {
            // The last look had an earlier clock: a client may have come to rest since.
            if pacer.pace == .stepped, !steps.isEmpty { return clock }
            return pacer.wake(for: nextTime, at: clock)
        }
        return gate.deadline(after: clock)
    }

    /// Lets time stand still, or pass again.
    package func pause(_ isPaused: Bool) {
        guard self.isPaused != isPaused, pacer.isRunning else { return }
        // What is due by now still happens.
        if isPaused { advance() }
        self.isPaused = isPaused
        if isPaused { gate?.standStill() } else { pacer.start(from: world.now, at: alarm.now) }
        advance()
    }

    /// Changes how fast the time of a world passes that follows the clock.
    package func setSpeed(_ speed: Double) {
        advance()
        pacer = Pacer(.clock(speed: speed), slice: Self.slice)
        pacer.start(from: world.now, at: alarm.now)
        advance()
    }

    // MARK: Steps

    /// Queues a step; where time passes by itself, begins to watch.
    func add(_ step: WorldStep) {
        guard !isStopped, takesSteps else { return step.promise.fail(EmulatorError.ended) }
        guard steps.count + watches.count < Self.mostSteps else {
            return step.promise.fail(EmulatorError.tooManySteps(Self.mostSteps))
        }
        guard pacer.pace != .stepped else { return steps.append(step) }
        var watch = step
        watch.end = world.now + min(step.span, .never - world.now)
        watches.append(watch)
    }

    /// Whoever waits for time waits in vain, now and later.
    package func endSteps() {
        takesSteps = false
        failSteps()
    }

    private func endWatches() {
        guard !watches.isEmpty else { return }
        var open: [WorldStep] = []
        for watch in watches {
            let isMet = watch.condition?(self) ?? false
            if isMet || world.now >= watch.end ?? .never {
                watch.end(in: self, isMet: isMet)
            } else {
                open.append(watch)
            }
        }
        watches = open
    }

    /// Whether time that waits for clients may pass now; ends steps that have come to their end.
    private func mayPass(at clock: TimeSpan) -> Bool {
        guard pacer.pace == .stepped else { return gate?.letsTimePass(at: clock) == true }
        while !steps.isEmpty {
            guard let stepEnd = begin() else { return false }
            let step = steps[0]
            pacer.allow(until: stepEnd)
            let isMet = step.condition?(self) ?? false
            let isOver = isMet || step.stopsWhenTold && tellings > step.toldBefore
            guard isOver || world.now >= stepEnd && nextTime > stepEnd else {
                return gate?.letsTimePass(at: clock) == true
            }
            // Whoever let time pass looks at the clients next, and what they have said by now has been heard.
            guard gate?.allHaveBytes(at: clock) == true, gate?.hasInput == false else { return false }
            pacer.allow(until: world.now)
            gate?.standStill()
            steps.removeFirst()
            step.end(in: self, isMet: isMet)
        }
        return false
    }

    /// Where the first step ends, whose turn may have come just now; `nil` while there are bytes on the way that clients sent
    /// before it, or requests that wait for such.
    private func begin() -> Instant? {
        if let end = steps[0].end { return end }
        guard requests.isEmpty, !hasUnreadBytes else { return nil }
        let end = world.now + min(steps[0].span, .never - world.now)
        steps[0].end = end
        steps[0].toldBefore = tellings
        return end
    }

    /// Runs what is due; `false` when there is more than a slice of it.
    private func catchUp() -> Bool {
        let clock = alarm.now
        while pacer.isRunning {
            guard hearPeers() else { return true }
            endWatches()
            if isPaused { return true }
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
        people?.tellEnds(before: world.now)
        tellWhatWasSaid()
        for (index, port) in faulty where port.nextRelease <= world.now {
            if port.release() { told(NodeID(index: index)) }
            mustAdvanceAgain = true
        }
        for (node, port) in modelled { advance(port, node) }
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
        tellWhatWasSaid()
    }

    /// Hands out what people have said and learned.
    private func tellWhatWasSaid() {
        guard !said.lines.isEmpty else { return }
        for line in said.lines { happened(line) }
        said.lines.removeAll(keepingCapacity: true)
    }

    private func happened(_ line: HappeningLog.Line) {
        sink?(line.time, line.node, line.happening)
        losses?.take(line)
        log?.append(line)
        followers.tell(line)
    }

    // MARK: Clients

    private func takeInputs() {
        // Who answers comes before who speaks, whatever came first: it is the same in each run.
        guard !peers.isWaiting else { return }
        let isRound = gate?.takesInputs(at: alarm.now) ?? true
        for (place, node) in attached.enumerated() {
            guard let port = ports[node.index], isRound || port.hasInput == nil else { continue }
            if let port = port as? ModelledPort {
                takeInput(of: port, place)
                continue
            }
            if port.hasRoom == true { tellRoom(to: node) }
            while !isStopped, let input = port.nextInput(window: world.appWindow(of: node)) {
                gate?.took(place, at: alarm.now)
                hand(input, to: node)
                if gate != nil { answer(node) }
                people?.lookAhead(in: &world)
            }
        }
    }

    /// A node learns what its client has done.
    private func hand(_ input: NodeInput, to node: NodeID) {
        recording { recorder throws in try recorder.took(input, node, at: world.now) }
        let lost = texts.took(input, node) { people?.enter($0, of: node, in: world) }
        for number in lost { people?.lose(number, at: world.now) }
        // A text is named before it is on the air.
        tellWhatWasSaid()
        world.inject(input, into: node)
        deliver()
    }

    /// A radio says something to its client: perhaps what has become of a text.
    private func listen(_ bytes: [UInt8], _ node: NodeID) {
        let (news, lost) = texts.said(bytes, node)
        for one in news { people?.enter(one, ofClientAt: node, at: world.now) }
        for number in lost { people?.lose(number, at: world.now) }
        tellWhatWasSaid()
    }

    /// What a client does goes over its modelled link first, and reaches the node when time has passed.
    private func takeInput(of port: ModelledPort, _ place: Int) {
        guard port.takeInput() else { return }
        gate?.took(place, at: alarm.now)
        mustAdvanceAgain = true
    }

    /// Brings a modelled link to the present: its node and its client learn what has come over it.
    private func advance(_ port: ModelledPort, _ node: NodeID) {
        port.advance()
        while !isStopped, let input = port.nextDelivery() {
            hand(input, to: node)
            people?.lookAhead(in: &world)
        }
        told(node)
        if port.hasRoom == true { tellRoom(to: node) }
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

    /// Tells of what has happened in the world, with what clients have said and how messages have ended.
    private func tell(of trace: [TraceRecord]) {
        var moment: Instant?
        for line in trace {
            if log != nil, moment != line.time {
                moment = line.time
                people?.tellEnds(before: line.time)
            }
            people?.enter(line)
            // Before it, messages may have come to an end.
            tellWhatWasSaid()
            if log != nil, case .appBytes(let bytes) = line.event { listen(bytes, line.node) }
            happened(HappeningLog.Line(line.time, line.node, .event(line.event)))
        }
    }

    /// Hands out what the world says, in its order: a change of flash is durable before anything later leaves.
    func deliver() {
        // Before anything leaves: what an app has seen is in the recording, however the run ends.
        tellWhatWasSaid()
        let trace = world.takeTrace()
        if sink != nil || log != nil || losses != nil { tell(of: trace) }
        recording { recorder throws in try recorder.happened(trace) }
        for output in world.takeOutputs() where !isStopped {
            if peers.take(output, at: alarm.now) { continue }
            let port = ports[output.node.index]
            if port == nil { people?.take(output) }
            switch output.kind {
            case .appBytes(let bytes):
                if typing?.node == output.node { typing?.output += bytes }
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
                lookAgain(at: output.node)
                note("\(world.label(of: output.node)): restarts")
            case .poweredOff:
                if port?.losesPower() == true { told(output.node) }
                lookAgain(at: output.node)
                note("\(world.label(of: output.node)): has no power")
            case .booted:
                if port?.booted(as: RadioIdentity(output.node, in: world)) == true { told(output.node) }
                lookAgain(at: output.node)
                note("\(world.label(of: output.node)): is up again")
            }
        }
    }

    /// Nobody waits for time any more.
    func failSteps() {
        for step in steps + watches { step.promise.fail(EmulatorError.ended) }
        steps = []
        watches = []
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
            unpromptedInputs: gate?.unpromptedInputs, statistics: world.statistics)
    }

    /// Somebody ends the run.
    func noteInterruption() {
        guard !isStopped, pacer.pace == .lockstep else { return }
        lookAtClients()
        gate?.interrupted(at: alarm.now)
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
        failSteps()
        followers.end()
        answerRequests()
        let endings = ports.compactMap { $0?.stop() } + peers.stop()
        // The ports hold on to the runner; an emulator that is never stopped runs on.
        ports = Array(repeating: nil, count: ports.count)
        (attached, modelled) = ([], [])
        let promise = stopped
        EventLoopFuture.andAllComplete(endings, on: eventLoop).whenComplete { _ in
            if let failure { promise.fail(failure) } else { promise.succeed() }
        }
    }
}
