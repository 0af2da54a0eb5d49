import PocketMeshUI

/// A feature of the user interface of the founding documents: its type, the test that shows it, and its page.
struct FeatureRow {
    let id: String
    let feature: String
    /// The type that implements it; `nil` where no type of this module does.
    let type: Any.Type?
    /// The name of the test, or the reason why there is no type.
    let proof: String
    let page: String
}

extension FeatureRow {
    private init(_ id: String, _ feature: String, _ type: Any.Type?, _ proof: String, _ page: String) {
        (self.id, self.feature, self.type, self.proof, self.page) = (id, feature, type, proof, page)
    }

    /// The pages of the app.
    static let pages = [
        "chats", "chat", "contacts", "contact", "map", "channels", "room", "repeater", "settings", "onboarding",
        "notifications",
    ]

    /// Every feature, in the order of the documents.
    static let all: [FeatureRow] = [
        FeatureRow("F-0-005", "Observable pattern", AppState.self, Proof.versions, "chats"),
        FeatureRow("F-0-006", "Environment-based injection", (any ViewModel).self, Proof.chat, "chats"),
        FeatureRow("F-0-019", "Conversation enum", Conversation.self, Proof.list, "chats"),
        FeatureRow("F-0-036", "State restoration", AppState.self, Proof.resume, "settings"),
        FeatureRow("F-0-052", "NotificationService", NotificationLog.self, Proof.reply, "notifications"),
        FeatureRow("F-0-054", "AccessorySetupKitService", DevicePickerViewModel.self, Proof.picker, "onboarding"),
        FeatureRow("F-0-055", "ContentView root switch", OnboardingStep.self, Proof.steps, "onboarding"),
        FeatureRow("F-0-056", "MainTabView, four tabs", AppTab.self, Proof.tabs, "chats"),
        FeatureRow("F-0-057", "ChatsListView", ChatListViewModel.self, Proof.list, "chats"),
        FeatureRow("F-0-058", "ContactsListView", ContactsViewModel.self, Proof.contacts, "contacts"),
        FeatureRow("F-0-059", "MapView", MapViewModel.self, Proof.map, "map"),
        FeatureRow("F-0-060", "SettingsView", SettingsViewModel.self, Proof.settings, "settings"),
        FeatureRow("F-0-061", "ChatView", ChatViewModel.self, Proof.chat, "chat"),
        FeatureRow("F-0-062", "ChannelChatView", ChatViewModel.self, Proof.channels, "chat"),
        FeatureRow("F-0-063", "ContactDetailView", ContactDetail.self, Proof.contacts, "contact"),
        FeatureRow("F-0-064", "RoomConversationView", RoomConversationViewModel.self, Proof.room, "room"),
        FeatureRow("F-0-065", "RepeaterStatusView", RepeaterStatusViewModel.self, Proof.repeater, "repeater"),
        FeatureRow("F-0-066", "Per-tab navigation stacks", NavigationState.self, Proof.tabs, "chats"),
        FeatureRow("F-0-067", "Cross-tab pending navigation", AppState.self, Proof.touch, "chats"),
        FeatureRow("F-0-068", "ChatViewModel", ChatViewModel.self, Proof.fail, "chat"),
        FeatureRow("F-0-069", "ContactsViewModel", ContactsViewModel.self, Proof.contacts, "contacts"),
        FeatureRow("F-0-070", "MapViewModel", MapViewModel.self, Proof.map, "map"),
        FeatureRow("F-0-071", "PathManagementViewModel", PathManagementViewModel.self, Proof.path, "contact"),
        FeatureRow("F-0-072", "RoomConversationViewModel", RoomConversationViewModel.self, Proof.room, "room"),
        FeatureRow("F-0-073", "RepeaterStatusViewModel", RepeaterStatusViewModel.self, Proof.administered, "repeater"),
        FeatureRow("F-0-074", "AppState", AppState.self, Proof.wired, "chats"),
        FeatureRow("F-0-075", "Sync activity pill state", SyncPill.self, Proof.pill, "chats"),
        FeatureRow("F-0-076", "MessageEventBroadcaster", MessageEventBroadcaster.self, Proof.events, "chats"),
        FeatureRow("F-0-077", "UnifiedMessageBubble", MessageBubble.self, Proof.chat, "chat"),
        FeatureRow("F-0-078", "ChatInputBar", ByteCounter.self, Proof.long, "chat"),
        FeatureRow("F-0-079", "MessageTimestampView", MessageTimestamp.self, Proof.times, "chat"),
        FeatureRow("F-0-080", "BLEStatusIndicatorView", LinkIndicator.self, Proof.wired, "chats"),
        FeatureRow("F-0-081", "SyncingPillView", SyncPill.self, Proof.pill, "chats"),
        FeatureRow("F-0-082", "NodeAvatar", NodeAvatar.self, Proof.avatar, "contacts"),
        FeatureRow("F-0-083", "ContactAnnotationView", MapMarker.self, Proof.map, "map"),
        FeatureRow("F-0-084", "DeviceInfoSection", SettingsSection.self, Proof.settings, "settings"),
        FeatureRow("F-0-085", "NodeSettingsSection", SettingsSection.self, Proof.settings, "settings"),
        FeatureRow("F-0-086", "RadioPresetSection", SettingsSection.self, Proof.radio, "settings"),
        FeatureRow("F-0-087", "AdvancedRadioSection", SettingsSection.self, Proof.radio, "settings"),
        FeatureRow("F-0-088", "TelemetrySettingsSection", SettingsSection.self, Proof.settings, "settings"),
        FeatureRow("F-0-089", "ContactsSettingsSection", SettingsSection.self, Proof.syncOptions, "settings"),
        FeatureRow("F-0-090", "NotificationSettingsSection", SettingsSection.self, Proof.switches, "settings"),
        FeatureRow("F-0-091", "BluetoothSection", SettingsSection.self, Proof.settings, "settings"),
        FeatureRow("F-0-092", "DangerZoneSection", SettingsSection.self, Proof.danger, "settings"),
        FeatureRow("F-0-093", "AboutSection", SettingsSection.self, Proof.noradio, "settings"),
        FeatureRow("F-0-094", "NoDeviceSection", SettingsSection.self, Proof.noradio, "settings"),
        FeatureRow("F-0-095", "ErrorAlertModifier", ErrorPresentation.self, Proof.errors, "chat"),
        FeatureRow("F-0-096", "RetryAlertModifier", RetryPresentation.self, Proof.retry, "chat"),
        FeatureRow("F-0-097", "ChannelOptionsSheet", ChannelOption.self, Proof.channels, "channels"),
        FeatureRow("F-0-098", "JoinPrivateChannelView", ChannelsViewModel.self, Proof.channels, "channels"),
        FeatureRow("F-0-099", "JoinPublicChannelView", ChannelsViewModel.self, Proof.channels, "channels"),
        FeatureRow("F-0-100", "JoinHashtagChannelView", ChannelsViewModel.self, Proof.channels, "channels"),
        FeatureRow("F-0-101", "ScanChannelQRView", ChannelsViewModel.self, Proof.channels, "channels"),
        FeatureRow("F-0-102", "CreatePrivateChannelView", ChannelsViewModel.self, Proof.channels, "channels"),
        FeatureRow("F-0-103", "ChannelInfoSheet", ChannelRow.self, Proof.channels, "channels"),
        FeatureRow("F-0-104", "PathEditingSheet", PathHop.self, Proof.path, "contact"),
        FeatureRow("F-0-105", "RadioConfigView", SettingField.self, Proof.radio, "settings"),
        FeatureRow("F-0-106", "DeviceSelectionSheet", DeviceRow.self, Proof.saved, "settings"),
        FeatureRow("F-0-107", "TrustedContactsPickerView", SettingsViewModel.self, Proof.advanced, "settings"),
        FeatureRow("F-0-108", "AdvancedSettingsView", SettingsViewModel.self, Proof.advanced, "settings"),
        FeatureRow("F-0-109", "LocationPickerView", MapViewModel.self, Proof.place, "map"),
        FeatureRow("F-0-110", "DeviceInfoView", SettingsSection.self, Proof.settings, "settings"),
        FeatureRow("F-0-111", "NodeAuthenticationSheet", LoginPresentation.self, Proof.wrong, "repeater"),
        FeatureRow("F-0-112", "RoomMessageBubble", RoomMessageBubble.self, Proof.room, "room"),
        FeatureRow("F-0-113", "WelcomeView", OnboardingPage.self, Proof.steps, "onboarding"),
        FeatureRow("F-0-114", "PermissionsView", PermissionRow.self, Proof.steps, "onboarding"),
        FeatureRow("F-0-115", "DeviceScanView", DevicePickerViewModel.self, Proof.picker, "onboarding"),
        FeatureRow(
            "F-0-116", "KeyboardToolbarModifier", nil, "A keyboard on a touch screen belongs to the host.", "chat"),
        FeatureRow("F-0-117", "ViewExtensions", nil, "Helpers of SwiftUI; nothing is drawn here.", "chat"),
        FeatureRow("F-1-024", "AppState", AppState.self, Proof.wired, "chats"),
        FeatureRow("F-1-025", "MessageEventBroadcaster", MessageEventBroadcaster.self, Proof.events, "chats"),
        FeatureRow("F-1-026", "SwiftUI and modern APIs", (any ViewModel).self, Proof.versions, "chats"),
        FeatureRow("F-1-027", "Onboarding flow", OnboardingViewModel.self, Proof.steps, "onboarding"),
        FeatureRow("F-1-028", "iMessage-style chat with metadata", MessageBubble.self, Proof.chat, "chat"),
        FeatureRow("F-1-029", "MapKit integration", MapViewModel.self, Proof.map, "map"),
        FeatureRow("F-2-016", "Sync activity callbacks", AppState.self, Proof.pill, "chats"),
        FeatureRow("F-2-017", "Pill display rules", SyncPill.self, Proof.pill, "chats"),
        FeatureRow("F-2-025", "Message event callbacks", MessageEvent.self, Proof.events, "chats"),
        FeatureRow("F-2-029", "Version counters", AppState.self, Proof.versions, "chats"),
        FeatureRow("F-2-030", "Wiring of counters to AppState", AppState.self, Proof.versions, "chats"),
        FeatureRow("F-2-031", "Views observing changes", AppState.self, Proof.versions, "chats"),
        FeatureRow("F-3-003", "Guided onboarding text", OnboardingPage.self, Proof.steps, "onboarding"),
        FeatureRow("F-3-004", "Permission prompts", PermissionRow.self, Proof.steps, "onboarding"),
        FeatureRow("F-3-005", "PIN entry for pairing", DevicePickerViewModel.self, Proof.picker, "onboarding"),
        FeatureRow("F-3-006", "Set public information", SettingsViewModel.self, Proof.settings, "settings"),
        FeatureRow("F-3-007", "Direct text and emoji, 160 bytes", ByteCounter.self, Proof.long, "chat"),
        FeatureRow("F-3-008", "History", ChatViewModel.self, Proof.pages, "chat"),
        FeatureRow("F-3-010", "Replies without threading", MessageQuote.self, Proof.quote, "chat"),
        FeatureRow("F-3-013", "Create, join and leave a channel", ChannelsViewModel.self, Proof.channels, "channels"),
        FeatureRow("F-3-015", "Status indicators", DeliveryStatus.self, Proof.labels, "chat"),
        FeatureRow("F-3-016", "Offline queue with indicator", ChatViewModel.self, Proof.queue, "chat"),
        FeatureRow("F-3-017", "Delete queued messages", MessageAction.self, Proof.queue, "chat"),
        FeatureRow("F-3-020", "Manual adverts", ContactsViewModel.self, Proof.advert, "contacts"),
        FeatureRow("F-3-022", "Path discovery and trace routing", PathDiscoveryResult.self, Proof.path, "contact"),
        FeatureRow("F-3-024", "Contact list", ContactRow.self, Proof.contacts, "contacts"),
        FeatureRow("F-3-036", "Notification kinds", NotificationPresentation.self, Proof.reply, "notifications"),
        FeatureRow("F-3-037", "Actionable notifications", NotificationLog.self, Proof.desktop, "notifications"),
        FeatureRow("F-3-038", "Map tab, real-time contacts", MapViewModel.self, Proof.map, "map"),
        FeatureRow("F-3-039", "Type-based markers", NodeKind.self, Proof.map, "map"),
        FeatureRow("F-3-040", "30-second cache", MapViewModel.self, Proof.map, "map"),
        FeatureRow("F-3-041", "User interaction detection", MapViewModel.self, Proof.map, "map"),
        FeatureRow("F-3-042", "Auto-centring", MapBounds.self, Proof.map, "map"),
        FeatureRow("F-3-045", "Toggles", SettingsViewModel.self, Proof.switches, "settings"),
        FeatureRow("F-3-048", "Error handling with codes and recovery", ErrorPresentation.self, Proof.errors, "chat"),
        FeatureRow("F-3-050", "Design guidelines", nil, "Colours and layout belong to the pages.", "chats"),
        FeatureRow("F-3-051", "Real-time delivery text", DeliveryStatus.self, Proof.labels, "chat"),
        FeatureRow("F-3-052", "Details menu", MessageDetails.self, Proof.way, "chat"),
        FeatureRow("F-3-053", "Context menu", MessageAction.self, Proof.queue, "chat"),
        FeatureRow("F-3-054", "Adaptive layout", nil, "The width of a screen belongs to the pages.", "chats"),
        FeatureRow("F-3-055", "Accessibility", TextKey.self, Proof.keys, "chats"),
        FeatureRow("F-3-056", "Onboarding flow, 6 steps", OnboardingViewModel.self, Proof.steps, "onboarding"),
        FeatureRow("F-3-057", "Scan list with name and RSSI", DeviceRow.self, Proof.picker, "onboarding"),
        FeatureRow("F-3-059", "Sending flow", DeliveryStatus.self, Proof.chat, "chat"),
        FeatureRow("F-3-061", "Notification tap opens chat at message", AppState.self, Proof.touch, "notifications"),
        FeatureRow("F-3-062", "Radio configuration flow", SettingsViewModel.self, Proof.radio, "settings"),
        FeatureRow("F-3-063", "Radio ranges in the form", SettingField.self, Proof.ranges, "settings"),
        FeatureRow("F-3-064", "Advertisement flow", ContactsViewModel.self, Proof.advert, "contacts"),
        FeatureRow("F-3-071", "Large histories", ChatViewModel.self, Proof.pages, "chat"),
        FeatureRow("F-3-073", "State restoration after termination", AppState.self, Proof.resume, "settings"),
        FeatureRow("F-3-077", "Degraded mode indicators", LinkQuality.self, Proof.degraded, "chats"),
        FeatureRow("F-3-087", "Minimum firmware versions", Capabilities.self, Proof.caps, "settings"),
        FeatureRow("F-3-089", "One table of texts", Texts.self, Proof.keys, "chats"),
        FeatureRow("F-4-003", "Image sharing", ImageTransferProgress.self, Proof.image, "chat"),
        FeatureRow("F-4-011", "Views react to published state", (any ViewModel).self, Proof.versions, "chats"),
        FeatureRow("F-4-013", "Preparation: scale and compress", ChatViewModel.self, Proof.image, "chat"),
    ]
}

