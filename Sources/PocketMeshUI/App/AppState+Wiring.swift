import FoundationEssentials
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
        guard container !== wiring.container else { return }
        endWiring()
        if let container { wiring.wire(container) }
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
        withMutation(keyPath: \.syncProgress) {
            withMutation(keyPath: \.deviceBatteryMillivolts) {
                withMutation(keyPath: \.shouldShowSyncingPill) {
                    guard let ended = wiring.unwire() else { return }
                    ended.subscription?.cancel()
                    ended.container.syncCoordinator.status.onStateChange = nil
                }
            }
        }
    }

    private func follow(_ container: ServiceContainer) {
        container.syncCoordinator.status.onStateChange = { [weak self] in self?.syncChanged(to: $0) }
        let subscription = container.events.subscribe(bufferSize: Self.eventBuffer)
        // No `self` while it waits: the state may end before the services do.
        let reader = Task(name: "events of the services") { [weak self] in
            for await event in subscription.events { self?.take(event) }
        }
        wiring.follow(.init(subscription: subscription, task: reader))
    }

    /// Handles an event of the services; all of them pass here, in order.
    func take(_ event: StackEvent) {
        switch event {
        case .contactListChanged: contactsVersion += 1
        case .conversationListChanged: conversationsVersion += 1
        case .syncActivityChanged(let isShown): noteWork(hasBegun: isShown)
        case .settingsChanged(let device): connectionManager.settingsChanged(to: device)
        case .batteryRead(_, let millivolts): deviceBatteryMillivolts = millivolts
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
        // Also the link that came back by itself after an attempt of the user had failed.
        if state == .ready { changeAttempt { $0.succeed() } }
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

    /// Notes that work begins or ends for which the user waits; observers are notified when the pill comes or goes.
    private func noteWork(hasBegun: Bool) {
        let isShown = wiring.workCount > 0
        let willBeShown = wiring.container != nil && (hasBegun || wiring.workCount > 1)
        if isShown == willBeShown { return wiring.note(workBegan: hasBegun) }
        withMutation(keyPath: \.shouldShowSyncingPill) { wiring.note(workBegan: hasBegun) }
    }

    /// Shows the pill while something is done with the radio that the user waits for: a setting, or a synchronisation.
    public func withSyncActivity<T>(_ body: () async throws -> T) async rethrows -> T {
        let services = wiring.container
        noteWork(hasBegun: true)
        messageEventBroadcaster.broadcast(.syncChanged)
        defer {
            // A connection that has ended meanwhile has set the count back.
            if services === wiring.container { noteWork(hasBegun: false) }
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
}
