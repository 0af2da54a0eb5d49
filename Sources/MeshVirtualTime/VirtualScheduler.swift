import MeshTime
import Synchronization

/// The thread of one run: ready jobs, jobs with a deadline, and the time.
///
/// Its state has a lock because outside threads may call; the run itself stays on the thread that called `run`.
final class VirtualScheduler: Sendable {
    /// The effect of a deadline.
    enum Wake {
        /// A sleeper of the virtual clock, by number.
        case sleeper(UInt64)
        /// A task in one of the library's own sleeps.
        case job(ReadyJob)
    }

    struct State {
        var now = Duration.zero
        var ready = ReadyQueue()
        var timers = TimerHeap<Wake>()
        var sequence: UInt64 = 0
        var sleepers: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        /// Sleepers that were cancelled before they lay down.
        var cancelledEarly: Set<UInt64> = []
        /// Tasks that this run has seen; one of them on another thread has strayed.
        var tasks: Set<UInt64> = []
        var lastRun: [UInt64] = []
        var steps = 0
        var stepsAtThisMoment = 0
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var failure: VirtualTimeError?
        var hasEnded = false
    }

    let state: Mutex<State>
    private let limits: VirtualTime.Limits

    init(order: VirtualTime.Order, limits: VirtualTime.Limits) {
        var state = State()
        if case .drawn(let seed) = order { state.ready.draws = seed.stream("virtual time", "ready") }
        self.state = Mutex(state)
        self.limits = limits
    }

    var elapsed: Duration { state.withLock { $0.now } }
    var steps: Int { state.withLock { $0.steps } }
    var digest: UInt64 { state.withLock { $0.digest } }

    // MARK: The loop

    /// Runs until the body is done, then until nothing is ready any more.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        ExecutorRouting.install()
        let outcome = Outcome<Value>()
        return try RunningThread.enter(self) {
            let task = Task(name: "the body of the run") {
                do {
                    let value = try await body()
                    outcome.result.withLock { $0 = .success(value) }
                } catch {
                    outcome.result.withLock { $0 = .failure(error) }
                }
            }
            do throws(VirtualTimeError) {
                try advance { outcome.result.withLock { $0 != nil } }
            } catch {
                task.cancel()
                try? end()
                throw error
            }
            try end()
            return try outcome.get()
        }
    }

    /// Gives the thread to ready jobs, and lets time pass when there are none.
    private func advance(until isDone: () -> Bool) throws(VirtualTimeError) {
        while !isDone() {
            if let failure = state.withLock({ $0.failure }) { throw failure }
            if let job = takeReady() {
                try count()
                ExecutorRouting.run(job)
            } else if !passTime() {
                throw state.withLock { .stalled(at: $0.now, lastRun: $0.namesOfLastRun) }
            }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func takeReady() -> ReadyJob? {
        state.withLock { state in
            guard let job = state.ready.take() else { return nil }
            state.noteRun(ExecutorRouting.taskNumber(job.job))
            return job
        }
    }

    private func count() throws(VirtualTimeError) {
        let excess = state.withLock { state -> VirtualTimeError? in
            state.steps += 1
            state.stepsAtThisMoment += 1
            guard state.stepsAtThisMoment > limits.stepsAtOneMoment else { return nil }
            return .spinning(at: state.now, steps: state.stepsAtThisMoment, lastRun: state.namesOfLastRun)
        }
        if let excess { throw excess }
    }

    /// Jumps to the next deadline; `false` when there is none.
    private func passTime() -> Bool {
        let wake = state.withLock { state -> (Wake, CheckedContinuation<Void, any Error>?)? in
            while let entry = state.timers.popFirst() {
                if case .sleeper(let number) = entry.payload {
                    // Cancelled sleepers leave their deadline behind.
                    guard let sleeper = state.sleepers.removeValue(forKey: number) else { continue }
                    state.moveTo(entry.deadline, sequence: entry.sequence)
                    return (entry.payload, sleeper)
                }
                state.moveTo(entry.deadline, sequence: entry.sequence)
                return (entry.payload, nil)
            }
            return nil
        }
        guard let (wake, sleeper) = wake else { return false }
        switch wake {
        case .sleeper: sleeper?.resume()
        case .job(let job): enqueue(job)
        }
        return true
    }

    /// Cancels the waiting tasks, and lets them end.
    private func end() throws(VirtualTimeError) {
        let sleepers = state.withLock { state in
            state.hasEnded = true
            let waiting = state.sleepers.sorted { $0.key < $1.key }.map(\.value)
            state.sleepers = [:]
            return waiting
        }
        for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
        var left = limits.stepsToEnd
        while left > 0 {
            if let job = takeReady() {
                ExecutorRouting.run(job)
            } else if !wakeNextJob() {
                break
            }
            left -= 1
        }
        if left == 0 {
            throw state.withLock { .spinning(at: $0.now, steps: limits.stepsToEnd, lastRun: $0.namesOfLastRun) }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Ends one of the library's own sleeps early; its task finds out how it stands when it looks.
    private func wakeNextJob() -> Bool {
        let job = state.withLock { state -> ReadyJob? in
            while let entry = state.timers.popFirst() {
                if case .job(let job) = entry.payload { return job }
            }
            return nil
        }
        job.map(enqueue)
        return job != nil
    }

    // MARK: Ready and waiting

    /// A task or an actor of this run wants the thread.
    func enqueue(_ job: ReadyJob) {
        state.withLock { state in
            let number = ExecutorRouting.taskNumber(job.job)
            if number != 0 { state.tasks.insert(number) }
            state.ready.append(job)
        }
    }

    /// A task sleeps in one of the library's own sleeps.
    func enqueue(_ job: ReadyJob, after delay: Duration) {
        state.withLock { state in
            let number = ExecutorRouting.taskNumber(job.job)
            if number != 0 { state.tasks.insert(number) }
            state.addTimer(.job(job), at: state.now + max(.zero, delay))
        }
    }

    /// Returns whether a job of another thread belongs to this run; then the run ends with an error.
    func claimStray(_ job: ReadyJob) -> Bool {
        let number = ExecutorRouting.taskNumber(job.job)
        guard number != 0 else { return false }
        return state.withLock { state in
            guard !state.hasEnded, state.tasks.contains(number) else { return false }
            if state.failure == nil {
                state.failure = .resumedFromOutside(task: state.name(of: number), at: state.now)
            }
            state.ready.append(job)
            return true
        }
    }

    func now(askedBy operation: String) -> Duration {
        let isInside = RunningThread.scheduler === self
        return state.withLock { state in
            if !isInside { state.noteOutsideUse(operation) }
            return state.now
        }
    }

    func sleep(until deadline: Duration) async throws {
        let isInside = RunningThread.scheduler === self
        let number = try state.withLock { state -> UInt64 in
            if !isInside { state.noteOutsideUse("sleep") }
            guard isInside, !state.hasEnded else { throw CancellationError() }
            state.sequence += 1
            return state.sequence
        }
        try Task.checkCancellation()
        defer { state.withLock { _ = $0.cancelledEarly.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelledEarly.remove(number) != nil || state.hasEnded { return true }
                    state.sleepers[number] = continuation
                    state.addTimer(.sleeper(number), at: max(deadline, state.now))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            cancelSleeper(number)
        }
    }

    private func cancelSleeper(_ number: UInt64) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: number)
            if sleeper == nil { state.cancelledEarly.insert(number) } else { state.forgetCancelledTimers() }
            return sleeper
        }
        sleeper?.resume(throwing: CancellationError())
    }
}

/// The result of a task, for a caller that cannot await it.
private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)

    func get() throws -> Value {
        guard let value = try result.withLock({ try $0?.get() }) else { throw CancellationError() }
        return value
    }
}

