import MeshTime

/// The settings of a GPS that a node has from its owner.
public struct GPSSettings: Hashable, Sendable {
    /// True when the receiver runs (`gps on`).
    public var isOn: Bool
    /// The position in adverts (`gps advert`); the role's own setting when `nil`. A companion radio has one for all
    /// that is not `none`.
    public var advertises: AdvertLocationPolicy?

    public init(isOn: Bool = true, advertises: AdvertLocationPolicy? = nil) {
        self.isOn = isOn
        self.advertises = advertises
    }
}

extension ServerSetup {
    /// Gives the node a GPS with the settings of its owner.
    package mutating func set(_ gps: GPSSettings) {
        preferences.gpsEnabled = gps.isOn ? 1 : 0
        if let policy = gps.advertises { preferences.advertLocation = policy }
    }
}

// The settings of a node that runs, as its owner changes and stores them.
extension Environment {
    /// Switches the receiver on or off, where one was found.
    fileprivate mutating func switchGPS(_ isOn: Bool, at now: Instant) {
        if hasGPS { receiver.setActive(isOn, signal: gps, at: now) }
    }
}

extension CompanionRadio {
    /// Switches the GPS and states its place in adverts, as an app does.
    package mutating func set(_ gps: GPSSettings) {
        environment.switchGPS(gps.isOn, at: core.now)
        preferences.gpsEnabled = gps.isOn ? 1 : 0
        if let policy = gps.advertises { preferences.advertLocationPolicy = policy == .none ? 0 : 1 }
        savePreferences()
    }
}

extension ServerNode {
    fileprivate mutating func change(_ gps: GPSSettings) {
        server.environment.switchGPS(gps.isOn, at: core.now)
        server.preferences.gpsEnabled = gps.isOn ? 1 : 0
        if let policy = gps.advertises { server.preferences.advertLocation = policy }
        savePreferences()
    }
}

extension RepeaterNode {
    /// Switches the GPS and states its place in adverts, as the console does.
    package mutating func set(_ gps: GPSSettings) { change(gps) }
}

extension RoomServer {
    /// Switches the GPS and states its place in adverts, as the console does.
    package mutating func set(_ gps: GPSSettings) { change(gps) }
}

extension SensorNode {
    /// Switches the GPS and states its place in adverts, as the console does.
    package mutating func set(_ gps: GPSSettings) { change(gps) }
}
