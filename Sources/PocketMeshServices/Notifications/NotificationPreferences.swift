/// What the user wants to be told. Stored in the settings, one key each.
public struct NotificationPreferences: Sendable, Hashable {
    /// Whether texts from contacts are told.
    public var contactMessagesEnabled = true
    /// Whether texts on channels are told.
    public var channelMessagesEnabled = true
    /// Whether posts in rooms are told.
    public var roomMessagesEnabled = true
    /// Whether new contacts are told.
    public var newContactDiscoveredEnabled = false
    /// Whether a notification makes a sound.
    public var soundEnabled = true
    /// Whether what is unread is counted where the desktop shows it.
    public var badgeEnabled = true

    public init() {}

    private typealias Switch = any WritableKeyPath<NotificationPreferences, Bool> & Sendable

    private static let keys: [(name: String, value: Switch)] = [
        ("contactMessagesEnabled", \.contactMessagesEnabled), ("channelMessagesEnabled", \.channelMessagesEnabled),
        ("roomMessagesEnabled", \.roomMessagesEnabled), ("newContactDiscoveredEnabled", \.newContactDiscoveredEnabled),
        ("soundEnabled", \.soundEnabled), ("badgeEnabled", \.badgeEnabled),
    ]

    private static func key(_ name: String) -> String { "notifications." + name }

    /// What is stored; what is not, or makes no sense, is as it is by default.
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
