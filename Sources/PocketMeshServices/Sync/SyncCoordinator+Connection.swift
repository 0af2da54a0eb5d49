public import Foundation
import Logging

extension SyncCoordinator {
    /// Takes a connection into use: handlers, events, contacts, channels, messages, discovery, automatic fetch.
    ///
    /// When the synchronisation fails the connection is used all the same, and the synchronisation is tried again
    /// behind it; this throws the first failure then. When the connection ends meanwhile it throws
    /// `CancellationError`.
    public func onConnectionEstablished(deviceID: UUID, services: any SyncServices) async throws {
        connectionCount += 1
        let number = connectionCount
        connection = Connection(number: number, deviceID: deviceID, services: services)
        await incoming.setConversationsChangedHandler { [weak self] in await self?.notifyConversationsChanged() }
        await incoming.wire(into: services.polling)
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
        if case SyncCoordinatorError.syncFailed = failure { startRetries(number) }
        throw failure
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

    private func startRetries(_ number: Int) {
        retry?.cancel()
        isOwed = true
        retry = Task(name: "retries of a synchronisation") {
            var last = SyncCoordinatorError.notConnected
            for _ in 0..<policy.retries {
                guard (try? await surroundings.clock.sleep(for: policy.retryPause)) != nil,
                    connection?.number == number, isOwed
                else { return }
                do {
                    return try await performResync()
                } catch let error as SyncCoordinatorError {
                    // Somebody else synchronises: what comes of that is as good.
                    if error == .alreadySyncing { return }
                    last = error
                } catch {
                    return
                }
            }
            if connection?.number == number { await onGaveUp?(last) }
        }
    }

    // MARK: Discovery

    private func wireDiscovery(of services: any SyncServices, _ number: Int) async {
        guard let discovery = await services.discovery else { return }
        await discovery.setNewContactDiscoveredHandler { [weak self] name, id in
            await self?.contactDiscovered(name, id)
        }
        await discovery.setContactSyncRequestHandler { [weak self] _ in await self?.contactSyncRequested(number) }
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
            while mustSyncContacts && !Task.isCancelled {
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
            surroundings.log.warning("contacts were not synchronised", metadata: ["error": "\(error)"])
        }
    }
}
