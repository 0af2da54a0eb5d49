/// The radio's own settings, and its battery.
public struct SettingsPolicy: Hashable, Sendable {
    /// The time within which a radio may close the link when it restarts.
    public var restartLimit: Duration = .seconds(5)
    /// The interval of battery readings while a radio is watched; `nil`: only readings that others request.
    public var batteryInterval: Duration? = .seconds(300)

    public init() {}
}
