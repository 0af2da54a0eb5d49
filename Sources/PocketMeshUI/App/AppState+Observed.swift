public import FoundationEssentials
import Observation
public import PocketMeshServices

// The properties that pages read. Machines and groups keep them; each property notifies its own observers.
extension AppState {
    /// Notes that a property was read, and returns its value.
    private func observed<Value>(_ property: KeyPath<AppState, Value>, _ value: Value) -> Value {
        access(keyPath: property)
        return value
    }

    // MARK: Versions

    /// Rises with every new container of services, and when it goes.
    public internal(set) var servicesVersion: Int {
        get { observed(\.servicesVersion, versions.services) }
        set { withMutation(keyPath: \.servicesVersion) { versions.services = newValue } }
    }

    /// Rises whenever contacts have changed.
    public internal(set) var contactsVersion: Int {
        get { observed(\.contactsVersion, versions.contacts) }
        set { withMutation(keyPath: \.contactsVersion) { versions.contacts = newValue } }
    }

    /// Rises whenever conversations have changed.
    public internal(set) var conversationsVersion: Int {
        get { observed(\.conversationsVersion, versions.conversations) }
        set { withMutation(keyPath: \.conversationsVersion) { versions.conversations = newValue } }
    }

    // MARK: Pages

    /// The tab in view.
    public var selectedTab: AppTab {
        get { observed(\.selectedTab, pages.tab) }
        set { withMutation(keyPath: \.selectedTab) { pages.tab = newValue } }
    }

    /// The pages above each tab's first one.
    public var navigation: NavigationState {
        get { observed(\.navigation, pages.path) }
        set { withMutation(keyPath: \.navigation) { pages.path = newValue } }
    }

    /// The conversation to open next, once.
    public var pendingChatContact: ContactDTO? { observed(\.pendingChatContact, pages.chat?.contact) }

    /// The message to show in the conversation that is opened.
    public var pendingMessageID: UUID? { observed(\.pendingMessageID, pages.chat?.messageID) }

    func setPendingChat(_ chat: (contact: ContactDTO, messageID: UUID?)?) {
        withMutation(keyPath: \.pendingChatContact) {
            withMutation(keyPath: \.pendingMessageID) { pages.chat = chat }
        }
    }

    /// The room to open next, once.
    public internal(set) var pendingRoomSession: RemoteNodeSessionDTO? {
        get { observed(\.pendingRoomSession, pages.room) }
        set { withMutation(keyPath: \.pendingRoomSession) { pages.room = newValue } }
    }

    /// True when the page of discovered nodes is to be opened, once.
    public internal(set) var pendingDiscoveryNavigation: Bool {
        get { observed(\.pendingDiscoveryNavigation, pages.isDiscoveryPending) }
        set { withMutation(keyPath: \.pendingDiscoveryNavigation) { pages.isDiscoveryPending = newValue } }
    }

    // MARK: First steps

    /// True when the user has completed the first steps once; kept over restarts.
    public var hasCompletedOnboarding: Bool { observed(\.hasCompletedOnboarding, firstSteps.isOver) }

    /// The step of the first steps that the user has reached.
    public var onboardingStep: OnboardingStep { observed(\.onboardingStep, firstSteps.step) }

    @discardableResult
    func changeFirstSteps<T>(_ body: (inout FirstSteps) -> T) -> T {
        withMutation(keyPath: \.hasCompletedOnboarding) {
            withMutation(keyPath: \.onboardingStep) { body(&firstSteps) }
        }
    }

    // MARK: Connecting

    /// True when a failed connection is to be shown.
    public var showingConnectionFailedAlert: Bool {
        get { observed(\.showingConnectionFailedAlert, attempt.isShown) }
        set { withMutation(keyPath: \.showingConnectionFailedAlert) { attempt.show(newValue) } }
    }

    /// The text about the failed connection.
    public var connectionFailedMessage: ErrorPresentation? { observed(\.connectionFailedMessage, attempt.message) }

    /// The radio to which "try again" leads.
    public var pendingReconnectDeviceID: UUID? { observed(\.pendingReconnectDeviceID, attempt.deviceID) }

    func changeAttempt(_ body: (inout ConnectAttempt) -> Void) {
        withMutation(keyPath: \.showingConnectionFailedAlert) {
            withMutation(keyPath: \.connectionFailedMessage) {
                withMutation(keyPath: \.pendingReconnectDeviceID) { body(&attempt) }
            }
        }
    }

    // MARK: The connection

    /// The radio's battery, as it was read last.
    public internal(set) var deviceBatteryMillivolts: Int? {
        get { observed(\.deviceBatteryMillivolts, wiring.battery) }
        set { withMutation(keyPath: \.deviceBatteryMillivolts) { wiring.note(battery: newValue) } }
    }

    /// The progress of the synchronisation; `nil` when none runs.
    public internal(set) var syncProgress: SyncProgress? {
        get { observed(\.syncProgress, wiring.progress) }
        set { withMutation(keyPath: \.syncProgress) { wiring.note(progress: newValue) } }
    }

    /// True while work that pages show is under way: contacts, channels or a setting. Messages are not among it.
    public var shouldShowSyncingPill: Bool { observed(\.shouldShowSyncingPill, wiring.workCount > 0) }

    /// Returns the number of messages that wait for the radio, in all conversations.
    public func queuedCount() async throws -> Int {
        guard let deviceID else { return 0 }
        return try await store.countPendingMessages(deviceID: deviceID)
    }

    // MARK: The radio

    var shownDeviceID: UUID? {
        get { radio.id }
        set { radio.id = newValue }
    }

    /// The error of the last synchronisation; `nil` once one succeeded.
    public internal(set) var syncFailure: ErrorPresentation? {
        get { observed(\.syncFailure, radio.syncFailure) }
        set { withMutation(keyPath: \.syncFailure) { radio.syncFailure = newValue } }
    }

    /// The quality of the link.
    public internal(set) var linkQuality: LinkQuality {
        get { observed(\.linkQuality, radio.linkQuality) }
        set { withMutation(keyPath: \.linkQuality) { radio.linkQuality = newValue } }
    }

    /// The abilities of the connected radio's firmware.
    public internal(set) var capabilities: Capabilities {
        get { observed(\.capabilities, radio.capabilities) }
        set { withMutation(keyPath: \.capabilities) { radio.capabilities = newValue } }
    }
}
