public import Foundation
import Logging

extension SyncCoordinator {
    /// Takes a connection into use: handlers, events, contacts, channels, messages, discovery, automatic fetch.
    ///
    /// When the synchronisation fails the connection is used all the same, and the synchronisation is tried again
    /// behind it; this throws the first failure then. Where the profile does not keep such a link the retries come
    /// first, and this throws the last failure. When the connection ends meanwhile it throws `CancellationError`.
    public func onConnectionEstablished(deviceID: UUID, services: any SyncServices) async throws {
        connectionCount += 1
        let number = connectionCount
        connection = Connection(number: number, deviceID: deviceID, services: services)
        await wireIncoming(into: services.polling, takers: services.takers)
        try check(number)
        await services.startEventMonitoring(deviceID: deviceID, enableAutoFetch: false)
        try check(number)
        var failure: (any Error)?
        do { try await performResync() } catch { failure = error }
        try check(number)
        await wireDiscovery(of: services, number)
        try check(number)
        await services.polling.startAutoFetch(deviceID: deviceID)
        try check(number)
        guard let failure else { return }
        guard case .syncFailed = failure.stackReason else { throw failure }
        isOwed = true
        guard policy.keepsLinkAfterFailure else {
            if let last = await retrySync(number) { throw last }
            return try check(number)
        }
        retry = Task(name: "retries of a synchronisation") {
            _ = await retrySync(number)
        }
        throw failure
    }

    /// Has what comes off the radio's queue stored, notified and told.
    public func wireIncoming(
        into polling: any MessagePolling, takers: IncomingTakers = IncomingTakers()
    ) async {
        await incoming.wire(into: polling, takers: takers, lists: self)
    }

    private func check(_ number: Int) throws {
        try Task.checkCancellation()
        guard connection?.number == number else { throw CancellationError() }
    }

    /// The link has gone: nothing of its synchronisation is left running or shown.
    public func onDisconnected() async {
        connection = nil
        retry?.cancel()
        retry = nil
        contactSync?.cancel()
        contactSync = nil
        mustSyncContacts = false
        hasUntoldChanges = false
        let run = running
        running = nil
        run?.task.cancel()
        if let activityOf { await endActivity(activityOf) }
        if let burstOf { await endBurst(burstOf) }
        if running == nil { await show(.idle) }
    }

    // MARK: Retries

    /// Synchronises until it succeeds; the last failure when every retry has failed, which is told as an event too.
    private func retrySync(_ number: Int) async -> StackError? {
        var last: StackError?
        for _ in 0..<policy.retries {
            guard (try? await dependencies.clock.sleep(for: policy.retryPause)) != nil, isOwed,
                connection?.number == number
            else { return nil }
            do {
                try await performResync()
                return nil
            } catch let error where error.stackReason == .alreadySyncing {
                // Somebody else synchronises: what comes of that is as good.
                return nil
            } catch {
                guard let error = error as? StackError else { return nil }
                last = error
            }
        }
        guard connection?.number == number, let last else { return nil }
        events.emit(.syncGaveUp(last))
        return last
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
        await status.noteContactsChanged()
    }

    /// Several requests while one is served are served by one more.
    private func contactSyncRequested(_ number: Int) {
        guard connection?.number == number else { return }
        mustSyncContacts = true
        syncContactsIfAsked()
    }

    func syncContactsIfAsked() {
        guard mustSyncContacts, running == nil, contactSync == nil, let connection else { return }
        contactSync = Task(name: "synchronisation of contacts") {
            while mustSyncContacts && running == nil && !Task.isCancelled {
                mustSyncContacts = false
                await syncContacts(of: connection)
            }
            if !Task.isCancelled { contactSync = nil }
        }
    }

    private func syncContacts(of connection: Connection) async {
        do {
            try await connection.services.contactSync.synchronizeContacts(deviceID: connection.deviceID) { _, _ in }
            await status.noteContactsChanged()
        } catch {
            dependencies.log.warning("contacts were not synchronised", metadata: ["error": "\(error)"])
        }
    }
}
