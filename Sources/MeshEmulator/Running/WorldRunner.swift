import MeshCapture
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
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
    private let ports = PortTable()
    private let testers = TesterQueue()
    /// Emits lines of the trace as they occur.
    let lines = Broadcaster<HappeningLog.Line>()
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
        ports.add(port, to: node)
        if !driver.world.isUp(node), bluetooth == nil { port.losesPower() }
    }

    /// Attaches the program of an external node.
    func attachPeer(_ port: any AppPort, to node: NodeID) {
        driver.attachPeer(node)
        ports.add(port, to: node)
    }

    /// Says to the driver what clients have done, and how their links stand.
    ///
    /// A port may call back while it is read, so the driver is not held meanwhile.
    private func readPorts(at clock: TimeSpan) {
        for node in ports.nodes where !driver.isStopped {
            guard let port = ports[node] else { continue }
            read(port, of: node, at: clock)
            update(node, at: clock)
        }
    }

    private func read(_ port: any AppPort, of node: NodeID, at clock: TimeSpan) {
        // A new client does not wait for what the one before it has left.
        guard driver.isReady(for: node) || port.hasNewClient else { return }
        // What waits at a port of packets stays there, where it is counted, until the node has room.
        let isBounded = port.isPacketwise || driver.isPeer(node)
        repeat {
            let window = isBounded ? driver.window(of: node) : .max
            guard window > 0, let input = port.nextInput(window: window).flatMap(NodeInput.App.init) else { return }
            driver.handle(.client(node, input), at: clock, into: &effects)
        } while !isBounded || driver.isReady(for: node)
    }

    private func update(_ node: NodeID, at clock: TimeSpan) {
        guard let port = ports[node], !driver.isStopped else { return }
        let state = ports.state(of: port, asksForUnread: driver.asksForUnread && driver.isReady(for: node))
        driver.handle(.link(node, state), at: clock, into: &effects)
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
        // A port may call while the driver works, or while what it wants is performed.
        guard !isAdvancing, !isPerforming else {
            mustAdvanceAgain = true
            return
        }
        guard !driver.isStopped else { return }
        isAdvancing = true
        repeat {
            mustAdvanceAgain = false
            var clock = alarm.now
            readPorts(at: clock)
            repeat {
                driver.handle(.woke, at: clock, into: &effects)
                perform()
                // Where time waits for nobody, a clock that goes on meanwhile would have no end of events.
                if driver.pace.waitsForClients { clock = alarm.now }
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
                switch ports.perform(effect) {
                case .none:
                    do throws(EmulatorError) {
                        try perform(effect)
                    } catch {
                        // What comes behind it must not leave.
                        return stop(failure: error)
                    }
                case .link(let node): reached.append(node)
                case .client(let node):
                    driver.handle(.reached(node), at: alarm.now, into: &effects)
                    reached.append(node)
                }
            }
            for (place, node) in reached.enumerated() where place == 0 || reached[place - 1] != node {
                update(node, at: alarm.now)
            }
        }
    }

    /// Performs an effect that is no port's.
    private func perform(_ effect: DriverEffect) throws(EmulatorError) {
        switch effect {
        case .persist(let change, let node): try configuration.state?.apply(change, of: driver.world.label(of: node))
        case .replaceFiles(let flash, let node):
            try configuration.state?.store(flash, of: driver.world.label(of: node))
        case .recorded(let entry, let node): try record(entry, of: node)
        case .happened(let line):
            configuration.happened?(line.time, line.node, line.happening)
            if line.happening.isTraced { lines.emit(line) }
        case .turned(let turn, let moment): configuration.turned?(turn, moment)
        case .lost(let words): configuration.lost?(words)
        case .note(let text): note(text)
        case .stepEnded(let number, let isMet):
            guard let step = testers.remove(number) else { return }
            step.ended?(&driver, isMet)
            step.promise.succeed(isMet)
        case .stepFailed(let number): testers.fail(number, with: .ended)
        case .ended(let failure): ended(failure)
        case .write, .linked, .roomy, .shutOut, .restarts, .losesPower, .booted, .forgets: break
        }
    }

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
        testers.append { [self] in promise.completeWith(Result { try body(self) }) }
        driver.waitingRequests = testers.count
        // Where time passes by itself, this answers the request after what was due before it.
        if driver.pace == .stepped { advance() } else { answerRequests() }
        if driver.isStopped { answerRequests() }
        return promise.futureResult
    }

    /// Answers requests until one has to wait.
    private func answerRequests() {
        testers.answer { behind in
            guard !driver.isBehindClients else { return false }
            driver.waitingRequests = behind
            return true
        }
    }

    /// Lets time of a stepped world pass, after those who asked before.
    func step(_ step: EmulatorStep) {
        let number = testers.add(step)
        do throws(EmulatorError) {
            try driver.add(number, lasting: step.span, until: step.condition, stopsWhenTold: step.stopsWhenTold)
        } catch {
            testers.fail(number, with: error)
        }
        advance()
    }

    // MARK: Ending

    /// Notes that somebody ends the run.
    func noteInterruption() {
        guard !driver.isStopped else { return }
        readPorts(at: alarm.now)
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
        // The end in good order was among what could not be performed.
        if !hasEnded { ended(failure) }
    }

    private func ended(_ failure: EmulatorError?) {
        hasEnded = true
        alarm.set(nil) {}
        lines.finish()
        answerRequests()
        // The ports hold on to the runner; an emulator that is never stopped runs on.
        let endings = ports.removeAll()
        let promise = stopped
        EventLoopFuture.andAllComplete(endings, on: eventLoop).whenComplete { _ in
            if let failure { promise.fail(failure) } else { promise.succeed() }
        }
    }
}
