public import Foundation
import PocketMeshServices

// What happens when services come and go.
extension AppState {
    /// The greatest number of events of the services that may wait for the main actor.
    static let eventBuffer = 4096

    /// Connects the services of a new connection to the app, or drops those of one that has gone.
    ///
    /// Called before the first synchronisation, so that nothing of it is missed. More calls for the same services do
    /// nothing.
    public func wireServicesIfConnected() async {
        let container = services
        guard container !== wired else { return }
        endWiring()
        wired = container
        servicesVersion += 1
        if let container, let device = connectedDevice {
            shownDeviceID = device.id
            capabilities = Capabilities(firmware: device.firmwareVersion)
            linkQuality = LinkQuality()
            follow(container)
        }
        messageEventBroadcaster.broadcast(.connectionChanged)
    }

    private func endWiring() {
        wiring?.cancel()
        wiring = nil
        wired?.syncCoordinator.status.onStateChange = nil
        activityCount = 0
        syncProgress = nil
        unsyncedCounts = [:]
        deviceBatteryMillivolts = nil
    }

    private func follow(_ container: ServiceContainer) {
        container.syncCoordinator.status.onStateChange = { [weak self] in self?.syncChanged(to: $0) }
        let subscription = container.events.subscribe(bufferSize: Self.eventBuffer)
        wiring = subscription
        // No `self` while it waits: the state may end before the services do.
        pump = Task(name: "events of the services") { [weak self] in
            for await event in subscription.events { self?.take(event) }
        }
    }

    /// Handles an event of the services; all of them pass here, in order.
    func take(_ event: StackEvent) {
        switch event {
        case .contactListChanged: contactsVersion += 1
        case .conversationListChanged: conversationsVersion += 1
        case .syncActivityChanged(let isShown): activityCount = max(0, activityCount + (isShown ? 1 : -1))
        case .settingsChanged(let device): connectionManager.settingsChanged(to: device)
        case .batteryRead(_, let millivolts): deviceBatteryMillivolts = millivolts
        case .keepAliveAnswered(let session, let unsynced): unsyncedCounts[session] = unsynced.map(Int.init)
        case .messageDelivered(_, let time): linkQuality.noteAnswer(after: .milliseconds(Int64(time)))
        case .messageFailed: linkQuality.noteTimeout()
        case .radioHeard(let rssi, _): linkQuality.note(rssi: rssi)
        case .directMessageReceived(let message, _), .channelMessageReceived(let message, _):
            if let snr = message.snr { linkQuality.note(snr: snr) }
        default: break
        }
        messageEventBroadcaster.broadcast(event)
    }

    func connectionChanged(to state: DeviceConnectionState) {
        if state == .disconnected || state == .connecting {
            Task(name: "end of services") { await wireServicesIfConnected() }
        }
        messageEventBroadcaster.broadcast(.connectionChanged)
    }

    func syncChanged(to state: SyncState) {
        switch state {
        case .idle: syncProgress = nil
        case .syncing(let progress): syncProgress = progress
        case .synced: (syncProgress, syncFailure) = (nil, nil)
        case .failed(let error): (syncProgress, syncFailure) = (nil, ErrorPresentation(error))
        }
        messageEventBroadcaster.broadcast(.syncChanged)
    }

    func showPill() {
        let isShown = activityCount > 0
        if isPillShown != isShown { isPillShown = isShown }
    }

    /// Shows the pill while something is done with the radio that the user waits for: a setting, or a synchronisation.
    public func withSyncActivity<T>(_ body: () async throws -> T) async rethrows -> T {
        let services = wired
        activityCount += 1
        messageEventBroadcaster.broadcast(.syncChanged)
        defer {
            // A connection that has ended meanwhile has set the count back.
            if services === wired { activityCount = max(0, activityCount - 1) }
            messageEventBroadcaster.broadcast(.syncChanged)
        }
        return try await body()
    }

    /// Synchronises contacts and channels again, as a page's refresh.
    public func syncAgain() async throws {
        guard let services else { throw StackError(.sync, .notConnected) }
        try await services.syncCoordinator.performResync()
    }

    /// Synchronises the contacts alone.
    public func syncContacts() async throws {
        guard let deviceID = connectedDevice?.id, let services else { throw StackError(.sync, .notConnected) }
        try await withSyncActivity { _ = try await services.contactService.syncContacts(deviceID: deviceID) }
        contactsVersion += 1
        messageEventBroadcaster.broadcast(.contactsChanged)
    }

    /// Posts that a room has for us, where the radio passes that on; else `nil`.
    public func unsyncedCount(of sessionID: UUID) -> Int? { unsyncedCounts[sessionID] }
}
