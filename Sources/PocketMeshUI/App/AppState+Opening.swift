import FoundationEssentials
public import PocketMeshServices

extension AppState {
    /// The dependencies and settings with which an app is opened.
    public struct Setup: Sendable {
        /// The path of the database; `nil` for one that ends with the program.
        public var database: String?
        /// Makes links to radios.
        public var transports: any TransportMaking
        /// Clock, date, random numbers and log.
        public var dependencies: ServiceDependencies
        /// The values by which the services decide.
        public var profile = StackProfile.architectureV2
        /// The store of passwords; in memory, unless another one is given.
        public var credentials: any CredentialStore = MemoryCredentialStore()
        /// Shows notifications beside the pages, as on a desktop.
        public var desktop: (any NotificationSink)?
        /// Makes pictures small; without one only small JPEG files are sent.
        public var imageCodec: (any ImageCodec)?
        /// Forgets pairings.
        public var bonds: (any BondKeeping)?
        /// The services of the host; `nil` where there is no Bluetooth to ask for.
        public var host: (any HostServices)?
        /// The attempts for a message; `nil` for the user's choice, or the profile's values without one.
        package var retries: RetryPreset?
        /// The style in which times are written.
        public var style = PresentationStyle()

        public init(
            database: String? = nil, transports: any TransportMaking, dependencies: ServiceDependencies
        ) {
            self.database = database
            self.transports = transports
            self.dependencies = dependencies
        }
    }

    /// Opens the database and makes a stack on it; `initialize()` comes next.
    ///
    /// Throws the reason why the file cannot be opened.
    public static func open(_ setup: Setup) throws(StackError) -> AppState {
        let store: PersistenceStore
        if let path = setup.database {
            store = try PersistenceStore(path: path)
        } else {
            store = try PersistenceStore()
        }
        return AppState(store: store, setup: setup)
    }

    /// A stack over a store that is open.
    public convenience init(store: PersistenceStore, setup: Setup) {
        let log = NotificationLog()
        let service = NotificationService(
            sink: PageNotificationSink(log: log, next: setup.desktop), settings: store,
            clock: setup.dependencies.clock)
        let manager = ConnectionManager(
            store: store, transports: setup.transports, profile: setup.profile, dependencies: setup.dependencies,
            credentials: setup.credentials, notifications: service, bonds: setup.bonds, imageCodec: setup.imageCodec)
        self.init(
            connectionManager: manager, notificationService: service, notifications: log, host: setup.host,
            style: setup.style, eventCapacity: MessageEventBroadcaster.defaultCapacity, retries: setup.retries)
    }

    /// Connects to an address such as `tcp://127.0.0.1:5000`; a malformed one counts as a failed attempt.
    public func connect(to address: String) async throws {
        try await telling(nil) { try await connectionManager.connect(endpoint: endpoint(at: address)) }
    }

    /// Forgets the addresses of a radio, and with its data its given name; `nil` for the connected one.
    func forgetDevice(_ deviceID: UUID?, deletingData: Bool = false) async throws {
        if deletingData, let deviceID { try await store.setSetting(nil, forKey: SettingKey.deviceName(deviceID)) }
        try await connectionManager.forgetDevice(deviceID, deletingData: deletingData)
    }

    /// Reads an address as users type it, by the rules of the host.
    func endpoint(at address: String) throws -> RadioEndpoint {
        if let host { return try host.endpoint(at: address) }
        guard let endpoint = RadioEndpoint(address) else {
            throw StackError(.connection, .addressUnknown(address))
        }
        return endpoint
    }

    /// The running time of the app's clock; only differences mean something.
    var uptime: Duration { .seconds(dependencies.now().timeIntervalSince1970) }
}
