import PocketMeshUI

/// A feature of the user interface of the founding documents: what does it, the test that shows it, and its page.
struct FeatureRow {
    /// The part of the app that does it.
    enum Carrier {
        /// A type, and its member that the page uses; the key is the member's name in the API's answers.
        case type(Any.Type, member: String, key: String)
        /// A script of the pages, and the name that it exports.
        case script(String, name: String)
        /// Nothing, for a reason.
        case none(String)
    }

    /// The test that shows it.
    enum Proof {
        /// The name of a test in Swift.
        case swift(String)
        /// The name of a test of the scripts.
        case script(String)
        /// The name of a case in a browser.
        case browser(String)
    }

    let id: String
    let feature: String
    let carrier: Carrier
    let proof: Proof?
    /// The address of the page; `nil` for members that are for programs in Swift.
    let page: String?
}

extension FeatureRow {
    private init(
        _ id: String, _ feature: String, _ type: Any.Type, _ member: String, as key: String? = nil, _ page: String?,
        _ proof: String
    ) {
        self.init(
            id: id, feature: feature, carrier: .type(type, member: member, key: key ?? member), proof: .swift(proof),
            page: page)
    }

    private init(
        _ id: String, _ feature: String, script: String, _ name: String, _ page: String, _ proof: FeatureRow.Proof
    ) {
        self.init(id: id, feature: feature, carrier: .script(script, name: name), proof: proof, page: page)
    }

    private init(_ id: String, _ feature: String, because reason: String) {
        self.init(id: id, feature: feature, carrier: .none(reason), proof: nil, page: nil)
    }

