public import FoundationEssentials
public import MeshCore

/// Requests messages from the radio's queue and delivers each to its handler.
///
/// The radio forgets a message when it delivers it, so nothing here may lose one. Each is handled before the next is
/// requested, and all drains stand in one line. Messages that the session received without a reader, such as late
/// answers, are handled too. A handler beyond its time limit is left behind: it does not hold up the queue.
///
/// `DrainPlan` decides how far a queue is emptied, `FetchPlan` when it is emptied automatically. This actor waits.
///
/// ```
/// app    --SYNC_NEXT--          handler --SYNC_NEXT--
/// radio               --message--                    --NO_MORE_MESSAGES--
/// ```
public actor MessagePollingService: MessagePolling {
    let session: MeshCoreSession
    let store: PersistenceStore?
    let policy: SyncPolicy
    let dependencies: ServiceDependencies

    /// The events about confirmations and about data on channels.
    public nonisolated let events: StackEvents

    /// The executor of the session: between two messages neither waits for the other's.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }
    public nonisolated var sharedTurn: MeshCoreSession? { session }

    private(set) var intake: MessageIntake?
    /// The intake that was set, without the handlers that come before it.
    private var wired: MessageIntake?
    var foundingHandlers = FoundingMessageHandlers() { didSet { setIntake(wired) } }
    /// The radio of the messages from now on; `nil` while nothing is monitored.
    public internal(set) var deviceID: UUID?
    /// True when the queue is emptied at each call of the radio.
    public var isAutoFetching: Bool { fetchPlan.isFetching }
    var isMonitoring = false
    private var readers: [Task<Void, Never>] = []
    private var subscriptions: [EventDispatcher.Subscription] = []

    /// The end of the line of polls: each waits for the one before.
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
    /// The alarm at the next handler's limit.
    var alarm = LimitAlarm()
    /// The time by which limits are kept.
    let elapsed: @Sendable () -> Duration

    /// Makes the service of one connection: its session, and the store in which messages have their places, if any.
    public init(
        session: MeshCoreSession, store: PersistenceStore?, profile: StackProfile,
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

    /// Begins to listen to the radio. No message is requested before `startAutoFetch` or a poll.
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

    /// Ends the background tasks; they can be started again.
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

    /// Ends everything, also running handlers and the waits for them.
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
