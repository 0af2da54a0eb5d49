/// The life of a service that sends messages: whether it listens to the radio, and the tasks that end with it.
///
/// It governs which tasks may begin, and which ones end together. It does not govern a message's way, which `SendPlan`
/// does, nor what a task does. The service makes the tasks, cancels them and waits for them.
///
/// ```
/// quiet --listen--> listening --stream ended, told to stop--> quiet
///   |                   |
///   +-------stop--------+--> stopped       (nothing begins any more)
/// ```
struct MessageServiceLife: ~Copyable {
    /// The tasks of one period of listening, and the way of confirmations from one to the other.
    struct Listening: Sendable {
        /// Distinguishes the period from earlier ones, whose end may be noticed late.
        let number: Int
        let tasks: [Task<Void, Never>]
        let confirmations: AsyncStream<Confirmation>.Continuation

        /// Ends the handling of confirmations; those that have come are still handled.
        func finish() { confirmations.finish() }

        func cancel() {
            for task in tasks { task.cancel() }
            finish()
        }
    }

    /// The work that goes on with or without listening.
    private struct Work {
        var checker: Task<Void, Never>?
        var tasks: [(number: Int, task: Task<Void, Never>)] = []
        var isDraining = false
    }

    /// The tasks that the end of the service leaves to be ended.
    struct OnStop: Sendable {
        var listening: Listening?
        var checker: Task<Void, Never>?
        var tasks: [Task<Void, Never>]
    }

    private enum State: ~Copyable {
        case quiet(Work)
        case listening(Work, Listening)
        case stopped
    }

    private var state = State.quiet(Work())
    /// The last number that was given to a task or a period of listening.
    private var count = 0

    init() {}

    private init(_ count: Int, _ state: consuming State) {
        self.count = count
        self.state = state
    }

    var isStopped: Bool {
        switch state {
        case .stopped: true
        case .quiet: false
        case .listening: false
        }
    }

    /// True when the service may begin to listen.
    var mayListen: Bool {
        switch state {
        case .quiet: true
        case .listening: false
        case .stopped: false
        }
    }

    // MARK: Listening

    /// Begins a period of listening; `make` receives its number. Returns `false` when none may begin.
    @discardableResult
    mutating func listen(_ make: (Int) -> Listening) -> Bool {
        let number = count + 1
        switch consume state {
        case .quiet(let work):
            self = Self(number, .listening(work, make(number)))
            return true
        case .listening(let work, let listening): self = Self(number - 1, .listening(work, listening))
        case .stopped: self = Self(number - 1, .stopped)
        }
        return false
    }

    /// Ends the period of this number, or any where it is `nil`; returns the period, `nil` when it does not run.
    mutating func endListening(_ number: Int? = nil) -> Listening? {
        let count = count
        switch consume state {
        case .listening(let work, let listening):
            if number ?? listening.number == listening.number {
                self = Self(count, .quiet(work))
                return listening
            }
            self = Self(count, .listening(work, listening))
        case .quiet(let work): self = Self(count, .quiet(work))
        case .stopped: self = Self(count, .stopped)
        }
        return nil
    }

    /// Passes a confirmation on to its handler; without one, nothing is listened to.
    func yield(_ confirmation: Confirmation) {
        switch state {
        case .listening(_, let listening): listening.confirmations.yield(confirmation)
        case .quiet: break
        case .stopped: break
        }
    }

    // MARK: Work

    /// Changes the work of a service that has not stopped; returns `nil` for one that has.
    private mutating func change<T>(_ body: (inout Work) -> T) -> T? {
        let count = count
        switch consume state {
        case .quiet(var work):
            let result = body(&work)
            self = Self(count, .quiet(work))
            return result
        case .listening(var work, let listening):
            let result = body(&work)
            self = Self(count, .listening(work, listening))
            return result
        case .stopped:
            self = Self(count, .stopped)
            return nil
        }
    }

    /// Begins the periodic check, unless it runs or the service has stopped.
    mutating func check(_ make: () -> Task<Void, Never>) {
        _ = change { work in
            if work.checker == nil { work.checker = make() }
        }
    }

    /// Ends the periodic check; returns its task.
    mutating func endChecking() -> Task<Void, Never>? {
        change { work in
            defer { work.checker = nil }
            return work.checker
        } ?? nil
    }

    /// Keeps a task until it has ended; `make` receives its number, and is not called when the service has stopped.
    mutating func keep(_ make: (Int) -> Task<Void, Never>) {
        count += 1
        let number = count
        _ = change { $0.tasks.append((number, make(number))) }
    }

    /// Forgets a task that has ended.
    mutating func forget(_ number: Int) {
        _ = change { $0.tasks.removeAll { $0.number == number } }
    }

    /// Begins to drain the queue; returns `false` when that is being done, or the service has stopped.
    mutating func beginDraining() -> Bool {
        change { work in
            defer { work.isDraining = true }
            return !work.isDraining
        } ?? false
    }

    mutating func endDraining() {
        _ = change { $0.isDraining = false }
    }

    // MARK: The end

    /// Stops the service for good; returns the tasks to end, or `nil` when it was stopped before.
    mutating func stop() -> OnStop? {
        let count = count
        switch consume state {
        case .quiet(let work):
            self = Self(count, .stopped)
            return OnStop(checker: work.checker, tasks: work.tasks.map(\.task))
        case .listening(let work, let listening):
            self = Self(count, .stopped)
            return OnStop(listening: listening, checker: work.checker, tasks: work.tasks.map(\.task))
        case .stopped:
            self = Self(count, .stopped)
            return nil
        }
    }
}