/// The names of the tests, written as they are in their suites.
private enum Proof {
    static let administered = "a repeater's settings and rights are changed, or the node says why not"
    static let advanced = "what only the radio knows is read on request, and trusted contacts are chosen"
    static let advert = "adverts, discovery and imports say what they have done"
    static let avatar = "a node's mark is the same on every host"
    static let caps = "a firmware's capabilities follow its code and what it refused"
    static let channels = "a channel is created, shared, joined by others, and left"
    static let chat = "a text is sent, acknowledged and answered"
    static let contacts = "contacts are searched, filtered and changed without a radio"
    static let danger = "dangerous actions want their word"
    static let degraded = "a link is degraded by silence, noise and slowness"
    static let desktop = "clicks, buttons, replies and closing are handed on in their order"
    static let errors = "every error has a title, a sentence, a remedy and a code"
    static let events = "each callback of a service is one event, of the right case"
    static let fail = "a message that nobody acknowledges fails, and is sent again on request"
    static let image = "a picture is made small, sent with progress and shown"
    static let keys = "every key has a text, and every text a key"
    static let labels = "labels of delivery are the five of the seeds"
    static let list = "conversations are sorted by their last message, favourites on top on request"
    static let long = "a text too long stays typed, and says how many bytes too many"
    static let map = "the map has contacts by type, is kept 30 s, and rests while it is moved"
    static let noradio = "without a radio there are no radio's sections"
    static let pages = "ten thousand messages are read page by page, without a radio"
    static let path = "a path is found with a countdown, edited and reset"
    static let picker = "radios are listed by strength, and one that is new asks for its number"
    static let pill = "the pill shows contacts and settings, and no message"
    static let place = "a node without a place and the own radio are put on the map by hand"
    static let queue = "without a radio a text waits, can be deleted, and goes out when the radio is back"
    static let quote = "an answer quotes what it answers"
    static let radio = "radio parameters keep to their ranges, and a preset is found again"
    static let ranges = "the preset of the United States is shown and kept within their ranges"
    static let repeater = "a repeater tells its administrator status, neighbours and answers, until the page closes"
    static let reply = "a quick reply is sent, or kept as a draft with a notification"
    static let resume = "a connection that is wanted is resumed by the next start of the program"
    static let retry = "a retry is offered three times, and never for what cannot work"
    static let room = "a room is joined, read, written and left"
    static let saved = "a radio that was connected is listed, and the first one ends the first steps"
    static let settings = "what was changed is written, read back and shown, and nothing else"
    static let steps = "first steps run in order, are kept when done, and begin anew after a reset"
    static let switches = "switches of notifications and quick replies are kept in the store"
    static let syncOptions = "contacts are read anew on request, and as often as was chosen"
    static let tabs = "tabs have their numbers, and each its own way"
    static let times = "times are grouped by pauses and days"
    static let touch = "touched notifications set what opens next, once"
    static let versions = "versions rise with each change, and observers run"
    static let way = "the details of a message show its attempts, its way over a repeater and its packet"
    static let wired = "services are wired before the first sync, and dropped when they go"
    static let wrong = "a wrong password shows why, and nothing is kept"
}
