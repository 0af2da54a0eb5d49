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
/// It decides nothing about the world: `WorldDriver` does. It and all that touches it live on one event loop.
final class WorldRunner: PortOwner {
    let eventLoop: any EventLoop
    let halfClosedGrace: TimeAmount?
    private let loop: DriverLoop
    private let configuration: Emulator.Configuration
    private let ports = PortTable()
    private let testers = TesterQueue()
    /// Emits lines of the trace as they occur.
    let lines = Broadcaster<HappeningLog.Line>()
    private let alarm: LoopAlarm
    private let stopped: EventLoopPromise<Void>
    private var isAdvancing = false
    private var mustAdvanceAgain = false
    private var hasEnded = false

    init(_ world: World, _ configuration: Emulator.Configuration, eventLoop: any EventLoop) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        loop = DriverLoop(WorldDriver(world, configuration))
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
        _ port: any AppPort, to client: ClientID, over link: RecordingLink, isLine: Bool, bluetooth: LoopbackBluetooth?
    ) {
        loop.driver.attach(
            client.node, at: client.interface, over: bluetooth == nil ? link : .ble, isLine: isLine,
            bluetooth: bluetooth)
        ports.add(port, to: client)
        if !loop.driver.world.isUp(client.node), bluetooth == nil { port.losesPower() }
    }

    /// Attaches the program of an external node.
    func attachPeer(_ port: any AppPort, to node: NodeID) {
        loop.driver.attachPeer(node)
        ports.add(port, to: ClientID(node))
    }

    // MARK: Time

    /// Arms the fault plans of links, and lets the time of the world begin to run.
    func start() throws(EmulatorError) {
        for faults in configuration.linkFaults { try loop.driver.arm(faults) }
        loop.call { driver, effects in driver.start(at: alarm.now, into: &effects) }
        perform()
        advance()
    }

    /// Brings the world to the present, with everything that clients have done.
    func advance() {
        // A port may call while the driver works, or while what it wants is performed.
        guard !isAdvancing, !loop.isPerforming else {
            mustAdvanceAgain = true
            return
        }
        guard !loop.driver.isStopped else { return }
        isAdvancing = true
        repeat {
            mustAdvanceAgain = false
            let clock = alarm.now
            ports.read(into: loop, at: clock)
            loop.turn(at: clock, now: { alarm.now }, perform: perform)
            // What has become due meanwhile is done now: a timer would cost more than it.
        } while !loop.driver.isStopped && !loop.driver.isLate
            && (mustAdvanceAgain || loop.driver.wantsTurn || loop.driver.isDue(at: alarm.now))
        isAdvancing = false
        testers.answer(in: loop)
        alarm.set(loop.driver.nextWake(at: alarm.now)) { [weak self] in self?.advance() }
    }

    // MARK: Effects

    private func perform() {
        loop.perform { effects in
            var reached: [ClientID] = []
            for effect in effects where !hasEnded {
                switch ports.perform(effect) {
                case .none:
                    // What comes behind one that fails must not leave.
                    do throws(EmulatorError) { try perform(effect) } catch { return stop(failure: error) }
                case .link(let client): reached.append(client)
                case .client(let client):
                    loop.handle(.reached(client), at: alarm.now)
                    reached.append(client)
                }
            }
            for (place, client) in reached.enumerated() where place == 0 || reached[place - 1] != client {
                ports.update(client, in: loop, at: alarm.now)
            }
        }
    }

    /// Performs an effect that is no port's.
    private func perform(_ effect: DriverEffect) throws(EmulatorError) {
        switch effect {
        case .stepEnded(let number, let isMet): testers.end(number, isMet: isMet, in: loop)
        case .stepFailed(let number): testers.fail(number, with: .ended)
        case .ended(let failure): ended(failure)
        default:
            try configuration.perform(effect) { loop.driver.world.label(of: $0) }
            if case .happened(let line) = effect, line.happening.isTraced { lines.emit(line) }
        }
    }

    // MARK: Testers

    /// Lets a tester look at the world and change it at the present moment; what follows happens at once.
    func steer<R>(_ body: (inout WorldDriver) throws -> R) rethrows -> R {
        advance()
        defer { advance() }
        defer { perform() }
        return try loop.call { driver, effects in try driver.steer(at: alarm.now, into: &effects, body) }
    }

    /// Looks at the run, without letting anything else happen.
    func look<R>(_ body: (inout WorldDriver) throws -> R) rethrows -> R { try body(&loop.driver) }

    /// Does something when all that clients have sent over TCP before is in the world, and all that was asked for
    /// before is done; at once where time passes by itself.
    ///
    /// A program has one order then: what its clients write comes before what it asks for next, however fast the
    /// machine is.
    func inOrder<R: Sendable>(_ body: @escaping (WorldRunner) throws -> R) -> EventLoopFuture<R> {
        let promise = eventLoop.makePromise(of: R.self)
        testers.append({ [self] in promise.completeWith(Result { try body(self) }) }, in: loop)
        // Where time passes by itself, this answers the request after what was due before it.
        if loop.driver.pace == .stepped { advance() } else { testers.answer(in: loop) }
        if loop.driver.isStopped { testers.answer(in: loop) }
        return promise.futureResult
    }

    /// Lets time of a stepped world pass, after those who asked before.
    func step(_ step: EmulatorStep) {
        testers.add(step, to: loop)
        advance()
    }

    // MARK: Ending

    /// Ends an interrupted run in good order, and returns its outcome.
    func conclude() -> RunOutcome {
        ports.read(into: loop, at: alarm.now)
        loop.driver.noteInterruption(at: alarm.now)
        finish()
        return loop.driver.outcome
    }

    /// Ends the run in good order: what the boards have not yet written is written.
    func finish() {
        loop.call { driver, effects in driver.finish(into: &effects) }
        perform()
    }

    /// Ends all ports, then the run.
    func stop(failure: EmulatorError? = nil) {
        loop.dropEffects()
        loop.call { driver, effects in driver.stop(failure, into: &effects) }
        perform()
        // The end in good order was among what could not be performed.
        if !hasEnded { ended(failure) }
    }

    private func ended(_ failure: EmulatorError?) {
        hasEnded = true
        alarm.set(nil) {}
        lines.finish()
        testers.answer(in: loop)
        // The ports hold on to the runner; an emulator that is never stopped runs on.
        let endings = ports.removeAll()
        let promise = stopped
        EventLoopFuture.andAllComplete(endings, on: eventLoop).whenComplete { _ in
            if let failure { promise.fail(failure) } else { promise.succeed() }
        }
    }
}
