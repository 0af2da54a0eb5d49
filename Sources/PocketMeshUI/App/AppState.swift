public import Foundation
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
    /// The style in which times and numbers are written.
    @ObservationIgnored public let style: PresentationStyle

    // MARK: What pages read

    /// Rises with every new container of services, and when it goes.
    public internal(set) var servicesVersion = 0
    /// Rises whenever contacts have changed.
    public internal(set) var contactsVersion = 0
    /// Rises whenever conversations have changed.
    public internal(set) var conversationsVersion = 0
    /// True when a failed connection is to be shown.
    public var showingConnectionFailedAlert = false
    /// The text about the failed connection.
    public internal(set) var connectionFailedMessage: ErrorPresentation?
    /// The radio to which "try again" leads.
    public internal(set) var pendingReconnectDeviceID: UUID?
    /// The radio's battery, as it was read last.
    public internal(set) var deviceBatteryMillivolts: Int?
    /// True when the user has completed the first steps once; kept over restarts.
    public internal(set) var hasCompletedOnboarding = false
    /// The step of the first steps that the user has reached.
    public internal(set) var onboardingStep = OnboardingStep.welcome
    /// The tab in view.
    public var selectedTab = AppTab.chats
    /// The pages above each tab's first one.
    public var navigation = NavigationState()
    /// The conversation to open next, once.
    public internal(set) var pendingChatContact: ContactDTO?
    /// The room to open next, once.
    public internal(set) var pendingRoomSession: RemoteNodeSessionDTO?
    /// True when the page of discovered nodes is to be opened, once.
    public internal(set) var pendingDiscoveryNavigation = false
    /// The message to show in the conversation that is opened.
    public internal(set) var pendingMessageID: UUID?
    /// The progress of the synchronisation; `nil` when none runs.
    public internal(set) var syncProgress: SyncProgress?
    /// The error of the last synchronisation; `nil` once one succeeded.
    public internal(set) var syncFailure: ErrorPresentation?
    /// The quality of the link.
    public internal(set) var linkQuality = LinkQuality()
    /// The abilities of the connected radio's firmware.
    public internal(set) var capabilities = Capabilities()
    /// Pages that are open now.
    public internal(set) var clientCount = 0

    @ObservationIgnored var activityCount = 0 { didSet { showPill() } }
    var isPillShown = false
    @ObservationIgnored var wired: ServiceContainer?
    @ObservationIgnored var wiring: StackEvents.Subscription?
    @ObservationIgnored var pump: Task<Void, Never>?
    @ObservationIgnored var shownDeviceID: UUID?
    @ObservationIgnored var unsyncedCounts: [UUID: Int] = [:]

    /// The state over a manager. Nothing is connected or read before `initialize()`.
    public init(
        connectionManager: ConnectionManager, notificationService: NotificationService,
        notifications: NotificationLog = NotificationLog(), host: (any HostServices)? = nil,
        style: PresentationStyle = PresentationStyle(), eventCapacity: Int = MessageEventBroadcaster.defaultCapacity
    ) {
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
    public var profile: StackProfile { connectionManager.profile }

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
    /// True while work that pages show is under way: contacts, channels or a setting. Messages are not among it.
    public var shouldShowSyncingPill: Bool { isPillShown }
    /// True while the user waits for something that is read from the radio or written to it.
    public var isLinkBusy: Bool { isPillShown || syncProgress != nil }

    // MARK: Beginning and ending

    /// Reads the stored state, and resumes the radio that was wanted when the program ended.
    ///
    /// Returns without waiting for it.
    public func initialize() async throws {
        hasCompletedOnboarding = try await store.setting(forKey: SettingKey.onboarding) == "1"
        onboardingStep = hasCompletedOnboarding ? .done : .welcome
        shownDeviceID = try await store.fetchActiveDevice()?.id
        await notificationService.setup()
        try await connectionManager.activate()
    }

    /// Connects, and keeps the error of a failure for the user.
    public func connect(to endpoint: RadioEndpoint) async throws {
        try await telling { try await connectionManager.connect(endpoint: endpoint) }
    }

    /// Connects to a known radio where it was reached last.
    public func connect(to deviceID: UUID) async throws {
        pendingReconnectDeviceID = deviceID
        try await telling { try await connectionManager.connect(to: deviceID) }
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
        pump?.cancel()
    }

    private func telling(_ body: () async throws -> Void) async throws {
        showingConnectionFailedAlert = false
        do { try await body() } catch {
            if error is CancellationError { throw error }
            let shown = ErrorPresentation(error)
            connectionFailedMessage = shown
            showingConnectionFailedAlert = true
            messageEventBroadcaster.broadcast(.error(shown))
            throw error
        }
        connectionFailedMessage = nil
        pendingReconnectDeviceID = nil
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
        if hasCompletedOnboarding { selectedTab = .settings } else { onboardingStep = .deviceScan }
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
    }
}
