import FoundationEssentials

/// The values that a connection manager keeps over a restart, in the store's settings.
struct ConnectionMemory: Hashable, Sendable {
    /// The radio that the user wants to be connected; `nil` since the user disconnected.
    var wanted: RadioEndpoint?
    /// The radio that was connected last, whether wanted or not.
    var lastDeviceID: UUID?
    var lastDeviceName: String?

    /// The names of the settings. They stay: stores in the field hold them.
    enum Key {
        static let wanted = "connection.wanted"
        static let lastDeviceID = "connection.lastDevice"
        static let lastDeviceName = "connection.lastDeviceName"
    }

    init(wanted: RadioEndpoint? = nil, lastDeviceID: UUID? = nil, lastDeviceName: String? = nil) {
        self.wanted = wanted
        self.lastDeviceID = lastDeviceID
        self.lastDeviceName = lastDeviceName
    }

    init(from settings: any SettingsStore) async throws(StackError) {
        wanted = try await settings.setting(forKey: Key.wanted).flatMap { RadioEndpoint($0) }
        lastDeviceID = try await settings.setting(forKey: Key.lastDeviceID).flatMap { UUID(uuidString: $0) }
        lastDeviceName = try await settings.setting(forKey: Key.lastDeviceName)
    }

    func save(to settings: any SettingsStore) async throws(StackError) {
        try await settings.setSetting(wanted?.description, forKey: Key.wanted)
        try await settings.setSetting(lastDeviceID?.uuidString, forKey: Key.lastDeviceID)
        try await settings.setSetting(lastDeviceName, forKey: Key.lastDeviceName)
    }
}
