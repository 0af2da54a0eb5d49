public import FoundationEssentials
import Logging

extension SyncCoordinator {
    /// The services that one synchronisation works with.
    struct Parts {
        var deviceID: UUID
        var contacts: any ContactSynchronizing
        var channels: any ChannelSynchronizing
        var polling: any MessagePolling
    }

    /// Brings contacts, channels and messages over, in this order.
    ///
    /// Throws `alreadySyncing` while another runs, `syncFailed`, or `CancellationError`.
    public func performFullSync(
        deviceID: UUID, contactService: any ContactSynchronizing, channelService: any ChannelSynchronizing,
        messagePollingService: any MessagePolling
    ) async throws {
        guard let number = plan.begin() else { throw StackError(.sync, .alreadySyncing) }
        let parts = Parts(
            deviceID: deviceID, contacts: contactService, channels: channelService, polling: messagePollingService)
        let task = Task(name: "synchronisation") { try await run(number, parts) }
        running = task
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Synchronises the connection that is up once more.
    public func performResync() async throws {
        guard let connection else { throw StackError(.sync, .notConnected) }
        let services = connection.services
        try await performFullSync(
            deviceID: connection.deviceID, contactService: services.contactSync, channelService: services.channelSync,
            messagePollingService: services.polling)
    }

    private func run(_ number: Int, _ parts: Parts) async throws {
        let discovery = await connection?.services.discovery
        do {
            while let step = try plan.next(number) {
                switch step {
                case .bring(let phase): try await bring(phase, number, parts)
                case .perform(let effect): await perform(effect, discovery)
                }
            }
            for effect in plan.succeed(number) { await perform(effect) }
        } catch {
            while let effect = plan.close(number) { await perform(effect, discovery) }
            let isCalledOff = error is CancellationError || Task.isCancelled
            let failure = isCalledOff ? nil : plan.meaning(of: error, in: number)
            for effect in plan.fail(number, failure) { await perform(effect) }
            throw failure ?? CancellationError()
        }
    }

    /// Performs an effect of the plan.
    func perform(_ effect: SyncPlan.Effect, _ discovery: (any DiscoverySource)? = nil) async {
        switch effect {
        case .show(let state, let outcome): await show(state, outcome: outcome)
        case .holdRequests: await discovery?.setSyncRunning(true)
        case .releaseRequests: await discovery?.setSyncRunning(false)
        case .beginActivity: events.emit(.syncActivityChanged(isShown: true))
        case .endActivity: events.emit(.syncActivityChanged(isShown: false))
        case .beginBurst:
            await notifier.beginBurst()
            await incoming.beginBurst()
        case .endBurst:
            await incoming.endBurst()
            await notifier.endBurst()
        case .tellContacts: await notifyContactsChanged()
        case .tellConversations: await tellConversations()
        case .serveRequests: serveRequests()
        }
    }

    // MARK: Phases

    private func bring(_ phase: SyncPhase, _ number: Int, _ parts: Parts) async throws {
        try Task.checkCancellation()
        switch phase {
        case .contacts: try await bringContacts(number, parts)
        case .channels: try await bringChannels(number, parts)
        case .messages: try await bringMessages(number, parts)
        }
        try Task.checkCancellation()
    }

    private func bringContacts(_ number: Int, _ parts: Parts) async throws {
        let result = try await parts.contacts.synchronizeContacts(deviceID: parts.deviceID) { [weak self] in
            await self?.report(number, .contacts, $0, $1)
        }
        if !result.isComplete { plan.note(.contacts(received: result.contactsReceived), of: number) }
    }

    private func bringChannels(_ number: Int, _ parts: Parts) async throws {
        let errors = try await parts.channels.synchronizeChannels(deviceID: parts.deviceID) { [weak self] in
            await self?.report(number, .channels, $0, $1)
        }
        if errors.isEmpty { return }
        plan.note(.channels(errors), of: number)
        dependencies.log.warning("slots were not read", metadata: ["slots": "\(errors.count)"])
    }

    private func bringMessages(_ number: Int, _ parts: Parts) async throws {
        do {
            try await parts.polling.pollAllMessages { [weak self] count in
                if SyncPlan.isTold(count) { await self?.report(number, .messages, count, 0) }
            }
        } catch let error as StackError {
            guard case .queueDoesNotEnd = error.reason else { throw error }
            // Asking again would only bring more of it.
            dependencies.log.warning("\(error)")
            plan.note(.messages(error), of: number)
        }
        if await !parts.polling.waitForPendingHandlers(timeout: policy.handlerLimit) {
            dependencies.log.warning("handlers of drained messages have not finished")
        }
    }

    private func report(_ number: Int, _ phase: SyncPhase, _ current: Int, _ total: Int) async {
        if let effect = plan.progress(number, phase, current, total) { await perform(effect) }
    }
}
