import MeshCapture
import MeshFirmware
import MeshSimulator
import MeshTime
import NIOCore

/// A world on the real clock; it and everything that touches it live on one event loop.
///
/// World time is the time since the start, multiplied by the speed. When the machine was away, the world catches up in
/// slices, between which clients are served.
final class WorldRunner: PortOwner {
    /// Moments of the world that are run before the event loop gets a turn.
    static let slice = 2000

    let eventLoop: any EventLoop
    let halfClosedGrace = TimeAmount.milliseconds(250)
    private(set) var world: World
    private let speed: Double
    private let state: StateDirectory?
    private let log: @Sendable (String) -> Void
    private let stopped: EventLoopPromise<Void>
    private var ports: [(any AppPort)?]
    private var recorder: RadioRecorder?
    private var startedAt: NIODeadline?
    private var nextTask: Scheduled<Void>?
    private var isAdvancing = false
    private var mustAdvanceAgain = false
    private var isStopped = false

    init(
        world: World, speed: Double, state: StateDirectory?, eventLoop: any EventLoop,
        log: @escaping @Sendable (String) -> Void,
        record: (@Sendable (String, RecordingEntry) throws -> Void)? = nil
    ) {
        self.world = world
        self.speed = speed
        self.state = state
        self.eventLoop = eventLoop
        self.log = log
        stopped = eventLoop.makePromise()
        ports = Array(repeating: nil, count: world.nodes.count)
        recorder = record.map { RadioRecorder(nodes: world.nodes.count, record: $0) }
    }

    /// Ends when the run has ended; fails when it had to.
    var whenStopped: EventLoopFuture<Void> { stopped.futureResult }

    func note(_ text: String) { log(text) }

    func attach(_ port: any AppPort, to node: NodeID, over link: RecordingLink) {
        ports[node.index] = port
        // What passes at the console of the others are no frames.
        if world.companion(node) != nil { recorder?.add(node, world.label(of: node), over: link) }
    }

    // MARK: Time

    /// The time of the world begins to run.
    func start() {
        startedAt = .now()
        advance()
    }

    private var worldTime: Instant {
        guard let startedAt else { return world.now }
        let elapsed = Double((NIODeadline.now() - startedAt).nanoseconds) / 1000 * speed
        return max(world.now, .microseconds(elapsed < 9e18 ? Int64(elapsed) : .max))
    }

    private func deadline(of instant: Instant) -> NIODeadline? {
        guard let startedAt, instant != .never else { return nil }
        let nanoseconds = Double(instant.microseconds) * 1000 / speed
        // A day is far enough; the wake after it looks again.
        return min(startedAt + .nanoseconds(Int64(min(nanoseconds, 9e18)) + 1), .now() + .hours(24))
    }

    /// Brings the world to the present, with everything that clients have done.
    func advance() {
        guard startedAt != nil, !isStopped else { return }
        guard !isAdvancing else {
            mustAdvanceAgain = true
            return
        }
        isAdvancing = true
        var isBehind = false
        repeat {
            mustAdvanceAgain = false
            isBehind = !catchUp()
            if !isBehind { takeInputs() }
            // What has become due meanwhile is done now: a timer would cost more than it.
        } while (mustAdvanceAgain || world.peekNextEventTime() <= worldTime) && !isBehind && !isStopped
        isAdvancing = false
        guard !isStopped else { return }
        scheduleNext(atOnce: isBehind)
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
        let target = worldTime
        var moments = 0
        while world.peekNextEventTime() <= target {
            guard moments < Self.slice, !isStopped else { return false }
            world.run(until: world.peekNextEventTime())
            deliver()
            moments += 1
        }
        world.run(until: target)
        return true
    }

    private func takeInputs() {
        for node in world.nodes {
            guard let port = ports[node.index] else { continue }
            while !isStopped, let input = port.nextInput(window: world.appWindow(of: node)) {
                recording { recorder throws in try recorder.took(input, node, at: world.now) }
                world.inject(input, into: node)
                deliver()
            }
        }
    }

    private func scheduleNext(atOnce: Bool) {
        nextTask?.cancel()
        nextTask = nil
        guard let deadline = atOnce ? .now() : deadline(of: world.peekNextEventTime()) else { return }
        nextTask = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in self?.advance() }
    }

    // MARK: Outputs

    /// Hands out what the world says, in its order: a change of flash is durable before anything later leaves.
    private func deliver() {
        // Before anything leaves: what an app has seen is in the recording, however the run ends.
        recording { recorder throws in try recorder.happened(world.takeTrace()) }
        for output in world.takeOutputs() where !isStopped {
            let port = ports[output.node.index]
            switch output.kind {
            case .appBytes(let bytes): port?.send(bytes)
            case .appClosed: port?.shutOut()
            case .flash(let change): persist(change, of: output.node)
            case .rebooted:
                port?.shutOut()
                note("\(world.label(of: output.node)): restarts")
            case .booted: note("\(world.label(of: output.node)): is up again")
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
        nextTask?.cancel()
        nextTask = nil
        let endings = ports.compactMap { $0?.stop() }
        // The ports hold on to the runner; an emulator that is never stopped runs on.
        ports = Array(repeating: nil, count: ports.count)
        let promise = stopped
        EventLoopFuture.andAllComplete(endings, on: eventLoop).whenComplete { _ in
            if let failure { promise.fail(failure) } else { promise.succeed() }
        }
    }
}
