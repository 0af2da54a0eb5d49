public import MeshCompanion
import MeshWire

/// A conversation with one radio over one transport.
///
/// Commands go out one after the other. Each keeps its turn until its answer or its time limit, also when its caller
/// has gone, so no answer ever reaches another command. The table of `MeshCompanion` lists the frames that can be an
/// answer; `ExchangePlan` decides which of them are late. Every frame is an event as well.
///
/// ```
/// app    --GET_CHANNEL 3--      --GET_BATT--
/// radio            --ADVERT----CHANNEL_INFO 3--    --BATT--
///                   an event   the answer, and an event
/// ```
public actor MeshCoreSession {
    enum Phase {
        case stopped
        case running
        /// The link has gone; `stop` or `start` go on from here.
        case lost(SessionError)
    }

    /// The link that the session talks over.
    public nonisolated let transport: any MeshTransport
    /// The time limits of the session, and its name for the radio.
    public nonisolated let configuration: SessionConfiguration
    /// The clock of every wait.
    public nonisolated let clock: any Clock<Duration>
    /// The executor that handles frames and empties the queue; `nil` for any.
    nonisolated let executor: (any TaskExecutor)?

    /// The last information of the radio about itself; `nil` before `start`.
    public internal(set) var currentSelfInfo: SelfInfo?
    /// The last information about the radio's make; `nil` before `queryDevice`.
    public internal(set) var deviceInfo: DeviceInfo?
    /// Commands that the radio has refused as unknown (`unsupportedCmd`) since `start`.
    public internal(set) var unknownCommands: Set<CommandCode> = []
    /// The known part of the radio's contacts.
    public internal(set) var contacts = ContactCache()
    /// The acknowledgements that came, also before a caller waited for them.
    var acknowledgements = AcknowledgementLog()

    var phase = Phase.stopped
    private var dispatcher = EventDispatcher()
    private var reader: Task<Void, Never>?
    private var maxFrame = CompanionLimits.frame

    var exchange: Exchange?
    var exchangePlan: ExchangePlan
    var exchangeCount = 0
    /// The alarm at the exchange's next limit.
    var alarm = LimitAlarm()
    /// The time by which limits are kept.
    nonisolated let elapsed: @Sendable () -> Duration
    let turns = AsyncSemaphore()
    /// The radio keeps one request to the mesh at a time.
    let meshRequests = AsyncSemaphore()
    /// Settings that are read, changed and written.
    let settingChanges = AsyncSemaphore()
    let signing = AsyncSemaphore()
    var fetching = MessageFetching()
    var unclaimed: AsyncStream<MessageResult>.Continuation?
    /// The listings that run or wait for their turn, while a caller waits for them.
    var listings: [ContactListingTask] = []
    var listingCount = 0

    /// A session that has not begun. With an executor that its transport is read on, no frame has to change threads.
    public init(
        transport: any MeshTransport, configuration: SessionConfiguration = .default, clock: any Clock<Duration>,
        executor: (any TaskExecutor)? = nil
    ) {
        self.transport = transport
        self.configuration = configuration
        self.clock = clock
        self.executor = executor
        exchangePlan = ExchangePlan(lateAnswerWindow: configuration.lateAnswerWindow)
        elapsed = clock.stopwatch()
    }

    // MARK: Life

    /// Opens the link unless it is open, begins to read, and introduces us; returns the radio's information.
    ///
    /// When that fails nothing is left running and the link is closed, so that it can be tried again.
    public func start() async throws {
        if case .running = phase { return }
        await stop()
        do {
            if await !transport.isConnected { try await transport.connect() }
        } catch let error as MeshTransportError {
            throw SessionError.transport(error)
        }
        maxFrame = await transport.capabilities.maxFrame
        dispatcher = EventDispatcher()
        for semaphore in semaphores { semaphore.open() }
        phase = .running
        let frames = await transport.receivedData
        reader = Task(name: "reader of a session", executorPreference: executor) {
            await self.read(frames)
        }
        dispatcher.dispatch(.connectionStateChanged(.connected))
        do {
            _ = try await sendAppStart()
        } catch {
            await stop()
            throw error
        }
    }

    /// Ends every stream and every wait, and closes the link.
    public func stop() async {
        guard reader != nil || exchange != nil else {
            phase = .stopped
            return
        }
        end(.notStarted)
        phase = .stopped
        dispatcher.dispatch(.connectionStateChanged(.disconnected))
        dispatcher.finish()
        let reading = reader
        reader = nil
        reading?.cancel()
        await transport.disconnect()
        await reading?.value
    }

    private var semaphores: [AsyncSemaphore] { [turns, meshRequests, settingChanges, signing] }

    private func linkEnded() {
        guard case .running = phase else { return }
        let error = SessionError.connectionLost("the link was closed")
        phase = .lost(error)
        end(error)
        dispatcher.dispatch(.connectionStateChanged(.disconnected))
    }

    /// Ends all waits.
    private func end(_ error: SessionError) {
        fetching.end()
        unclaimed?.finish()
        unclaimed = nil
        for semaphore in semaphores { semaphore.close(error) }
        if let exchange {
            self.exchange = nil
            exchange.fail(error)
        }
        alarm.cancel()
        exchangePlan = ExchangePlan(lateAnswerWindow: configuration.lateAnswerWindow)
        listings = []
    }

    /// The reason why nothing can be sent now; `nil` when it can.
    var obstacle: SessionError? {
        switch phase {
        case .running: nil
        case .stopped: .notStarted
        case .lost(let error): error
        }
    }

    /// The longest frame that link and radio accept: firmware before 1.16 cuts or drops longer ones than 172 bytes.
    ///
    /// Source: FirmwareVersions, FWV-170.
    package var frameLimit: Int {
        guard let level = deviceInfo?.firmwareVersionCode else { return maxFrame }
        return min(maxFrame, FirmwareVersion.switches(ofLevel: level).frameLimit)
    }

    // MARK: Events

    /// All events from now on. A late reader loses the oldest of more than a hundred.
    public func events() -> AsyncStream<MeshEvent> { dispatcher.subscribe() }

    /// The events from now on that the filter lets through.
    public func events(filter: EventFilter) -> AsyncStream<MeshEvent> { dispatcher.subscribe(filter) }

    /// Events with a count of those that were lost.
    public func trackedEvents(
        filter: EventFilter? = nil, bufferSize: Int = EventDispatcher.bufferSize
    ) -> EventDispatcher.Subscription {
        dispatcher.subscribeTracked(filter, bufferSize: bufferSize)
    }

    /// Ends a subscription's stream after the events in its buffer.
    public func unsubscribe(_ subscription: EventDispatcher.Subscription) {
        subscription.cancel()
    }

    /// The number of open streams.
    public var subscriberCount: Int { dispatcher.subscriberCount }

    /// The next event that the filter lets through; `nil` exactly at the limit.
    public func waitForEvent(filter: EventFilter, timeout: Duration? = nil) async -> MeshEvent? {
        await clock.first(in: events(filter: filter), within: timeout ?? configuration.defaultTimeout) { $0 }
    }

    /// Returns the match's value for the next event that it accepts; `nil` exactly at the limit.
    public func waitForEvent<T: Sendable>(
        timeout: Duration? = nil, matching match: @escaping @Sendable (MeshEvent) -> T?
    ) async -> T? {
        let filter = EventFilter { match($0) != nil }
        return await clock.first(
            in: events(filter: filter), within: timeout ?? configuration.defaultTimeout, match)
    }

    // MARK: Receiving

    private func read(_ frames: AsyncStream<[UInt8]>) async {
        for await frame in frames { received(frame) }
        linkEnded()
    }

    private func received(_ bytes: [UInt8]) {
        guard case .running = phase else { return }
        let frame = ReceivedFrame(bytes)
        note(frame.event)
        dispatcher.dispatch(frame.event)
        offer(frame)
    }

    private func note(_ event: MeshEvent) {
        switch event {
        case .selfInfo(let info): currentSelfInfo = info
        case .deviceInfo(let info): deviceInfo = info
        case .acknowledgement(let code, let trip): acknowledgements.note(code, trip)
        case .messagesWaiting: messagesAreWaiting()
        default: contacts.note(event)
        }
    }
}
