public import Foundation
public import MeshCore

/// The services of one connection: made from its session, wired once, and ended with it.
@MainActor
public final class ServiceContainer {
    public let session: MeshCoreSession
    public let store: any PersistenceStoreProtocol
    public let profile: StackProfile
    public let surroundings: ServiceSurroundings

    // What outlives the connection.
    public let credentials: any CredentialStore
    public let notificationService: NotificationService

    // What it is about.
    public let contactService: ContactService
    public let channelService: ChannelService
    public let advertisementService: AdvertisementService
    public let messagePollingService: MessagePollingService

    public let syncCoordinator: SyncCoordinator

    private var isWired = false
    /// The radio whose events are listened to.
    private(set) var monitoredDeviceID: UUID?

    public init(
        session: MeshCoreSession, store: any PersistenceStoreProtocol, profile: StackProfile = .architectureV2,
        surroundings: ServiceSurroundings, credentials: any CredentialStore, notifications: NotificationService
    ) {
        self.session = session
        self.store = store
        self.profile = profile
        self.surroundings = surroundings
        self.credentials = credentials
        notificationService = notifications
        contactService = ContactService(
            session: session, store: store, profile: profile, surroundings: surroundings)
        channelService = ChannelService(
            session: session, store: store, profile: profile, surroundings: surroundings)
        advertisementService = AdvertisementService(
            session: session, store: store, profile: profile, surroundings: surroundings)
        messagePollingService = MessagePollingService(
            session: session, store: store, profile: profile, surroundings: surroundings)
        syncCoordinator = SyncCoordinator(
            session: session, store: store, profile: profile, surroundings: surroundings, notifier: notifications)
    }

    /// Services over a store in memory that tell nobody anything.
    public static func forTesting(
        session: MeshCoreSession, profile: StackProfile = .architectureV2, surroundings: ServiceSurroundings,
        store: (any PersistenceStoreProtocol)? = nil, sink: any NotificationSink = MemoryNotificationSink()
    ) throws -> ServiceContainer {
        let store = try store ?? PersistenceStore()
        return ServiceContainer(
            session: session, store: store, profile: profile, surroundings: surroundings,
            credentials: MemoryCredentialStore(),
            notifications: NotificationService(sink: sink, settings: store, clock: surroundings.clock))
    }

    // MARK: Before a connection

    /// Opens the store early, so that the first page does not wait for it.
    public static func warmUp(_ store: any PersistenceStoreProtocol) async throws { try await store.warmUp() }

    /// At the start of the process nobody is logged in anywhere; how many sessions said otherwise.
    @discardableResult
    public static func resetRemoteNodeConnections(_ store: any PersistenceStoreProtocol) async throws -> Int {
        try await store.resetAllRemoteNodeSessionConnections()
    }

    // MARK: Wiring

    /// Introduces the services to each other, once.
    public func wireServices() async {
        guard !isWired else { return }
        isWired = true
        let coordinator = syncCoordinator
        await contactService.setContactsChangedHandler { [weak coordinator] _ in
            await coordinator?.notifyContactsChanged()
        }
        await channelService.setChannelUpdateHandler { [weak coordinator] _ in
            await coordinator?.notifyConversationsChanged()
        }
        await advertisementService.setContactUpdatedHandler { [weak coordinator] _ in
            await coordinator?.notifyContactsChanged()
        }
        await advertisementService.setContactDeletedHandler { [weak coordinator] _ in
            await coordinator?.notifyContactsChanged()
        }
    }

    /// The badge shows what is unread of this radio.
    private func countBadge(of deviceID: UUID) {
        let store = store
        notificationService.getBadgeCount = { (try? await store.getTotalUnreadCounts(deviceID: deviceID))?.total ?? 0 }
        notificationService.updateBadgeCount()
    }

    // MARK: Events

    /// Has every service listen to the radio, once.
    public func startEventMonitoring(deviceID: UUID, enableAutoFetch: Bool = true) async {
        guard monitoredDeviceID == nil else { return }
        monitoredDeviceID = deviceID
        countBadge(of: deviceID)
        await advertisementService.startEventMonitoring(deviceID: deviceID)
        await messagePollingService.startEventMonitoring(deviceID: deviceID)
        if enableAutoFetch { await messagePollingService.startAutoFetch(deviceID: deviceID) }
    }

    /// Has nobody listen any more, in the opposite order.
    public func stopEventMonitoring() async {
        guard monitoredDeviceID != nil else { return }
        monitoredDeviceID = nil
        await messagePollingService.stopEventMonitoring()
        await advertisementService.stop()
    }

    // MARK: Life

    /// Takes the connection into use; see `SyncCoordinator.onConnectionEstablished`.
    public func performInitialSync(deviceID: UUID) async throws {
        await wireServices()
        try await syncCoordinator.onConnectionEstablished(deviceID: deviceID, services: self)
    }

    /// Ends every task and every wait of the services.
    public func tearDown() async {
        await syncCoordinator.onDisconnected()
        await stopEventMonitoring()
        await messagePollingService.stop()
        await advertisementService.stop()
        await channelService.stop()
        await contactService.stop()
        await syncCoordinator.stop()
    }
}
