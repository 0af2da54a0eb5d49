import FoundationEssentials
import Logging
public import MeshCore

/// Sends texts, tries them again, and learns their outcome.
///
/// A direct message goes through the states of `MessageStatus`, each change compared and set in the store. Messages to
/// one recipient go out in the order of their requests. Few are unconfirmed at a time, because the radio remembers
/// eight.
///
/// `SendPlan` is the way of one message, with the attempts of `RetryPlan` in it. `ConfirmationLedger` decides on the
/// message of a confirmation, `SpacingPlan` on the distance of texts, and `MessageServiceLife` on the tasks that may
/// run. This actor waits.
///
/// `drainQueue` sends the queue when the connection says that the radio is ready. `MessageOutbox` fills the queue while
/// there is no connection, and so no service.
public actor MessageService {
    let session: MeshCoreSession
    let store: PersistenceStore
    let policy: MessagePolicy
    let dependencies: ServiceDependencies
    /// The events about messages: each delivery or failure once, and each retry.
    public nonisolated let events: StackEvents
    /// Fills the queue.
    public nonisolated let outbox: MessageOutbox
    /// The time since this service was made.
    let elapsed: @Sendable () -> Duration
    let paths: (any PathResetting)?

    var deviceID: UUID?
    /// The tasks that run, and whether any may begin.
    var life = MessageServiceLife()
    var memory: MessageMemory
    var gates: SendingGates
    private var sleepers = MessageSleepers()

    /// Makes the service of one connection: its session, and the store that keeps the results.
    ///
    /// `paths` forgets paths; without it the service asks the radio itself.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), paths: (any PathResetting)? = nil
    ) {
        self.session = session
        self.store = store
        self.dependencies = dependencies
        self.events = events
        self.paths = paths
        policy = profile.messages
        outbox = MessageOutbox(store: store, profile: profile, dependencies: dependencies)
        elapsed = dependencies.clock.stopwatch()
        memory = MessageMemory(policy: profile.messages)
        gates = SendingGates(unconfirmed: profile.messages.maxUnconfirmed)
    }

    // MARK: Life

    /// Ends all that runs; waiting callers receive `notConnected`.
    ///
    /// Unfinished messages stay queued or sent, or fail, as the profile says.
    public func stop() async {
        guard let ended = life.stop() else { return }
        ended.checker?.cancel()
        ended.listening?.cancel()
        gates.close(StackError(.messages, .notConnected))
        sleepers.wakeAll()
        for task in ended.tasks { task.cancel() }
        for task in ended.tasks { await task.value }
        memory.echoes.stopAll()
        if policy.unfinishedSends == .fail { await failAllPendingMessages() }
    }

    /// Ends all that runs, and fails unfinished messages under every profile.
    public func stopAndFailAllPending() async {
        await stop()
        await failAllPendingMessages()
    }

    /// Fails every message of the radio that is on its way or waits for it.
    public func failAllPendingMessages() async {
        guard let deviceID else { return }
        do {
            let failed = try await store.failAllPendingMessages(deviceID: deviceID)
            for id in failed {
                _ = memory.ledger.fail(id, lateUntil: elapsed())
                freeSlot(of: id)
                wake(id)
                events.emit(.messageFailed(messageID: id))
            }
        } catch {
            dependencies.log.error("unfinished messages were not marked as failed: \(error)")
        }
    }

    var isStopped: Bool { life.isStopped }

    /// The line of a contact or channel.
    func line(_ recipient: UUID) -> Gate { gates.line(recipient) }

    /// Starts a task that ends with the service.
    func keep(_ name: String, _ body: @escaping @Sendable (MessageService) async -> Void) {
        life.keep { number in
            Task(name: name) { [weak self] in
                guard let self else { return }
                await body(self)
                await self.forget(number)
            }
        }
    }

    private func forget(_ number: Int) { life.forget(number) }

    // MARK: Waiting

    /// Lets time pass; ends early when the message is delivered, the service stops or the caller is cancelled.
    func rest(_ messageID: UUID, for limit: Duration) async {
        guard limit > .zero, !isStopped, !Task.isCancelled, !memory.ledger.isDelivered(messageID) else { return }
        let timer = Task { [weak self, clock = dependencies.clock] in
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            await self?.wake(messageID)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleepers.add($0, for: messageID) }
        } onCancel: {
            Task { await wake(messageID) }
        }
        timer.cancel()
    }

    func wake(_ messageID: UUID) { sleepers.wake(messageID) }

    func freeSlot(of messageID: UUID) {
        if let follower = gates.free(messageID) { wake(follower) }
    }

    func checkRunning() throws {
        if isStopped { throw StackError(.messages, .notConnected) }
        try Task.checkCancellation()
    }
}
