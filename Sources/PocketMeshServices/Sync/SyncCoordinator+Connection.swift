public import FoundationEssentials
import Logging

extension SyncCoordinator {
    /// Makes a connection ready: handlers, events, contacts, channels, messages, discovery, automatic fetch.
    ///
    /// When the synchronisation fails the connection is used all the same, and the synchronisation is tried again
    /// later. This throws the first failure then. Where the profile does not keep such a link the retries come first,
    /// and this throws the last failure. Throws `CancellationError` when the connection ends.
    public func onConnectionEstablished(deviceID: UUID, services: any SyncServices) async throws {
        let number = plan.connect()
        connection = Connection(number: number, deviceID: deviceID, services: services)
        var failure: (any Error)?
        for step in SyncPlan.Beginning.allCases {
            do { try await perform(step, deviceID, services, number) } catch { failure = error }
            try check(number)
        }
        guard let failure else { return }
        switch plan.firstFailed(number, failure) {
        case .nothing: throw failure
        case .retriesBehind:
            retry = Task(name: "retries of a synchronisation") { _ = await retrySync(number) }
            throw failure
        case .retriesFirst:
            if let last = await retrySync(number) { throw last }
            try check(number)
        }
    }

    private func perform(
        _ step: SyncPlan.Beginning, _ deviceID: UUID, _ services: any SyncServices, _ number: Int
    ) async throws {
        switch step {
        case .takeMessages: await wireIncoming(into: services.polling, takers: services.takers)
        case .listen: await services.startEventMonitoring(deviceID: deviceID, enableAutoFetch: false)
        case .synchronise: try await performResync()
        case .heedDiscoveries: await wireDiscovery(of: services, number)
        case .fetchMessages: await services.polling.startAutoFetch(deviceID: deviceID)
        }
    }

    /// Has messages of the radio's queue stored, notified and emitted.
    public func wireIncoming(
        into polling: any MessagePolling, takers: IncomingTakers = IncomingTakers()
    ) async {
        await incoming.wire(into: polling, takers: takers, lists: self)
    }

    private func check(_ number: Int) throws {
        try Task.checkCancellation()
        guard plan.connection == number else { throw CancellationError() }
    }

    /// The link has gone: nothing of its synchronisation is left running or shown.
    public func onDisconnected() async {
        let dropped = plan.disconnect()
        connection = nil
        retry?.cancel()
        retry = nil
        contactSync?.cancel()
        contactSync = nil
        if dropped != nil { running?.cancel() }
        while let effect = plan.hide() { await perform(effect) }
        if let effect = plan.rest { await perform(effect) }
    }

    // MARK: Retries

    /// Synchronises until it succeeds; returns the last failure when every retry has failed, and emits it as well.
    private func retrySync(_ number: Int) async -> StackError? {
        while true {
            switch plan.nextRetry(number) {
            case .needless: return nil
            case .giveUp(let last):
                events.emit(.syncGaveUp(last))
                return last
            case .after(let pause):
                let hasSlept = (try? await dependencies.clock.sleep(for: pause)) != nil
                guard hasSlept, plan.isRetryDue(number) else { return nil }
                do {
                    try await performResync()
                    return nil
                } catch {
                    plan.retryFailed(number, error)
                }
            }
        }
    }

    // MARK: Discovery

    private func wireDiscovery(of services: any SyncServices, _ number: Int) async {
        guard let discovery = await services.discovery else { return }
        await discovery.setDiscoveryTaker(
            DiscoveryTaker(
                newContact: { [weak self] name, id in await self?.contactDiscovered(name, id) },
                contactSync: { [weak self] _ in await self?.contactSyncRequested(number) }))
    }

    private func contactDiscovered(_ name: String, _ id: UUID) async {
        await notifier.postNewContactNotification(contactName: name, contactID: id)
        await notifyContactsChanged()
    }

    private func contactSyncRequested(_ number: Int) {
        plan.request(number)
        serveRequests()
    }

    func serveRequests() {
        guard let connection, plan.beginServing() else { return }
        contactSync = Task(name: "synchronisation of contacts") {
            while !Task.isCancelled, plan.nextRequest() { await syncContacts(of: connection) }
        }
    }

    private func syncContacts(of connection: Connection) async {
        do {
            try await connection.services.contactSync.synchronizeContacts(deviceID: connection.deviceID) { _, _ in }
            await notifyContactsChanged()
        } catch {
            dependencies.log.warning("contacts were not synchronised", metadata: ["error": "\(error)"])
        }
    }
}
