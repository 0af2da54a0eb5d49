public import MeshStore

/// The user's choice of how often a connection reads the whole contact table, not the changes alone.
public enum FullContactSync: Int, Sendable, Hashable, CaseIterable {
    case always = 0
    case daily = 1
    /// The usual choice.
    case weekly = 7
    case monthly = 30

    /// The name under which the store keeps it.
    static let settingKey = "contacts.fullSyncDays"

    /// The time after which the table is read again.
    var age: Duration { .seconds(rawValue * 24 * 3600) }

    /// Loads the choice; `nil` where none was made, or a stored one makes no sense.
    public static func load(from settings: any SettingsStore) async throws(StackError) -> Self? {
        try await settings.setting(forKey: settingKey).flatMap(Int.init).flatMap(Self.init(rawValue:))
    }

    /// Stores the choice.
    public func save(to settings: any SettingsStore) async throws(StackError) {
        try await settings.setSetting("\(rawValue)", forKey: Self.settingKey)
    }
}
