import MeshCapture
import MeshFirmware
import MeshLinks
import MeshSimulator
import MeshTime
import NIOCore

/// A world and its ports, driven at a pace; it and everything that touches it live on one event loop.
///
/// When the machine was away, the world catches up in slices, between which clients are served.
final class WorldRunner: PortOwner {
    /// Moments of the world that are run before the event loop gets a turn.
    static let slice = 2000

    let eventLoop: any EventLoop
    let halfClosedGrace = TimeAmount.milliseconds(250)
    private(set) var world: World
    private let state: StateDirectory?
    private let log: @Sendable (String) -> Void
    private let display: @Sendable (String) -> Void
    private let stopped: EventLoopPromise<Void>
    private var ports: [(any AppPort)?]
    private var recorder: RadioRecorder?
    private var pacer: Pacer
    private let alarm: LoopAlarm
    private var isAdvancing = false
    private var mustAdvanceAgain = false
    private var isStopped = false

    init(
        world: World, pace: Pace, state: StateDirectory?, eventLoop: any EventLoop,
        log: @escaping @Sendable (String) -> Void, display: @escaping @Sendable (String) -> Void = { _ in },
        record: (@Sendable (String, RecordingEntry) throws -> Void)? = nil
    ) {
        self.world = world
        self.state = state
        self.eventLoop = eventLoop
        self.log = log
        self.display = display
        pacer = Pacer(pace, slice: Self.slice)
        alarm = LoopAlarm(eventLoop)
        stopped = eventLoop.makePromise()
        ports = Array(repeating: nil, count: world.nodes.count)
        recorder = record.map { RadioRecorder(nodes: world.nodes.count, record: $0) }
    }

    /// Ends when the run has ended; fails when it had to.
    var whenStopped: EventLoopFuture<Void> { stopped.futureResult }

    func note(_ text: String) { log(text) }

    func show(_ text: String) { display(text) }

    func portFailed(_ error: EmulatorError) { stop(failure: error) }

    func attach(_ port: any AppPort, to node: NodeID, over link: RecordingLink) {
        ports[node.index] = port
        // What passes at the console of the others are no frames.
        if world.companion(node) != nil { recorder?.add(node, world.label(of: node), over: link) }
    }

    // MARK: Time

    /// The time of the world begins to run.
    func start() {
        pacer.start(from: world.now, at: alarm.now)
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
            isLate = !catchUp()
            if !isLate { takeInputs() }
            // What has become due meanwhile is done now: a timer would cost more than it.
        } while !isLate && (mustAdvanceAgain || pacer.isDue(world.peekNextEventTime(), from: world.now, at: alarm.now))
        isAdvancing = false
        let now = alarm.now
        alarm.set(isLate ? now : pacer.wake(for: world.peekNextEventTime(), at: now)) { [weak self] in self?.advance() }
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
        while true {
            switch pacer.turn(from: world.now, next: world.peekNextEventTime(), at: clock) {
            case .run(let moment):
                let isEvent = world.peekNextEventTime() <= moment
                world.run(until: moment)
                // What boards said while they were switched on waits for the first event or client.
                if isEvent { deliver() }
            case .pause: return false
            case .wait: return true
            }
        }
    }

    private func takeInputs() {
        for node in world.nodes {
            guard let port = ports[node.index] else { continue }
            if port.hasRoom == true { tellRoom(to: node) }
            while !isStopped, let input = port.nextInput(window: world.appWindow(of: node)) {
                recording { recorder throws in try recorder.took(input, node, at: world.now) }
                world.inject(input, into: node)
                deliver()
            }
        }
    }

    /// The link of a node has room: where it had none before, the node goes on in a pass of its own.
    private func tellRoom(to node: NodeID) {
        guard world.holdLink(of: node, false) else { return }
        world.inject(.woke, into: node)
        deliver()
    }

    // MARK: Outputs

    /// Hands out what the world says, in its order: a change of flash is durable before anything later leaves.
    private func deliver() {
        // Before anything leaves: what an app has seen is in the recording, however the run ends.
        recording { recorder throws in try recorder.happened(world.takeTrace()) }
        for output in world.takeOutputs() where !isStopped {
            let port = ports[output.node.index]
            switch output.kind {
            case .appBytes(let bytes):
                port?.send(bytes)
                // Before its next pass: a busy link leaves further frames with the node.
                if port?.hasRoom == false { _ = world.holdLink(of: output.node, true) }
            case .appClosed: port?.shutOut()
            case .flash(let change): persist(change, of: output.node)
            case .rebooted:
                port?.restarts()
                note("\(world.label(of: output.node)): restarts")
            case .booted:
                if let radio = RadioIdentity(output.node, in: world) { port?.booted(as: radio) }
                note("\(world.label(of: output.node)): is up again")
            }
        }
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

    /// Ends the run in good order: what the boards have not yet written is written.
    func end() {
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
        let endings = ports.compactMap { $0?.stop() }
        // The ports hold on to the runner; an emulator that is never stopped runs on.
        ports = Array(repeating: nil, count: ports.count)
        let promise = stopped
        EventLoopFuture.andAllComplete(endings, on: eventLoop).whenComplete { _ in
            if let failure { promise.fail(failure) } else { promise.succeed() }
        }
    }
}
