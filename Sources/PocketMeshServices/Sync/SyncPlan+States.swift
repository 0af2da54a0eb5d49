extension SyncPlan {
    struct Run: Hashable, Sendable {
        let number: Int
        /// The number of steps that were begun.
        var done = 0
        /// The phase that is brought over, or was last.
        var phase: SyncPhase?
        /// The parts that the run goes on without.
        var omissions: [SyncOmission] = []
        /// True when conversations changed during the run, which reports so at its end.
        var hasUntoldChanges = false
    }

    /// The retries due to a connection whose first synchronisation failed.
    struct Debt: Hashable, Sendable {
        var retriesLeft: Int
        var last: StackError
    }

    /// A connection that is up, with the requests for its contacts.
    struct Connection: Hashable, Sendable {
        let number: Int
        var isRequested = false
        var isServing = false
    }

    /// The link of a synchronisation: retries and requests are those of a connection that is up.
    enum Link: ~Copyable {
        case down
        case up(Connection)
        /// The first synchronisation failed, and retries are due.
        case owing(Connection, Debt)
    }

    /// The work of a synchronisation: one run at a time.
    enum Work: ~Copyable {
        case resting
        case running(Run)
    }
}

extension SyncPlan.Link {
    var connection: SyncPlan.Connection? {
        switch self {
        case .down: nil
        case .up(let connection): connection
        case .owing(let connection, _): connection
        }
    }

    var debt: SyncPlan.Debt? {
        switch self {
        case .down: nil
        case .up: nil
        case .owing(_, let debt): debt
        }
    }

    /// A connection is up. Requests that are being served go on.
    mutating func connect(_ number: Int) {
        switch consume self {
        case .down: self = .up(SyncPlan.Connection(number: number))
        case .up(let last): self = .up(last.renewed(number))
        case .owing(let last, _): self = .up(last.renewed(number))
        }
    }

    mutating func disconnect() { self = .down }

    /// Notes that retries are due to a connection; `false` when it is not up.
    mutating func owe(_ debt: SyncPlan.Debt, of number: Int) -> Bool {
        switch consume self {
        case .up(let connection) where connection.number == number:
            self = .owing(connection, debt)
            return true
        case .owing(let connection, _) where connection.number == number:
            self = .owing(connection, debt)
            return true
        case let other:
            self = other
            return false
        }
    }

    /// Returns the next step of the retries of a connection.
    mutating func nextRetry(of number: Int, after pause: Duration) -> SyncPlan.Retry {
        switch consume self {
        case .owing(let connection, var debt) where connection.number == number:
            guard debt.retriesLeft > 0 else {
                self = .up(connection)
                return .giveUp(debt.last)
            }
            debt.retriesLeft -= 1
            self = .owing(connection, debt)
            return .after(pause)
        case let other:
            self = other
            return .needless
        }
    }

    /// A retry has failed.
    mutating func fail(_ error: StackError) {
        switch consume self {
        case .down: self = .down
        case .up(let connection): self = .up(connection)
        case .owing(let connection, let debt):
            self = .owing(connection, SyncPlan.Debt(retriesLeft: debt.retriesLeft, last: error))
        }
    }

    /// No retry is due any more.
    mutating func settle() {
        switch consume self {
        case .down: self = .down
        case .up(let connection): self = .up(connection)
        case .owing(let connection, _): self = .up(connection)
        }
    }

    /// Changes the connection that is up, if any.
    mutating func change(_ change: (inout SyncPlan.Connection) -> Void) {
        switch consume self {
        case .down: self = .down
        case .up(var connection):
            change(&connection)
            self = .up(connection)
        case .owing(var connection, let debt):
            change(&connection)
            self = .owing(connection, debt)
        }
    }
}

extension SyncPlan.Connection {
    fileprivate func renewed(_ number: Int) -> Self {
        Self(number: number, isRequested: isRequested, isServing: isServing)
    }
}

extension SyncPlan.Work {
    var run: SyncPlan.Run? {
        switch self {
        case .resting: nil
        case .running(let run): run
        }
    }

    /// Begins a run; `false` while another is on its way.
    mutating func begin(_ number: Int) -> Bool {
        switch consume self {
        case .resting:
            self = .running(SyncPlan.Run(number: number))
            return true
        case .running(let run):
            self = .running(run)
            return false
        }
    }

    /// Returns the run's next step, which counts as done; `nil` after the last. Throws when the run no longer counts.
    mutating func next(_ number: Int) throws(CancellationError) -> SyncPlan.Step? {
        switch consume self {
        case .running(var run) where run.number == number:
            let step = run.next()
            self = .running(run)
            return step
        case let other:
            self = other
            throw CancellationError()
        }
    }

    /// Ends a run; `nil` when it no longer counts.
    mutating func end(_ number: Int) -> SyncPlan.Run? {
        switch consume self {
        case .running(let run) where run.number == number:
            self = .resting
            return run
        case let other:
            self = other
            return nil
        }
    }

    /// Ends the run on its way, if any, and returns it.
    mutating func drop() -> SyncPlan.Run? {
        switch consume self {
        case .resting:
            self = .resting
            return nil
        case .running(let run):
            self = .resting
            return run
        }
    }

    /// Changes the run on its way, if any.
    mutating func change(_ change: (inout SyncPlan.Run) -> Void) {
        switch consume self {
        case .resting: self = .resting
        case .running(var run):
            change(&run)
            self = .running(run)
        }
    }
}

extension SyncPlan.Run {
    fileprivate mutating func next() -> SyncPlan.Step? {
        guard done < SyncPlan.course.count else { return nil }
        defer { done += 1 }
        let step = SyncPlan.course[done]
        if case .bring(let phase) = step { self.phase = phase }
        return step
    }
}
