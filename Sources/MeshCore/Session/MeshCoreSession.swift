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
    /// The link that the session talks over.
    public nonisolated let transport: any MeshTransport
    /// The time limits of the session, and its name for the radio.
    public nonisolated let configuration: SessionConfiguration
    /// The clock of every wait.
    public nonisolated let clock: any Clock<Duration>
    /// The executor that handles frames; `nil` for any.
    nonisolated let executor: (any TaskExecutor)?

    /// The time by which limits are kept.
    nonisolated let elapsed: @Sendable () -> Duration
    let turns = SessionTurns()

    private var life = SessionPlan()
    /// The command that waits for its answer, and the alarm at its next limit.
    var exchanges: ExchangePlan
    var alarm = LimitAlarm()
    var known = RadioKnowledge()
    private var dispatcher = EventDispatcher()
    /// The reader of messages that no command asked for.
    var unclaimed: AsyncStream<MessageResult>.Continuation?
    /// The listings that run or wait for their turn.
    var listings = ContactListings()

    /// A session that has not begun. With an executor that its transport is read on, no frame has to change threads.
    public init(
        transport: any MeshTransport, configuration: SessionConfiguration = .default, clock: any Clock<Duration>,
        executor: (any TaskExecutor)? = nil
    ) {
        self.transport = transport
        self.configuration = configuration
        self.clock = clock
        self.executor = executor
        exchanges = ExchangePlan(lateAnswerWindow: configuration.lateAnswerWindow)
        elapsed = clock.stopwatch()
    }

    // MARK: Knowledge

    /// The last information of the radio about itself; `nil` before `start`.
    public var currentSelfInfo: SelfInfo? { known.selfInfo }
    /// The last information about the radio's make; `nil` before `queryDevice`.
    public var deviceInfo: DeviceInfo? { known.deviceInfo }
    /// Commands that the radio has refused as unknown (`unsupportedCmd`) since `start`.
    public var unknownCommands: Set<CommandCode> { known.unknownCommands }
    /// The known part of the radio's contacts.
    public var contacts: ContactCache { known.contacts }
    /// The longest frame that link and radio accept.
    package var frameLimit: Int { known.frameLimit }
    /// The reason why nothing can be sent now; `nil` when it can.
    var obstacle: SessionError? { life.obstacle }

    // MARK: Life

    /// Opens the link unless it is open, begins to read, and introduces us; returns the radio's information.
    ///
    /// When that fails nothing is left running and the link is closed, so that it can be tried again.
    public func start() async throws {
        if obstacle == nil { return }
        await stop()
        do {
            if await !transport.isConnected { try await transport.connect() }
        } catch let error as MeshTransportError {
            throw SessionError.transport(error)
        }
        known.linkFrame = await transport.capabilities.maxFrame
        switch life.open() {
        case .isOpen: return
        case .isLost(let error): throw error
        case .read: break
        }
        dispatcher = EventDispatcher()
        turns.open()
        let frames = await transport.receivedData
        let reader = Task(name: "reader of a session", executorPreference: executor) {
            await self.read(frames)
        }
        guard life.read(with: reader) else {
            reader.cancel()
            throw SessionError.notStarted
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
        guard case .end(let reader) = life.stop() else { return }
        end(.notStarted)
        dispatcher.dispatch(.connectionStateChanged(.disconnected))
        dispatcher.finish()
        reader?.cancel()
        await transport.disconnect()
        await reader?.value
    }

    private func linkEnded() {
        let error = SessionError.connectionLost("the link was closed")
        guard life.lose(error) else { return }
        end(error)
        dispatcher.dispatch(.connectionStateChanged(.disconnected))
    }

    /// Ends all waits.
    private func end(_ error: SessionError) {
        unclaimed?.finish()
        unclaimed = nil
        turns.close(error)
        exchanges.reset()?.fail(error)
        alarm.cancel()
        listings.forget()
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
        // A reader that was cancelled is of an earlier life.
        if !Task.isCancelled { linkEnded() }
    }

    private func received(_ bytes: [UInt8]) {
        guard obstacle == nil else { return }
        let frame = ReceivedFrame(bytes)
        known.note(frame.event)
        dispatcher.dispatch(frame.event)
        offer(frame)
    }
}
