public import Foundation
public import MeshCore

/// Takes messages off the radio's queue and hands each to whoever it is for.
///
/// The radio forgets a message when it gives it out, so nothing here may lose one: each is handled before the next is
/// asked for, all drains stand in one line, and what the session received without a taker (an answer that came too
/// late) is handled too. A handler that takes longer than the limit is left behind, it does not hold up the queue.
/// How far a queue is emptied decides `DrainPlan`, when it is emptied by itself `FetchPlan`; here is the waiting.
///
/// ```
/// app    --SYNC_NEXT--          handler --SYNC_NEXT--
/// radio               --message--                    --NO_MORE_MESSAGES--
/// ```
public actor MessagePollingService: MessagePolling {
    let session: MeshCoreSession
    let store: PersistenceStore
    let policy: SyncPolicy
    let dependencies: ServiceDependencies

    /// Tells of confirmations, and of data of channels.
    public nonisolated let events: StackEvents

    /// The session's turn is this service's too: between two messages nobody has to wait for the other's.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }
    public nonisolated var sharedTurn: MeshCoreSession? { session }

    private(set) var intake: MessageIntake?
    /// The intake that was set, without the handlers that come before it.
    private var wired: MessageIntake?
    var foundingHandlers = FoundingMessageHandlers() { didSet { setIntake(wired) } }
    /// The radio that what comes now is of; `nil` while nothing is monitored.
    public internal(set) var deviceID: UUID?
    /// Tells whether the queue is emptied when the radio calls.
    public var isAutoFetching: Bool { fetchPlan.isFetching }
    var isMonitoring = false
    private var readers: [Task<Void, Never>] = []
    private var subscriptions: [EventDispatcher.Subscription] = []

    /// The end of the line of those who poll: each waits for the one before.
    var lineEnd: Task<Void, Never>?
    var inLine: [Int: Task<Void, Never>] = [:]
    var lineCount = 0
    var autoDrain: Task<Void, Never>?
    var fetchPlan: FetchPlan
    /// Messages without a taker, with the radio that they came from.
    var unclaimed: [(message: MessageResult, deviceID: UUID)] = []

    /// The queue that is being emptied.
    var current: QueueDrain?
    var drainPlan: DrainPlan

    /// Handlers at work, by their number.
    var handling: [Int: Task<Void, Never>] = [:]
    var handlerCount = 0
    var waiters: [HandlerWaiter] = []
    /// The wait for the limit of whichever handler is next.
    var alarm = LimitAlarm()
    /// The time by which limits are kept.
    let elapsed: @Sendable () -> Duration

    /// Serves one connection: its session, and the store in which what it learns is kept.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents()
    ) {
        self.session = session
        self.store = store
        policy = profile.sync
        fetchPlan = FetchPlan(policy: profile.sync)
        drainPlan = DrainPlan(policy: profile.sync)
        self.dependencies = dependencies
        self.events = events
        elapsed = dependencies.clock.stopwatch()
    }

    public func setIntake(_ intake: MessageIntake?) {
        wired = intake
        self.intake = foundingHandlers.replacing(in: intake)
    }

    // MARK: Life

    /// Begins to listen to the radio. Nothing is taken off its queue before `startAutoFetch` or a poll.
    public func startEventMonitoring(deviceID: UUID) async {
        self.deviceID = deviceID
        guard !isMonitoring else { return }
        isMonitoring = true
        // The next call of the radio replaces one that is not read yet.
        let calls = await session.trackedEvents(filter: .messagesWaiting, bufferSize: 1)
        let acknowledgements = await session.trackedEvents(filter: .anyAcknowledgement, bufferSize: 1000)
        let late = await session.unclaimedMessages()
        guard isMonitoring else { return }
        subscriptions = [calls, acknowledgements]
        readers = [
            Task(name: "calls of a radio") { for await _ in calls.events { radioCalled() } },
            Task(name: "acknowledgements") {
                for await case .acknowledgement(let code, let trip) in acknowledgements.events {
                    events.emit(.acknowledged(code: code, tripTime: trip))
                }
            },
            Task(name: "messages without a taker") { for await message in late { keep(message) } },
        ]
        if let interval = policy.safetyCheck { readers.append(watch(every: interval)) }
    }

    /// Ends what runs beside the calls; it can be begun again.
    public func stopEventMonitoring() async {
        isMonitoring = false
        stopAutoFetch()
        for reader in readers { reader.cancel() }
        readers = []
        let ended = subscriptions
        subscriptions = []
        for subscription in ended { await session.unsubscribe(subscription) }
    }

    public func startAutoFetch(deviceID: UUID) async {
        await startEventMonitoring(deviceID: deviceID)
        if fetchPlan.start(isEndless: drainPlan.isEndless, at: elapsed()) { beginFetching() }
    }

    /// Ends the asking for messages; those that are being handled are handled to their end.
    public func stopAutoFetch() {
        fetchPlan.stop()
    }

    /// Ends everything, also handlers that are at work and those who wait for them.
    public func stop() async {
        await stopEventMonitoring()
        autoDrain?.cancel()
        autoDrain = nil
        fetchPlan.halt()
        for number in inLine.keys.sorted() { inLine[number]?.cancel() }
        for number in handling.keys.sorted() { handling[number]?.cancel() }
        handling = [:]
        wakeWaiters()
        endDrain(throwing: CancellationError())
        alarm.cancel()
        foundingHandlers = FoundingMessageHandlers()
        setIntake(nil)
        unclaimed = []
        deviceID = nil
    }
}
