/// The radio's own settings, and its battery.
public struct SettingsPolicy: Hashable, Sendable {
    /// How long a radio may take to close the link when it restarts.
    public var restartLimit: Duration = .seconds(5)
    /// How often the battery is read while a radio is watched; `nil`: only when somebody else reads it.
    public var batteryInterval: Duration? = .seconds(300)

    public init() {}
}
