import MeshCapture
import MeshFirmware
import MeshLinks
import MeshSimulator
import MeshTime
import MeshWorlds
import NIOCore

/// Event loop of an emulated world: ports feed the driver, and the driver's effects go to ports, files and testers.
///
/// It decides nothing about the world: that is `WorldDriver`'s. It and everything that touches it live on one event loop.
final class WorldRunner: PortOwner {
    let eventLoop: any EventLoop
    let halfClosedGrace: TimeAmount?
    private(set) var driver: WorldDriver
    private let configuration: Emulator.Configuration
    private var ports: [NodeID: any AppPort] = [:]
    /// The nodes that have a port, in their order.
    private var attached: [NodeID] = []
    private var asked: [DriverStep.Number: EmulatorStep] = [:]
    private var latestStep = 0
    /// Requests that wait until what clients have sent before them is in the world, oldest first.
    private var requests: [() -> Void] = []
    private var isAnswering = false
    let followers = Followers()
    private let alarm: LoopAlarm
    private let stopped: EventLoopPromise<Void>
    private var effects: [DriverEffect] = []
    private var isAdvancing = false
    private var isPerforming = false
    private var mustAdvanceAgain = false
    private var hasEnded = false

    init(_ world: World, _ configuration: Emulator.Configuration, eventLoop: any EventLoop) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        driver = WorldDriver(world, configuration)
        halfClosedGrace = configuration.pace.waitsForClients ? nil : .milliseconds(250)
        alarm = LoopAlarm(eventLoop)
        stopped = eventLoop.makePromise()
    }

    /// Completes when the run has ended; fails when it could not go on.
    var whenStopped: EventLoopFuture<Void> { stopped.futureResult }

    func note(_ text: String) { configuration.log(text) }
    func show(_ text: String) { configuration.display(text) }
    func portFailed(_ error: EmulatorError) { stop(failure: error) }

    // MARK: Ports

    func attach(
        _ port: any AppPort, to node: NodeID, over link: RecordingLink, isLine: Bool, bluetooth: LoopbackBluetooth?
    ) {
        driver.attach(node, over: bluetooth == nil ? link : .ble, isLine: isLine, bluetooth: bluetooth)
        add(port, to: node)
        if !driver.world.isUp(node), bluetooth == nil { port.losesPower() }
    }

    /// Attaches the program of an external node.
    func attachPeer(_ port: any AppPort, to node: NodeID) {
        driver.attachPeer(node)
        add(port, to: node)
    }

    private func add(_ port: any AppPort, to node: NodeID) {
        ports[node] = port
        attached.insert(node, at: attached.firstIndex { $0 > node } ?? attached.count)
    }

    /// Says to the driver what clients have done, and how their links stand.
    private func lookAtPorts(at clock: TimeSpan) {
        for node in attached where !driver.isStopped {
            guard let port = ports[node] else { continue }
            read(port, of: node, at: clock)
            driver.handle(.link(node, state(of: port, node)), at: clock, into: &effects)
        }
    }

    private func read(_ port: any AppPort, of node: NodeID, at clock: TimeSpan) {
        guard !port.isPacketwise, !driver.isPeer(node) else {
            // What waits stays with the port, which counts it, until the node has room.
            while driver.isReady(for: node), case let window = driver.window(of: node), window > 0,
                let input = port.nextInput(window: window).flatMap(NodeInput.App.init)
            { driver.handle(.client(node, input), at: clock, into: &effects) }
            return
        }
        guard driver.isReady(for: node) else { return }
        while let input = port.nextInput(window: .max).flatMap(NodeInput.App.init) {
            driver.handle(.client(node, input), at: clock, into: &effects)
        }
    }

    private func state(of port: any AppPort, _ node: NodeID) -> LinkState {
        var state = LinkState()
        state.hasClient = port.hasClient
        state.isWritable = port.isWritable
        state.hasRoom = port.hasRoom
        state.isBehind = port.isBehind
        state.hasUnread = driver.asksForUnread && driver.isReady(for: node) && port.hasUnread
        return state
    }

    // MARK: Time

    /// Lets the time of the world begin to run.
    func start() {
        driver.start(at: alarm.now, into: &effects)
        perform()
        advance()
    }

    /// Brings the world to the present, with everything that clients have done.
    func advance() {
        guard !driver.isStopped else { return }
        // A port may call while the driver works, or while what it wants is performed.
        guard !isAdvancing, !isPerforming else {
            mustAdvanceAgain = true
            return
        }
        isAdvancing = true
        repeat {
            mustAdvanceAgain = false
            // A clock that went on meanwhile would have no end of events.
            let clock = alarm.now
            lookAtPorts(at: clock)
            repeat {
                driver.handle(.woke, at: clock, into: &effects)
                perform()
            } while driver.isInterrupted && !driver.isStopped
            // What has become due meanwhile is done now: a timer would cost more than it.
        } while !driver.isStopped && !driver.isLate
            && (mustAdvanceAgain || driver.wantsTurn || driver.isDue(at: alarm.now))
        isAdvancing = false
        answerRequests()
        setAlarm()
    }

    private func setAlarm() {
        let now = alarm.now
        alarm.set(driver.isLate && !driver.isStopped ? now : driver.nextWake(at: now)) { [weak self] in self?.advance()
        }
    }

    // MARK: Effects

    private func perform() {
        let isInner = isPerforming
        isPerforming = true
        defer { isPerforming = isInner }
        while !effects.isEmpty {
            var batch: [DriverEffect] = []
            swap(&batch, &effects)
            var reached: [NodeID] = []
            for effect in batch where !hasEnded {
                do throws(EmulatorError) {
                    if let node = try perform(effect), reached.last != node { reached.append(node) }
                } catch {
                    // What comes behind it must not leave.
                    return stop(failure: error)
                }
            }
            for node in reached {
                guard let port = ports[node], !driver.isStopped else { continue }
                driver.handle(.link(node, state(of: port, node)), at: alarm.now, into: &effects)
            }
        }
    }

    /// Performs an effect; returns the node whose link may stand differently after it.
    private func perform(_ effect: DriverEffect) throws(EmulatorError) -> NodeID? {
        switch effect {
        case .write(let bytes, let node):
            ports[node]?.send(bytes)
            return node
        case .shutOut(let node, _):
            ports[node]?.shutOut()
            return node
        case .restarts(let node):
            ports[node]?.restarts()
            return node
        case .losesPower(let node):
            if ports[node]?.losesPower() == true { reach(node) }
            return node
        case .booted(let node, let radio):
            if ports[node]?.booted(as: radio) == true { reach(node) }
            return node
        case .forgets(let node):
            ports[node]?.reset()
            return node
        case .persist(let change, let node): try configuration.state?.apply(change, of: driver.world.label(of: node))
        case .replaceFiles(let flash, let node):
            try configuration.state?.store(flash, of: driver.world.label(of: node))
        case .recorded(let entry, let node): try record(entry, of: node)
        case .happened(let line):
            configuration.happened?(line.time, line.node, line.happening)
            followers.emit(line)
        case .lost(let words): configuration.lost?(words)
        case .note(let text): note(text)
        case .stepEnded(let number, let isMet):
            guard let step = asked.removeValue(forKey: number) else { return nil }
            step.ended?(&driver, isMet)
            step.promise.succeed(isMet)
        case .stepFailed(let number): asked.removeValue(forKey: number)?.promise.fail(EmulatorError.ended)
        case .ended(let failure): ended(failure)
        case .linked, .roomy: break
        }
        return nil
    }

    private func reach(_ node: NodeID) { driver.handle(.reached(node), at: alarm.now, into: &effects) }

    private func record(_ entry: RecordingEntry, of node: NodeID) throws(EmulatorError) {
        do {
            try configuration.record?(driver.world.label(of: node), entry)
        } catch {
            throw .notRecorded(reason: "\(error)")
        }
    }

    // MARK: Testers

    /// Lets a tester look at the world and change it at the present moment; what follows happens at once.
    func steer<R>(_ body: (inout WorldDriver) throws -> R) rethrows -> R {
        advance()
        defer { advance() }
        defer { perform() }
        return try driver.steer(at: alarm.now, into: &effects, body)
    }

    /// Looks at the run, without letting anything else happen.
    func look<R>(_ body: (inout WorldDriver) throws -> R) rethrows -> R { try body(&driver) }

    /// Does something when all that clients have sent over TCP before is in the world, and all that was asked for before is
    /// done; at once where time passes by itself.
    ///
    /// A program has one order then: what its clients write comes before what it asks for next, however fast the machine is.
    func inOrder<R: Sendable>(_ body: @escaping (WorldRunner) throws -> R) -> EventLoopFuture<R> {
        let promise = eventLoop.makePromise(of: R.self)
        requests.append { [self] in promise.completeWith(Result { try body(self) }) }
        driver.waitingRequests = requests.count
        // Where time passes by itself, this answers the request after what was due before it.
        if driver.pace == .stepped { advance() } else { answerRequests() }
        if driver.isStopped { answerRequests() }
        return promise.futureResult
    }

    /// Answers requests until one has to wait.
    private func answerRequests() {
        // What a request lets happen is over before the next one begins.
        guard !isAnswering else { return }
        isAnswering = true
        defer { isAnswering = false }
        while !requests.isEmpty, !driver.isBehindClients {
            let request = requests.removeFirst()
            driver.waitingRequests = requests.count
            request()
        }
    }

    /// Lets time of a stepped world pass, after those who asked before.
    func step(_ step: EmulatorStep) {
        latestStep += 1
        asked[latestStep] = step
        do throws(EmulatorError) {
            try driver.add(latestStep, lasting: step.span, until: step.condition, stopsWhenTold: step.stopsWhenTold)
        } catch {
            asked.removeValue(forKey: latestStep)?.promise.fail(error)
        }
        advance()
    }

    // MARK: Ending

    /// Notes that somebody ends the run.
    func noteInterruption() {
        guard !driver.isStopped else { return }
        lookAtPorts(at: alarm.now)
        driver.noteInterruption(at: alarm.now)
    }

    /// Ends the run in good order: what the boards have not yet written is written.
    func finish() {
        driver.finish(into: &effects)
        perform()
    }

    /// Ends all ports, then the run.
    func stop(failure: EmulatorError? = nil) {
        effects = []
        driver.stop(failure, into: &effects)
        perform()
    }

    private func ended(_ failure: EmulatorError?) {
        hasEnded = true
        alarm.set(nil) {}
        followers.end()
        answerRequests()
        let endings = attached.compactMap { ports[$0]?.stop() }
        // The ports hold on to the runner; an emulator that is never stopped runs on.
        (ports, attached) = ([:], [])
        let promise = stopped
        EventLoopFuture.andAllComplete(endings, on: eventLoop).whenComplete { _ in
            if let failure { promise.fail(failure) } else { promise.succeed() }
        }
    }
}

/// A step that somebody waits for.
struct EmulatorStep {
    let span: TimeSpan
    var stopsWhenTold = false
    var condition: DriverStep.Condition?
    /// Is called at its end, before anything else happens, with whether the condition is met.
    var ended: (@Sendable (inout WorldDriver, Bool) -> Void)?
    let promise: EventLoopPromise<Bool>
}

extension NodeInput.App {
    /// An input of a port; `nil` for what no client does.
    init?(_ input: NodeInput) {
        switch input {
        case .appConnected: self = .connected
        case .appBytes(let bytes): self = .bytes(bytes)
        case .appDisconnected: self = .disconnected
        case .heard, .heardPacket, .receiveError, .transmitDone, .woke: return nil
        }
    }
}