extension VirtualScheduler.State {
    mutating func addTimer(_ wake: VirtualScheduler.Wake, at deadline: Duration) {
        sequence += 1
        timers.insert(.init(deadline: deadline, sequence: sequence, payload: wake))
    }

    mutating func moveTo(_ moment: Duration, sequence: UInt64) {
        if moment > now { stepsAtThisMoment = 0 }
        now = max(now, moment)
        mix(UInt64(bitPattern: moment.components.seconds))
        mix(UInt64(bitPattern: moment.components.attoseconds))
        mix(sequence)
        mix(UInt64(steps))
    }

    /// FNV-1a, a word at a time.
    private mutating func mix(_ word: UInt64) {
        digest = (digest ^ word) &* 0x100_0000_01B3
        digest ^= digest >> 32
    }

    /// Time-outs that were not needed must not heap up while time stands still.
    mutating func forgetCancelledTimers() {
        guard timers.count > 64, timers.count > 2 * sleepers.count + 64 else { return }
        let sleepers = sleepers
        timers.removeAll { wake in
            if case .sleeper(let number) = wake { sleepers[number] == nil } else { false }
        }
    }

    mutating func noteOutsideUse(_ operation: String) {
        guard !hasEnded, failure == nil else { return }
        failure = .usedFromOutside(operation: operation, at: now)
    }

    mutating func noteRun(_ number: UInt64) {
        guard number != 0, lastRun.last != number else { return }
        lastRun.removeAll { $0 == number }
        if lastRun.count == 8 { lastRun.removeFirst() }
        lastRun.append(number)
    }

    var namesOfLastRun: [String] { lastRun.reversed().map(name) }

    func name(of number: UInt64) -> String { "task \(number)" }
}
