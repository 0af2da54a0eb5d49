import MeshCore

/// The parts that each connection is made from.
struct ConnectionParts {
    let sessionConfiguration: SessionConfiguration
    let makeGraph: ServiceGraphMaker
}

/// The callbacks of a connection manager.
struct ConnectionHooks {
    /// Called when the radio has introduced itself and the services exist, before the first synchronisation.
    var onConnectionReady: (@MainActor () async -> Void)?
    /// Called for each new state, in order.
    var onStateChange: (@MainActor (DeviceConnectionState) -> Void)?
    /// Work that the services outside of connections do once before the first connection.
    var beforeConnecting: (@MainActor () async -> Void)?
}

/// The tasks of a connection manager: of each kind the latest.
struct ConnectionTasks {
    /// The attempts to connect, one after the other.
    var driver: Task<Void, Never>?
    /// The pause before the next attempt.
    var nap: Task<Void, Never>?
    /// The storing of what a restart needs.
    var keeping: Task<Void, Never>?
    /// The restoration of what a restart needs.
    var preparing: Task<Void, any Error>?
}

/// The users that wait for a connection, each of whom is answered once.
struct ConnectionWaiters {
    private var waiting: [(number: Int, outcome: Once<Void>)] = []
    private var count = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a user; returns the number, and the outcome to wait for.
    mutating func add() -> (number: Int, outcome: Once<Void>) {
        count += 1
        waiting.append((count, Once()))
        return waiting[waiting.count - 1]
    }

    mutating func remove(_ number: Int) { waiting.removeAll { $0.number == number } }

    /// Answers all of them.
    mutating func answer(_ result: Result<Void, any Error>) {
        for waiter in waiting { waiter.outcome.bring(result) }
        waiting = []
    }
}
