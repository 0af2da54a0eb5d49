import Foundation
import Logging
public import MeshCore
import MeshPacket

/// Sends texts, tries them again, and learns their outcome.
///
/// A direct message goes through the states of `MessageStatus`, each change compared and set in the store. Messages to
/// one recipient go out in the order of their requests. Few are unconfirmed at a time, because the radio remembers
/// eight.
///
/// `RetryPlan` decides on the next attempt, `ConfirmationLedger` on the message of a confirmation. `SendPlan` decides
/// on the outcome of a failed write, `SpacingPlan` on the distance of texts. This actor waits.
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
    var isStopped = false
    var ledger: ConfirmationLedger
    var echoes = EchoTracker()
    var timestamps = TimestampRegister()
    /// The last path to each contact that was reported.
    var announcedPaths: [UUID: Data] = [:]
    /// Messages whose manual retry is running.
    var retried: Set<UUID> = []
    /// Loops that wait, by message.
    private var sleepers: [(messageID: UUID, continuation: CheckedContinuation<Void, Never>)] = []
    /// Lines of recipients: one message of each is on its way to the radio.
    private var lines: [(recipient: UUID, gate: Gate)] = []
    var spacing = SpacingPlan()
    /// Lets rows be stored in the order in which messages were asked for.
    let storing = Gate(capacity: 1)
    /// The gate that is held while a setting of the radio is temporarily changed.
    let writing = Gate(capacity: 1)
    /// Unconfirmed messages.
    let slots: Gate
    var slotTickets: [UUID: Gate.Ticket] = [:]
    var isDraining = false
    var listeners: [Task<Void, Never>] = []
    var confirmations: AsyncStream<Confirmation>.Continuation?
    var listening = 0
    var checker: Task<Void, Never>?
    private var tasks: [(number: Int, task: Task<Void, Never>)] = []
    private var taskCount = 0

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
        ledger = ConfirmationLedger(
            repeatWindow: profile.messages.repeatWindow, earlyWindow: profile.messages.earlyConfirmationWindow,
            match: profile.messages.confirmationMatch)
        slots = Gate(capacity: profile.messages.maxUnconfirmed)
    }

    // MARK: Life

    /// Ends all that runs; waiting callers receive `notConnected`.
    ///
    /// Unfinished messages stay queued or sent, or fail, as the profile says.
    public func stop() async {
        guard !isStopped else { return }
        isStopped = true
        stopAckExpiryChecking()
        stopEventListening()
        for gate in gates { gate.close(StackError(.messages, .notConnected)) }
        let waiting = sleepers
        sleepers = []
        for sleeper in waiting { sleeper.continuation.resume() }
        let running = tasks.map(\.task)
        tasks = []
        for task in running { task.cancel() }
        for task in running { await task.value }
        echoes.stopAll()
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
                _ = ledger.fail(id, lateUntil: elapsed())
                freeSlot(of: id)
                wake(id)
                events.emit(.messageFailed(messageID: id))
            }
        } catch {
            dependencies.log.error("unfinished messages were not marked as failed: \(error)")
        }
    }

    private var gates: [Gate] { [storing, writing, slots] + lines.map(\.gate) }

    /// The line of a contact or channel.
    func line(_ recipient: UUID) -> Gate {
        if let line = lines.first(where: { $0.recipient == recipient }) { return line.gate }
        let line = Gate(capacity: 1)
        if isStopped { line.close(StackError(.messages, .notConnected)) }
        lines.append((recipient, line))
        return line
    }

    /// Starts a task that ends with the service.
    func keep(_ name: String, _ body: @escaping @Sendable (MessageService) async -> Void) {
        guard !isStopped else { return }
        taskCount += 1
        let number = taskCount
        let task = Task(name: name) { [weak self] in
            guard let self else { return }
            await body(self)
            await self.forget(number)
        }
        tasks.append((number, task))
    }

    private func forget(_ number: Int) { tasks.removeAll { $0.number == number } }

    // MARK: Waiting

    /// Lets time pass; ends early when the message is delivered, the service stops or the caller is cancelled.
    func rest(_ messageID: UUID, for limit: Duration) async {
        guard limit > .zero, !isStopped, !Task.isCancelled, !ledger.isDelivered(messageID) else { return }
        let timer = Task { [weak self, clock = dependencies.clock] in
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            await self?.wake(messageID)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleepers.append((messageID, $0)) }
        } onCancel: {
            Task { await wake(messageID) }
        }
        timer.cancel()
    }

    func wake(_ messageID: UUID) {
        while let index = sleepers.firstIndex(where: { $0.messageID == messageID }) {
            sleepers.remove(at: index).continuation.resume()
        }
    }

    func freeSlot(of messageID: UUID) {
        if let ticket = slotTickets.removeValue(forKey: messageID) { slots.leave(ticket) }
        if let follower = spacing.end(behind: messageID) { wake(follower) }
    }

    func checkRunning() throws {
        if isStopped { throw StackError(.messages, .notConnected) }
        try Task.checkCancellation()
    }
}
