public import FoundationEssentials
import MeshCompanion
import MeshCore
public import Observation
public import PocketMeshServices

/// The state that all pages share: the connection, the tab in view, the next page to open, and the running work.
///
/// It owns nothing of a connection: when the services change it connects the new ones and drops the old. Everything
/// runs without a page; a page only reads it and calls its functions.
@MainActor @Observable
public final class AppState {
    // MARK: What it is made of

    /// Keeps the radio connected.
    public let connectionManager: ConnectionManager
    /// The service that decides on notifications.
    public let notificationService: NotificationService
    /// The broadcaster of events to pages.
    public let messageEventBroadcaster: MessageEventBroadcaster
    /// The notifications that the user has received, for their page.
    public let notifications: NotificationLog
    /// The services of the host; `nil` where there is no Bluetooth to ask for.
    @ObservationIgnored public let host: (any HostServices)?
    /// The preset of attempts that the program was started with; `nil` for the user's choice.
    @ObservationIgnored let givenRetries: RetryPreset?
    /// The style in which times and numbers are written.
    @ObservationIgnored public let style: PresentationStyle

    // MARK: What it keeps

    /// Pages that are open now.
    public internal(set) var clientCount = 0
    @ObservationIgnored var versions = PageVersions()
    @ObservationIgnored var pages = PagesInView()
    @ObservationIgnored var radio = ShownRadio()
    @ObservationIgnored var attempt = ConnectAttempt()
    @ObservationIgnored var firstSteps = FirstSteps()
    @ObservationIgnored var wiring = ServiceWiring()

    /// The state over a manager. Nothing is connected or read before `initialize()`.
    public convenience init(
        connectionManager: ConnectionManager, notificationService: NotificationService,
        notifications: NotificationLog = NotificationLog(), host: (any HostServices)? = nil,
        style: PresentationStyle = PresentationStyle(), eventCapacity: Int = MessageEventBroadcaster.defaultCapacity
    ) {
        self.init(
            connectionManager: connectionManager, notificationService: notificationService,
            notifications: notifications, host: host, style: style, eventCapacity: eventCapacity, retries: nil)
    }

    init(
        connectionManager: ConnectionManager, notificationService: NotificationService, notifications: NotificationLog,
        host: (any HostServices)?, style: PresentationStyle, eventCapacity: Int, retries: RetryPreset?
    ) {
        givenRetries = retries
        self.connectionManager = connectionManager
        self.notificationService = notificationService
        self.notifications = notifications
        self.host = host
        self.style = style
        messageEventBroadcaster = MessageEventBroadcaster(capacity: eventCapacity)
        notifications.onChange = { [weak self] in self?.messageEventBroadcaster.broadcast(.notificationsChanged) }
        connectionManager.onConnectionReady = { [weak self] in await self?.wireServicesIfConnected() }
        connectionManager.onStateChange = { [weak self] state in self?.connectionChanged(to: state) }
        configureNotificationHandlers()
    }

    // MARK: Pass-through

    /// The state of the connection.
    public var connectionState: DeviceConnectionState { connectionManager.connectionState }
    /// The connected radio.
    public var connectedDevice: DeviceDTO? { connectionManager.connectedDevice }
    /// The services of the connection.
    public var services: ServiceContainer? { connectionManager.container }
    /// The synchronisation of the connection.
    public var syncCoordinator: SyncCoordinator? { services?.syncCoordinator }
    /// The store of everything that the app keeps, readable without a radio too.
    public var store: PersistenceStore { connectionManager.store }
    /// Clock, date and random numbers of the stack.
    public var dependencies: ServiceDependencies { connectionManager.dependencies }
    /// The values by which the services decide.
    public var profile: StackProfile { services?.profile ?? connectionManager.profile }

    /// The radio whose rows are shown: the connected one, else the one that was connected last.
    public var deviceID: UUID? { connectedDevice?.id ?? shownDeviceID ?? connectionManager.lastConnectedDeviceID }

