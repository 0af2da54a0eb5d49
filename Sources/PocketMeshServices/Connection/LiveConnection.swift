import MeshCore

/// One connection: all parts on one opened link, which end with it.
@MainActor
final class LiveConnection {
    let generation: UInt64
    let endpoint: RadioEndpoint
    var life = LinkLife()
    /// Work for the connection that is cancelled at its end.
    private var tasks: [Task<Void, Never>] = []

    init(generation: UInt64, endpoint: RadioEndpoint) {
        self.generation = generation
        self.endpoint = endpoint
    }

    /// Runs work until the connection ends.
    func add(_ name: String, _ work: @escaping @MainActor @Sendable () async -> Void) {
        tasks.append(Task(name: name) { await work() })
    }

    /// Notes the loss of the link, and ends every wait for something that needs it.
    func lose(_ error: SessionError) {
        for waiter in life.lose(error) { waiter.bring(.failure(error)) }
    }

    /// Returns when the link has gone, or throws when the waiting task is cancelled.
    func waitForLoss() async throws {
        let once = Once<Void>()
        if life.wait(once) != nil { return }
        do { try await once.take() } catch is SessionError {}
    }

    /// Waits for work that may not end by itself when the link goes; throws when the link goes first.
    func untilLost(_ work: @escaping @MainActor @Sendable () async throws -> Void) async throws {
        let once = Once<Void>()
        if let loss = life.wait(once) { throw loss }
        tasks.append(
            Task(name: "work that needs a link") {
                do {
                    try await work()
                    once.bring(.success(()))
                } catch {
                    once.bring(.failure(error))
                }
            })
        try await once.take()
    }

    func cancelTasks() {
        for task in tasks { task.cancel() }
    }

    /// Returns when all work has ended.
    func waitForTasks() async {
        for task in tasks { await task.value }
        tasks = []
    }
}
