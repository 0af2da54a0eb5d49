import MeshBluetoothHost
import MeshFirmware
package import MeshSimulator
package import MeshTime
package import MeshWorlds

/// A world with its people, clients and links, driven by inputs: a value without a clock, a socket or a thread.
///
/// A shell hands in what clients have done (`handle`), performs the effects in their order, and calls again at
/// `nextWake`. The event loop of an emulator is one shell, a world in this process another. Where time waits for
/// clients (`ClientGate`), it passes moment by moment, and stops as soon as a client receives something.
///
/// ```swift
/// driver.handle(.client(alice, .bytes(frame)), at: clock, into: &effects)
/// repeat { driver.handle(.woke, at: clock, into: &effects) } while driver.wantsTurn
/// ```
///
/// After an effect that clients see, `handle` returns before the next moment, so that the shell can say how the links
/// stand; `wantsTurn` is true then. When the machine was away, the world catches up in slices, between which clients
/// are served.
package struct WorldDriver {
    /// Settings of a driver that stay as they are.
    package struct Settings {
        /// The way in which the world's time passes.
        package var pace = Pace.clock(speed: 1)
        /// Limits of waiting, where time waits for clients.
        package var waiting = ClientGate.Rules()
        /// Limits for the programs of external nodes.
        package var peers = PeerDesk.Rules()
        /// The end of the run.
        package var end = Instant.never
        /// Tells whether somebody steers the world: everything that happens is kept.
        package var isSteered = false
        /// Tells whether links of clients can be given faults, also where nobody steers.
        package var hasLinkFaults = false
        /// Tells whether lines of the trace become effects.
        package var emitsLines = false
        /// Tells whether frames that are lost to others become lines for people.
        package var emitsLosses = false
        /// Tells whether recordings become effects, which go to files.
        package var emitsRecordings = false
        /// Tells whether clients may arm faults of their links over these.
        package var hasJig = false
        /// Tells whether others read the world's own trace, which is left to them then.
        package var leavesTrace = false

        package init() {}
    }

    /// Moments of the world that are run before others get a turn.
    static let slice = 2000
    /// Effects after which others get a turn.
    private static let mostEffects = 4096

    package let settings: Settings
    /// Everything that goes back with the run.
    var course: WorldCourse
    var pacer: Pacer
    /// Decides where time waits for clients; its clients are `seats`.
    var gate: ClientGate?
    /// The nodes that have a client's place, in their order.
    var seats: [ClientSeat] = []
    /// Faults and modelled Bluetooth of the seats, in the same order as these; in `course`, since they go back.
    var peers: PeerBench
    var steps = StepQueue()
    /// The number of times that a client has received something.
    var tellings = 0
    /// Requests of the tester that wait for what clients have sent before them.
    package var waitingRequests = 0
    /// The console at which somebody types a line, and what it has written.
    var typing: (node: NodeID, output: [UInt8])?
    /// Tells whether planned faults of links may want to change the power of boards.
    var mustStrike = false
    package internal(set) var snapshots: [WorldSnapshot] = []
    /// The number of times that the run has gone back.
    package internal(set) var restores = 0
    /// Tells whether time stands still although it would pass by itself.
    package internal(set) var isPaused = false
    package internal(set) var isStopped = false
    /// The clock at the latest input.
    var clock = TimeSpan.zero
    /// Tells whether `handle` wants to be called again at once.
    package internal(set) var wantsTurn = false
    /// Tells whether a turn was interrupted before its end, and goes on with the next `handle(.woke)`.
    package internal(set) var isInterrupted = false
    /// Tells whether the world is late, and others are to have a turn before it goes on.
    package internal(set) var isLate = false
    /// Tells whether something has become visible to clients or testers since the turn began.
    var mustPerform = false
    var effects: [DriverEffect] = []

    /// - Parameter people: who has something to say, and the texts that they say; `nil` for nobody.
    package init(_ world: World, _ settings: Settings, people: MeshPeople? = nil) {
        self.settings = settings
        course = WorldCourse(world)
        course.people = people
        if settings.isSteered { course.log = HappeningLog() }
        if settings.emitsLosses { course.losses = LossTeller(world.nodes.map(world.label(of:))) }
        if settings.emitsRecordings { course.recorder = RadioRecorder(nodes: world.nodes.count) }
        pacer = Pacer(settings.pace, slice: Self.slice)
        gate = ClientGate(settings.waiting, for: settings.pace)
        peers = PeerBench(settings.peers)
    }

    /// The world as it is now.
    package var world: World {
        _read { yield course.world }
        _modify { yield &course.world }
    }

    /// The people of the world, where there are any.
    package var people: MeshPeople? {
        _read { yield course.people }
        _modify { yield &course.people }
    }

    /// Everything that has happened, where somebody steers the world.
    package var log: HappeningLog? {
        _read { yield course.log }
    }

    /// The way in which time passes.
    package var pace: Pace { pacer.pace }

    /// State of the run: its end, once it has ended.
    package var outcome: RunOutcome {
        RunOutcome(
            now: course.world.now, digest: course.world.digest, unseed: course.world.unseed,
            unpromptedInputs: gate?.unpromptedInputs, statistics: course.world.statistics,
            invalid: FaultReport(course.world).reasons + idleLinkFaults)
    }

    // MARK: Inputs

    /// Lets the world's time begin to run.
    package mutating func start(at clock: TimeSpan, into effects: inout [DriverEffect]) {
        self.clock = clock
        pacer.start(from: course.world.now, at: clock)
        settle()
        drain(into: &effects)
    }

    /// Handles an input. `.woke` brings the world to the present; the others only say what it finds there.
    package mutating func handle(
        _ input: DriverInput, at clock: TimeSpan, into effects: inout [DriverEffect]
    ) {
        self.clock = clock
        switch input {
        case .woke: turn()
        case .client(let client, let event): receive(event, from: client)
        case .link(let client, let state): update(client, state)
        case .reached(let client): told(client)
        }
        drain(into: &effects)
    }

    /// Lets a tester look at the world and change it, at the present moment; what follows happens at once.
    package mutating func steer<R>(
        at clock: TimeSpan, into effects: inout [DriverEffect], _ body: (inout WorldDriver) throws -> R
    ) rethrows -> R {
        self.clock = clock
        defer {
            deliver()
            course.people?.lookAhead(in: &course.world)
            drain(into: &effects)
        }
        return try body(&self)
    }

    mutating func drain(into effects: inout [DriverEffect]) {
        effects += self.effects
        self.effects.removeAll(keepingCapacity: true)
    }

    /// Notes an effect that clients or testers can see: the shell performs it before the next moment.
    mutating func emit(_ effect: DriverEffect) {
        effects.append(effect)
        mustPerform = true
    }

    /// Notes a line, which can wait for the end of the turn.
    mutating func note(_ effect: DriverEffect) {
        effects.append(effect)
        if effects.count > Self.mostEffects { mustPerform = true }
    }

    // MARK: Turns

    /// Brings the world to the present, with everything that clients have done.
    private mutating func turn() {
        (wantsTurn, isLate, isInterrupted, mustPerform) = (false, false, false, false)
        guard pacer.isRunning else { return }
        lookAtClients()
        let before = course.world.now
        switch catchUp() {
        // The clock has gone on while the world did, and clients that are waited for count from it.
        case .rested where gate != nil && course.world.now != before: isInterrupted = true
        case .rested: takeInputs()
        case .interrupted: isInterrupted = true
        case .late: isLate = true
        }
    }

    /// Tells whether time that waits for nobody has become due for something.
    package mutating func isDue(at clock: TimeSpan) -> Bool {
        gate == nil && !isPaused && !peers.isWaiting && pacer.isDue(nextTime(), from: course.world.now, at: clock)
    }

    /// Returns the clock at which `handle(.woke)` is due although no input comes; `nil` for never.
    package mutating func nextWake(at clock: TimeSpan) -> TimeSpan? {
        if isStopped { return nil }
        if isLate { return clock }
        if peers.isWaiting { return peers.deadline }
        // Bytes on the way to a request or a step's beginning tell of themselves; nothing depends on it.
        guard waitingRequests == 0 else { return clock + .milliseconds(1) }
        guard !isPaused else { return nil }
        if steps.isFirstWaiting { return clock + .milliseconds(1) }
        guard let gate, !gate.letsTimePass(at: clock) else {
            // The last look had an earlier clock: a client may have come to rest since.
            if pacer.pace == .stepped, !steps.isEmpty { return clock }
            return pacer.wake(for: nextTime(), at: clock)
        }
        return gate.deadline(after: clock)
    }

    /// The next moment at which something happens: in the world, to its people, on a link, or to the run.
    mutating func nextTime() -> Instant { min(course.nextTime(), settings.end, steps.nextEnd) }

    // MARK: Ending

    /// Notes that somebody ends the run.
    package mutating func noteInterruption(at clock: TimeSpan) {
        guard !isStopped, pacer.pace == .lockstep else { return }
        self.clock = clock
        lookAtClients()
        gate?.interrupted(at: clock)
    }

    /// Ends the run in good order: writes what the boards have not written yet.
    package mutating func finish(into effects: inout [DriverEffect]) {
        finish()
        drain(into: &effects)
    }

    mutating func finish() {
        guard !isStopped else { return }
        for node in peers.nodes {
            emit(.write(PeerRequest.end(now: course.world.now.microseconds).line, to: ClientID(node)))
        }
        for node in course.world.nodes where course.world.isUp(node) {
            if let change = course.world.firmware(node)?.pendingWrite { emit(.persist(change, of: node)) }
        }
        stop()
    }

    /// Ends the run, because of a failure or in good order.
    package mutating func stop(_ failure: EmulatorError? = nil, into effects: inout [DriverEffect]) {
        stop(failure)
        drain(into: &effects)
    }

    mutating func stop(_ failure: EmulatorError? = nil) {
        guard !isStopped else { return }
        isStopped = true
        if failure == nil { record { recorder, time in recorder.end(at: time) } }
        pacer.stop()
        failSteps()
        emit(.ended(failure))
    }
}