    /// Every feature, in the order of the documents.
    static let all: [FeatureRow] = [
        FeatureRow("F-0-005", "Observable pattern", AppState.self, "contactsVersion", nil, Named.versions),
        FeatureRow("F-0-006", "Environment-based injection", (any ViewModel).self, "configure", nil, Named.chat),
        FeatureRow("F-0-019", "Conversation enum", Conversation.self, "isFavorite", "chats", Named.list),
        FeatureRow("F-0-020", "NotificationPreferences", SettingField.self, "value", "settings", Named.switches),
        FeatureRow("F-0-036", "State restoration", AppState.self, "initialize", nil, Named.resume),
        FeatureRow(
            "F-0-052", "NotificationService", NotificationLog.self, "presentations", as: "notifications",
            "notifications", Named.reply),
        FeatureRow("F-0-054", "AccessorySetupKitService", FoundDevice.self, "rssi", nil, Named.heard),
        FeatureRow(
            "F-0-055", "ContentView root switch", AppState.self, "hasCompletedOnboarding", as: "isOnboarded",
            AppPages.every, Named.steps),
        FeatureRow("F-0-056", "MainTabView, four tabs", AppTab.self, "contacts", AppPages.every, Named.tabs),
        FeatureRow("F-0-057", "ChatsListView", ChatListViewModel.self, "rows", "chats", Named.list),
        FeatureRow("F-0-058", "ContactsListView", ContactsViewModel.self, "contacts", "contacts", Named.contacts),
        FeatureRow("F-0-059", "MapView", MapViewModel.self, "markers", "map", Named.map),
        FeatureRow("F-0-060", "SettingsView", SettingsViewModel.self, "sections", "settings", Named.settings),
        FeatureRow("F-0-061", "ChatView", ChatViewModel.self, "messages", "chats/:id", Named.chat),
        FeatureRow("F-0-062", "ChannelChatView", ChatViewModel.self, "subtitle", "chats/:id", Named.channels),
        FeatureRow("F-0-063", "ContactDetailView", ContactDetail.self, "fields", "contacts/:id", Named.contacts),
        FeatureRow("F-0-064", "RoomConversationView", RoomConversationViewModel.self, "posts", "rooms/:id", Named.room),
        FeatureRow(
            "F-0-065", "RepeaterStatusView", RepeaterStatusViewModel.self, "status", "repeaters/:id", Named.repeater),
        FeatureRow(
            "F-0-066", "Per-tab navigation stacks", script: "ways.mjs", "Ways", AppPages.every, .script(Named.ways)),
        FeatureRow(
            "F-0-067", "Cross-tab pending navigation", AppState.self, "takeNavigation", as: "route", AppPages.every,
            Named.asked),
        FeatureRow("F-0-068", "ChatViewModel", ChatViewModel.self, "draft", "chats/:id", Named.fail),
        FeatureRow("F-0-069", "ContactsViewModel", ContactsViewModel.self, "discovered", "contacts", Named.contacts),
        FeatureRow("F-0-070", "MapViewModel", MapViewModel.self, "unplaced", "map", Named.place),
        FeatureRow(
            "F-0-071", "PathManagementViewModel", PathManagementViewModel.self, "editedHops", "contacts/:id/path",
            Named.path),
        FeatureRow(
            "F-0-072", "RoomConversationViewModel", RoomConversationViewModel.self, "canPost", "rooms/:id", Named.room),
        FeatureRow(
            "F-0-073", "RepeaterStatusViewModel", RepeaterStatusViewModel.self, "settings", "repeaters/:id",
            Named.administered),
        FeatureRow("F-0-074", "AppState", AppState.self, "linkIndicator", as: "link", AppPages.every, Named.wired),
        FeatureRow("F-0-075", "Sync activity pill state", SyncPill.self, "isShown", AppPages.every, Named.pill),
        FeatureRow(
            "F-0-076", "MessageEventBroadcaster", MessageEventBroadcaster.self, "latestNumber", as: "number",
            AppPages.every, Named.events),
        FeatureRow("F-0-077", "UnifiedMessageBubble", MessageBubble.self, "metadata", "chats/:id", Named.chat),
        FeatureRow("F-0-078", "ChatInputBar", ByteCounter.self, "limit", "chats/:id", Named.long),
        FeatureRow("F-0-079", "MessageTimestampView", MessageTimestamp.self, "isShown", "chats/:id", Named.times),
        FeatureRow(
            "F-0-080", "BLEStatusIndicatorView", LinkIndicator.self, "batteryPercent", AppPages.every, Named.wired),
        FeatureRow("F-0-081", "SyncingPillView", SyncPill.self, "fraction", AppPages.every, Named.pill),
        FeatureRow("F-0-082", "NodeAvatar", NodeAvatar.self, "initials", "contacts", Named.avatar),
        FeatureRow("F-0-083", "ContactAnnotationView", MapMarker.self, "markerType", "map", Named.map),
        FeatureRow("F-0-084", "DeviceInfoSection", SettingsSection.self, "fields", "settings", Named.facts),
        FeatureRow("F-0-085", "NodeSettingsSection", SettingsSection.self, "hasChanges", "settings", Named.settings),
        FeatureRow("F-0-086", "RadioPresetSection", SettingField.self, "options", "settings", Named.radio),
        FeatureRow("F-0-087", "AdvancedRadioSection", SettingField.self, "minimum", "settings", Named.radio),
        FeatureRow("F-0-088", "TelemetrySettingsSection", SettingField.self, "options", "settings", Named.settings),
        FeatureRow("F-0-089", "ContactsSettingsSection", SettingsSection.self, "fields", "settings", Named.syncOptions),
        FeatureRow(
            "F-0-090", "NotificationSettingsSection", SettingsSection.self, "fields", "settings", Named.switches),
        FeatureRow("F-0-091", "BluetoothSection", SettingField.self, "maximum", "settings", Named.facts),
        FeatureRow("F-0-092", "DangerZoneSection", SettingField.self, "confirmation", "settings", Named.restarts),
        FeatureRow("F-0-093", "AboutSection", SettingsSection.self, "fields", "settings", Named.noradio),
        FeatureRow("F-0-094", "NoDeviceSection", SettingsSectionID.self, "noDevice", "settings", Named.noradio),
        FeatureRow("F-0-095", "ErrorAlertModifier", ErrorPresentation.self, "recovery", "chats/:id", Named.errors),
        FeatureRow("F-0-096", "RetryAlertModifier", RetryPresentation.self, "canRetry", "chats/:id", Named.tries),
        FeatureRow("F-0-097", "ChannelOptionsSheet", ChannelOption.self, "label", "chats", Named.again),
        FeatureRow("F-0-098", "JoinPrivateChannelView", ChannelsViewModel.self, "joinPrivate", "chats", Named.channels),
        FeatureRow("F-0-099", "JoinPublicChannelView", ChannelsViewModel.self, "joinPublic", "chats", Named.again),
        FeatureRow("F-0-100", "JoinHashtagChannelView", ChannelsViewModel.self, "joinHashtag", "chats", Named.channels),
        FeatureRow("F-0-101", "ScanChannelQRView", script: "scan.mjs", "look", "chats", .script(Named.codes)),
        FeatureRow(
            "F-0-102", "CreatePrivateChannelView", ChannelsViewModel.self, "createPrivate", "chats", Named.channels),
        FeatureRow("F-0-103", "ChannelInfoSheet", ChannelRow.self, "isPublic", "chats", Named.channels),
        FeatureRow("F-0-104", "PathEditingSheet", PathHop.self, "key", "contacts/:id/path", Named.path),
        FeatureRow("F-0-105", "RadioConfigView", SettingField.self, "maximum", "settings", Named.radio),
        FeatureRow("F-0-106", "DeviceSelectionSheet", DeviceRow.self, "isConnected", "settings", Named.saved),
        FeatureRow("F-0-107", "TrustedContactsPickerView", SettingsViewModel.self, "set", "settings", Named.advanced),
        FeatureRow(
            "F-0-108", "AdvancedSettingsView", SettingsViewModel.self, "loadAdvanced", "settings", Named.advanced),
        FeatureRow("F-0-109", "LocationPickerView", MapViewModel.self, "setOwnPosition", "map", Named.place),
        FeatureRow("F-0-110", "DeviceInfoView", SettingField.self, "kind", "settings", Named.facts),
        FeatureRow(
            "F-0-111", "NodeAuthenticationSheet", LoginPresentation.self, "hasPassword", "repeaters/:id", Named.wrong),
        FeatureRow("F-0-112", "RoomMessageBubble", RoomMessageBubble.self, "author", "rooms/:id", Named.room),
        FeatureRow("F-0-113", "WelcomeView", OnboardingPage.self, "button", "onboarding", Named.steps),
        FeatureRow("F-0-114", "PermissionsView", PermissionState.self, "granted", "onboarding", Named.granted),
        FeatureRow("F-0-115", "DeviceScanView", DevicePickerViewModel.self, "startScan", "onboarding", Named.picker),
        FeatureRow("F-0-116", "KeyboardToolbarModifier", because: "A keyboard on a touch screen belongs to the host."),
        FeatureRow("F-0-117", "ViewExtensions", because: "Helpers of SwiftUI; nothing is drawn here."),
        FeatureRow("F-1-024", "AppState", AppState.self, "connectionState", nil, Named.wired),
        FeatureRow("F-1-025", "MessageEventBroadcaster", EventPresentation.self, "kind", AppPages.every, Named.missed),
        FeatureRow("F-1-026", "SwiftUI and modern APIs", AppState.self, "servicesVersion", nil, Named.wired),
        FeatureRow("F-1-027", "Onboarding flow", OnboardingViewModel.self, "advance", "onboarding", Named.steps),
        FeatureRow("F-1-028", "iMessage-style chat with metadata", MessageBubble.self, "side", "chats/:id", Named.chat),
        FeatureRow("F-1-029", "MapKit integration", MapViewModel.self, "bounds", "map", Named.map),
        FeatureRow(
            "F-2-016", "Sync activity callbacks", AppState.self, "syncPill", as: "pill", AppPages.every, Named.pill),
        FeatureRow("F-2-017", "Pill display rules", SyncPill.self, "text", AppPages.every, Named.pill),
        FeatureRow("F-2-019", "Recovery and manual retry", AppState.self, "syncAgain", AppPages.every, Named.resync),
        FeatureRow(
            "F-2-025", "Message event callbacks", MessageEvent.self, "messageStatusUpdated", "chats/:id", Named.events),
        FeatureRow("F-2-029", "Version counters", AppState.self, "contactsVersion", nil, Named.versions),
        FeatureRow(
            "F-2-030", "Wiring of counters to AppState", AppState.self, "conversationsVersion", nil, Named.versions),
        FeatureRow(
            "F-2-031", "Views observing changes", EventPresentation.self, "conversationID", "chats/:id", Named.follows),
        FeatureRow(
            "F-3-001", "Simple messaging for casual users", script: "onboarding.js", "Devices", "onboarding",
            .browser("few_steps")),
        FeatureRow("F-3-003", "Guided onboarding text", OnboardingPage.self, "paragraphs", "onboarding", Named.steps),
        FeatureRow("F-3-004", "Permission prompts", PermissionRow.self, "text", "onboarding", Named.steps),
        FeatureRow(
            "F-3-005", "PIN entry for pairing", DevicePickerViewModel.self, "pinRequest", "onboarding", Named.picker),
        FeatureRow("F-3-006", "Set public information", SettingsViewModel.self, "save", "settings", Named.settings),
        FeatureRow("F-3-007", "Direct text and emoji, 160 bytes", ByteCounter.self, "limit", "chats/:id", Named.long),
        FeatureRow("F-3-008", "History", ChatViewModel.self, "hasOlder", "chats/:id", Named.pages),
        FeatureRow("F-3-010", "Replies without threading", MessageQuote.self, "sender", "chats/:id", Named.quote),
        FeatureRow(
            "F-3-013", "Create, join and leave a channel", ChannelsViewModel.self, "leave", "chats", Named.channels),
        FeatureRow("F-3-015", "Status indicators", DeliveryStatus.self, "label", "chats/:id", Named.labels),
        FeatureRow(
            "F-3-016", "Offline queue with indicator", AppState.self, "queuedCount", as: "queued", AppPages.every,
            Named.counts),
        FeatureRow("F-3-017", "Delete queued messages", ChatViewModel.self, "deleteQueued", "chats/:id", Named.queue),
        FeatureRow("F-3-020", "Manual adverts", ContactsViewModel.self, "sendAdvert", "contacts", Named.advert),
        FeatureRow("F-3-021", "Adding contacts by itself", SettingField.self, "value", "settings", Named.settings),
        FeatureRow(
            "F-3-022", "Path discovery and trace routing", PathManagementViewModel.self, "beginDiscovery",
            "contacts/:id/path", Named.noway),
        FeatureRow("F-3-024", "Contact list", ContactRow.self, "route", "contacts", Named.contacts),
        FeatureRow(
            "F-3-026", "Configuration of the own radio", SettingsViewModel.self, "save", "settings", Named.radio),
        FeatureRow(
            "F-3-027", "Repeater telemetry and statistics", RepeaterStatusViewModel.self, "telemetry", "repeaters/:id",
            Named.repeater),
        FeatureRow(
            "F-3-028", "Repeater editing", RepeaterStatusViewModel.self, "save", "repeaters/:id", Named.administered),
        FeatureRow(
            "F-3-029", "Repeater clock from the host", RepeaterAction.self, "syncClock", "repeaters/:id", Named.ordered),
        FeatureRow(
            "F-3-030", "Repeater adverts, passwords, reboot", RepeaterStatusViewModel.self, "perform", "repeaters/:id",
            Named.ordered),
        FeatureRow(
            "F-3-031", "Access control list", RepeaterStatusViewModel.self, "setRole", "repeaters/:id",
            Named.administered),
        FeatureRow("F-3-032", "Telemetry modes", SettingField.self, "options", "settings", Named.settings),
        FeatureRow("F-3-033", "Custom variables", SettingField.self, "byteLimit", "settings", Named.firmware),
        FeatureRow(
            "F-3-034", "Trace packets, SNR of each hop", PathManagementViewModel.self, "trace", "contacts/:id/path",
            Named.path),
        FeatureRow(
            "F-3-036", "Notification kinds", NotificationPresentation.self, "actionLabels", "notifications", Named.kinds
        ),
        FeatureRow(
            "F-3-037", "Actionable notifications", NotificationPresentation.self, "actions", AppPages.every, Named.reply
        ),
        FeatureRow("F-3-038", "Map tab, real-time contacts", MapViewModel.self, "kinds", "map", Named.map),
        FeatureRow("F-3-039", "Type-based markers", NodeKind.self, "repeater", "map", Named.map),
        FeatureRow("F-3-040", "30-second cache", MapViewModel.self, "load", "map", Named.map),
        FeatureRow("F-3-041", "User interaction detection", script: "map.js", "MapPage", "map", .browser("dragged")),
        FeatureRow("F-3-042", "Auto-centring", MapBounds.self, "north", "map", Named.map),
        FeatureRow("F-3-044", "Location privacy, opt-in", SettingField.self, "help", "settings", Named.privacy),
        FeatureRow("F-3-045", "Toggles", SettingsViewModel.self, "set", "settings", Named.switches),
        FeatureRow(
            "F-3-048", "Error handling with codes and recovery", ErrorPresentation.self, "code", "chats/:id",
            Named.errors),
        FeatureRow("F-3-050", "Design guidelines", because: "Colours and layout belong to the pages."),
        FeatureRow("F-3-051", "Real-time delivery text", DeliveryStatus.self, "detail", "chats/:id", Named.walk),
        FeatureRow("F-3-052", "Details menu", MessageDetails.self, "way", "chats/:id", Named.way),
        FeatureRow("F-3-053", "Context menu", MessageBubble.self, "actions", "chats/:id", Named.queue),
        FeatureRow(
            "F-3-054", "Adaptive layout", script: "contacts.js", "ContactList", "contacts", .browser("contacts_and_map")
        ),
        FeatureRow("F-3-055", "Accessibility", script: "chats.js", "ChatList", "chats", .browser("keyboard")),
        FeatureRow("F-3-056", "Onboarding flow, 6 steps", OnboardingViewModel.self, "page", "onboarding", Named.steps),
        FeatureRow("F-3-057", "Scan list with name and RSSI", DeviceRow.self, "rssi", "onboarding", Named.picker),
        FeatureRow("F-3-059", "Sending flow", DeliveryStatus.self, "kind", "chats/:id", Named.walk),
        FeatureRow(
            "F-3-061", "Notification tap opens chat at message", AppState.self, "takeNavigation", as: "route",
            AppPages.every, Named.touch),
        FeatureRow("F-3-062", "Radio configuration flow", SettingsViewModel.self, "discard", "settings", Named.radio),
        FeatureRow("F-3-063", "Radio ranges in the form", SettingField.self, "minimum", "settings", Named.ranges),
        FeatureRow(
            "F-3-064", "Advertisement flow", ContactsViewModel.self, "requestDiscovery", "discovery", Named.advert),
        FeatureRow(
            "F-3-069", "Caching mechanisms",
            because: "Absent: the store is what pages are read from; of caches there is that of the map, F-3-040."),
        FeatureRow("F-3-071", "Large histories", ChatViewModel.self, "focusedMessageID", "chats/:id", Named.pages),
        FeatureRow("F-3-072", "Background operation", AppState.self, "clientCount", nil, Named.clients),
        FeatureRow(
            "F-3-073", "State restoration after termination", script: "chats.js", "ChatList", "chats",
            .browser("restored")),
        FeatureRow(
            "F-3-074", "PIN of pairing, apart from logins", DevicePickerViewModel.self, "enterPIN", "onboarding",
            Named.picker),
        FeatureRow("F-3-077", "Degraded mode indicators", LinkIndicator.self, "warnings", AppPages.every, Named.warned),
        FeatureRow(
            "F-3-087", "Minimum firmware versions", SettingsSection.self, "warnings", "settings", Named.firmware),
        FeatureRow("F-3-089", "One table of texts", Texts.self, "table", AppPages.every, Named.language),
        FeatureRow("F-4-003", "Image sharing", ImageTransferProgress.self, "done", "chats/:id", Named.image),
        FeatureRow(
            "F-4-011", "Views react to published state", EventPresentation.self, "messageID", "chats/:id", Named.missed),
        FeatureRow(
            "F-4-013", "Preparation: scale and compress", ChatViewModel.self, "sendImage", "chats/:id", Named.image),
    ]
}

