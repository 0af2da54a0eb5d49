import FoundationEssentials
public import MeshCore

/// The services of one connection: made from its session, wired once, and ended with it.
@MainActor
public final class ServiceContainer {
    /// The conversation with the radio.
    public nonisolated let session: MeshCoreSession
    /// The store of everything that the services keep.
    public nonisolated let store: PersistenceStore
    /// The values by which the services decide.
    public nonisolated let profile: StackProfile
    /// The clock, random source, log and other dependencies from outside.
    public nonisolated let dependencies: ServiceDependencies
    /// The events of the services, until they end.
    public nonisolated let events = StackEvents()

    // What outlives the connection.
    /// The store of passwords.
    public nonisolated let credentials: any CredentialStore
    /// The service that decides on notifications.
    public nonisolated let notificationService: NotificationService

    // What it is about.
    /// The contacts.
    public nonisolated let contactService: ContactService
    /// Texts that go out.
    public nonisolated let messageService: MessageService
    /// The channels.
    public nonisolated let channelService: ChannelService
    /// The service that reads and writes the settings of the radio.
    public nonisolated let settingsService: SettingsService
    /// The service for adverts and other news of nodes that the radio receives.
    public nonisolated let advertisementService: AdvertisementService
    /// The service that requests messages from the radio's queue.
    public nonisolated let messagePollingService: MessagePollingService
    /// Questions that need no session with a node.
    public nonisolated let binaryProtocolService: BinaryProtocolService
    /// The nodes whose telemetry is emitted.
    public nonisolated let trustedContacts: TrustedContactsManager
    /// Pictures.
    public nonisolated let imageService: ImageService

    // Other nodes.
    /// Sessions with rooms, repeaters and sensors.
    public nonisolated let remoteNodeService: RemoteNodeService
    /// Administration of repeaters.
    public nonisolated let repeaterAdminService: RepeaterAdminService
    /// Rooms.
    public nonisolated let roomServerService: RoomServerService

    /// The quality of the connection to the mesh, as far as the services notice.
    public nonisolated let linkQuality: LinkQualityWatch

    /// The coordinator of synchronisations.
    public nonisolated let syncCoordinator: SyncCoordinator

    var isWired = false
    /// The radio to which the services listen.
    var monitoredDeviceID: UUID?

    /// Makes the services of one connection; nothing runs before they are wired.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile = .architectureV2,
        dependencies: ServiceDependencies, credentials: any CredentialStore, notifications: NotificationService,
        imageCodec: (any ImageCodec)? = nil
    ) {
        self.session = session
        self.store = store
        self.profile = profile
        self.dependencies = dependencies
        self.credentials = credentials
        notificationService = notifications
        linkQuality = LinkQualityWatch(events)
        // First, because it shows what the others change.
        syncCoordinator = SyncCoordinator(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            notifier: notifications)
        contactService = ContactService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            lists: syncCoordinator)
        messageService = MessageService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            paths: contactService)
        channelService = ChannelService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            lists: syncCoordinator)
        settingsService = SettingsService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            lowBattery: notifications)
        advertisementService = AdvertisementService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            lists: syncCoordinator)
        messagePollingService = MessagePollingService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events)
        imageService = ImageService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            notifier: notifications, codec: imageCodec)
        trustedContacts = TrustedContactsManager(store: store)
        binaryProtocolService = BinaryProtocolService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            trusted: trustedContacts)
        remoteNodeService = RemoteNodeService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            credentials: credentials, contacts: contactService)
        repeaterAdminService = RepeaterAdminService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            remoteNodes: remoteNodeService)
        roomServerService = RoomServerService(
            session: session, store: store, profile: profile, dependencies: dependencies, events: events,
            remoteNodes: remoteNodeService)
    }

    /// Makes services over a store in memory that show no notifications.
    public static func forTesting(
        session: MeshCoreSession, profile: StackProfile = .architectureV2, dependencies: ServiceDependencies,
        store: PersistenceStore? = nil, sink: any NotificationSink = MemoryNotificationSink()
    ) throws -> ServiceContainer {
        let store = try store ?? PersistenceStore()
        return ServiceContainer(
            session: session, store: store, profile: profile, dependencies: dependencies,
            credentials: MemoryCredentialStore(),
            notifications: NotificationService(sink: sink, settings: store, clock: dependencies.clock))
    }

    // MARK: Before a connection

    /// Opens the store early, so that the first page does not wait for it.
    public static func warmUp(_ store: PersistenceStore) async throws { try await store.warmUp() }

    /// Resets all sessions at the start of the process, and returns the number of those that were marked as connected.
    @discardableResult
    public static func resetRemoteNodeConnections(_ store: PersistenceStore) async throws -> Int {
        try await store.resetAllRemoteNodeSessionConnections()
    }
}
