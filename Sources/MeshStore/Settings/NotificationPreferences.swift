/// The notifications that the user wants. Stored in the settings, one key each.
public struct NotificationPreferences: Sendable, Hashable {
    /// True when texts from contacts are notified.
    public var contactMessagesEnabled = true
    /// True when texts on channels are notified.
    public var channelMessagesEnabled = true
    /// True when posts in rooms are notified.
    public var roomMessagesEnabled = true
    /// True when new contacts are notified.
    public var newContactDiscoveredEnabled = false
    /// True when a low battery of the radio is notified.
    public var lowBatteryEnabled = true
    /// True when a notification makes a sound.
    public var soundEnabled = true
    /// True when the desktop shows the number of unread messages.
    public var badgeEnabled = true

    public init() {}

    private typealias Switch = any WritableKeyPath<NotificationPreferences, Bool> & Sendable

    private static let keys: [(name: String, value: Switch)] = [
        ("contactMessagesEnabled", \.contactMessagesEnabled), ("channelMessagesEnabled", \.channelMessagesEnabled),
        ("roomMessagesEnabled", \.roomMessagesEnabled), ("newContactDiscoveredEnabled", \.newContactDiscoveredEnabled),
        ("lowBatteryEnabled", \.lowBatteryEnabled),
        ("soundEnabled", \.soundEnabled), ("badgeEnabled", \.badgeEnabled),
    ]

    private static func key(_ name: String) -> String { "notifications." + name }

    /// Loads the stored values; a value that is missing or makes no sense has its default.
    public static func load(from settings: any SettingsStore) async throws(StackError) -> Self {
        var preferences = Self()
        for (name, value) in keys {
            if let text = try await settings.setting(forKey: key(name)), let flag = Bool(text) {
                preferences[keyPath: value] = flag
            }
        }
        return preferences
    }

    /// Stores all of them, one after the other; where that throws, the ones before are stored.
    public func save(to settings: any SettingsStore) async throws(StackError) {
        for (name, value) in Self.keys {
            try await settings.setSetting("\(self[keyPath: value])", forKey: Self.key(name))
        }
    }
}