/// The names of the tests, written as they are in their suites.
private enum Named {
    static let administered = "a repeater's settings and rights are changed, or the node says why not"
    static let advanced = "what only the radio knows is read on request, and trusted contacts are chosen"
    static let advert = "adverts, discovery and imports say what they have done"
    static let again = "the channel that everybody has is joined again where it was left"
    static let asked = "of two pages that ask where to go one goes there"
    static let avatar = "a node's mark is the same on every host"
    static let channels = "a channel is created, shared, joined by others, and left"
    static let chat = "a text is sent, acknowledged and answered"
    static let clients = "the app knows how many pages are open"
    static let contacts = "contacts are searched, filtered and changed without a radio"
    static let counts = "the state counts what waits for the radio, and what the icon shows"
    static let errors = "every error has a title, a sentence, a remedy and a code"
    static let events = "each callback of a service is one event, of the right case"
    static let facts = "the radio says what it is, and its number for pairing is set"
    static let fail = "a message that nobody acknowledges fails, and is sent again on request"
    static let firmware = "settings follow the firmware, and have the radio's own variables"
    static let follows = "a page that comes back gets every event after its number, in order, then those that come"
    static let granted = "Bluetooth is there when bluetoothd has an adapter that is on"
    static let heard = "a scan lists radios by their addresses, and says that bluetoothd has ended"
    static let image = "a picture is made small, sent with progress and shown"
    static let kinds = "each kind of notification has its title, its text and its buttons"
    static let labels = "labels of delivery are the five of the seeds"
    static let language = "pages get the table of the language in use"
    static let list = "conversations are sorted by their last message, favourites on top on request"
    static let long = "a text too long stays typed, and says how many bytes too many"
    static let map = "the map has contacts by type, is kept 30 s, and rests while it is moved"
    static let missed = "a client resumes behind a number, and is told what it has missed"
    static let noradio = "without a radio there are no radio's sections"
    static let noway = "a node that nobody reaches has no path"
    static let ordered = "a repeater's clock is set, and it advertises and restarts on request"
    static let pages = "ten thousand messages are read page by page, without a radio"
    static let path = "a path is found with a countdown, edited and reset"
    static let picker = "radios are listed by strength, and one that is new asks for its number"
    static let pill = "the pill shows contacts and settings, and no message"
    static let place = "a node without a place and the own radio are put on the map by hand"
    static let privacy = "a position is given away only where that is switched on"
    static let queue = "without a radio a text waits, can be deleted, and goes out when the radio is back"
    static let quote = "an answer quotes what it answers"
    static let radio = "radio parameters keep to their ranges, and a preset is found again"
    static let ranges = "the preset of the United States is shown and kept within their ranges"
    static let repeater = "a repeater tells its administrator status, neighbours and answers, until the page closes"
    static let reply = "a quick reply is sent, or kept as a draft with a notification"
    static let restarts = "a radio is restarted on request, and erased for its word alone"
    static let resume = "a connection that is wanted is resumed by the next start of the program"
    static let resync = "a radio is read again on request"
    static let room = "a room is joined, read, written and left"
    static let saved = "a radio that was connected is listed, and the first one ends the first steps"
    static let settings = "what was changed is written, read back and shown, and nothing else"
    static let steps = "first steps run in order, are kept when done, and begin anew after a reset"
    static let switches = "switches of notifications and quick replies are kept in the store"
    static let syncOptions = "contacts are read anew on request, and as often as was chosen"
    static let tabs = "tabs have their numbers, and each its own way"
    static let times = "times are grouped by pauses and days"
    static let touch = "touched notifications set what opens next, once"
    static let tries = "a failure offers three tries, and goes with a success or when it was read"
    static let versions = "versions rise with each change, and observers run"
    static let walk = "a text waits, is sent and is acknowledged, in this order"
    static let warned = "a link that is degraded says why"
    static let way = "the details of a message show its attempts, its way over a repeater and its packet"
    static let wired = "services are wired before the first sync, and dropped when they go"
    static let wrong = "a wrong password shows why, and nothing is kept"

    static let codes = "of the codes in a picture the first address of ours counts"
    static let ways = "a tab leads to where it was left, and from within to its first page"
}