    /// True while the link is being opened.
    public var isConnecting: Bool { connectionState == .connecting }
    /// True while contacts are being synchronised.
    public var isContactsSyncing: Bool { syncProgress?.phase == .contacts }
    /// The number of contacts read, and of all; `nil` while none are synchronised.
    public var contactsSyncProgress: SyncProgress? { isContactsSyncing ? syncProgress : nil }
    /// True when the last synchronisation failed.
    public var syncFailed: Bool { syncFailure != nil }
    /// True while the user waits for something that is read from the radio or written to it.
    public var isLinkBusy: Bool { shouldShowSyncingPill || syncProgress != nil }

    // MARK: Beginning and ending

    /// Reads the stored state, and resumes the radio that was wanted when the program ended.
    ///
    /// Returns without waiting for it.
    public func initialize() async throws {
        let isOver = try await store.setting(forKey: SettingKey.onboarding) == "1"
        changeFirstSteps { steps in
            if isOver { steps.end() } else { steps.restart() }
        }
        shownDeviceID = try await store.fetchActiveDevice()?.id
        let retries = try await store.setting(forKey: SettingKey.retries).flatMap(RetryPreset.init)
        if let retries = givenRetries ?? retries { connectionManager.choose(retries) }
        await notificationService.setup()
        try await connectionManager.activate()
    }

    /// Connects, and keeps the error of a failure for the user.
    public func connect(to endpoint: RadioEndpoint) async throws {
        try await telling(nil) { try await connectionManager.connect(endpoint: endpoint) }
    }

    /// Connects to a known radio where it was reached last.
    public func connect(to deviceID: UUID) async throws {
        try await telling(deviceID) { try await connectionManager.connect(to: deviceID) }
    }

    /// Ends the connection; none is wanted until the next `connect`.
    public func disconnect() async {
        await connectionManager.disconnect()
        await wireServicesIfConnected()
    }

    /// Ends the connection as the end of the program does: the next `initialize` resumes it.
    public func stop() async {
        await connectionManager.stop()
        await wireServicesIfConnected()
        wiring.reader?.cancel()
    }

    /// Notes the course of an attempt to connect, which pages show beside the fields of the address.
    func telling(_ deviceID: UUID?, _ body: () async throws -> Void) async throws {
        changeAttempt { $0.begin(deviceID) }
        do { try await body() } catch {
            if error is CancellationError {
                changeAttempt { $0.callOff() }
                throw error
            }
            let shown = ErrorPresentation(error)
            changeAttempt { $0.fail(shown) }
            messageEventBroadcaster.broadcast(.connectionChanged)
            throw error
        }
        changeAttempt { $0.succeed() }
    }

    /// A page has opened.
    public func handleClientAttached() { clientCount += 1 }

    /// A page has closed. With the last one, no conversation is in view any more.
    public func handleClientDetached() {
        clientCount = max(0, clientCount - 1)
        guard clientCount == 0 else { return }
        notificationService.activeContactID = nil
        notificationService.activeChannelIndex = nil
        notificationService.activeChannelDeviceID = nil
        notificationService.activeRoomSessionID = nil
    }

    /// Goes to the choice of a radio.
    public func startDeviceScan() {
        if !changeFirstSteps({ $0.goToScan() }) {
            selectedTab = .settings
            pages.isNavigationPending = true
        }
        messageEventBroadcaster.broadcast(.navigationRequested)
    }

    /// Reads the radio's battery.
    public func fetchDeviceBattery() async throws {
        guard let services else { throw StackError(.settings, .notConnected) }
        deviceBatteryMillivolts = Int(try await services.settingsService.getBattery().battery)
        messageEventBroadcaster.broadcast(.deviceChanged)
    }

    /// The names of settings in the store. They stay: stores in the field hold them.
    enum SettingKey {
        static let onboarding = "app.hasCompletedOnboarding"
        static let favoritesFirst = "app.favoritesFirst"
        static let quickReplies = "app.quickReplies"
        static let retries = "app.retries"
        /// The name that the user gave a known radio.
        static func deviceName(_ id: UUID) -> String { "device.\(id.uuidString).name" }
    }
}
