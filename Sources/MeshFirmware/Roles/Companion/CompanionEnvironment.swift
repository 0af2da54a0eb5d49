import MeshWire

/// What a companion's sensors would measure: set by whoever plays the world around it.
public struct CompanionEnvironment: Hashable, Sendable {
    public var batteryMillivolts: UInt16
    /// Processor temperature in tenths of a degree Celsius; `nil` where the board cannot measure it.
    public var mcuTemperatureTenths: Int16?

    public init(board: BoardProfile) {
        batteryMillivolts = board.batteryMillivolts
        mcuTemperatureTenths = board.mcuTemperatureTenths
    }
}

/// The GPS as the sensor manager sees it; off until the app or a stored setting starts it.
struct GPSReceiver: Hashable, Sendable {
    /// Found at boot.
    private(set) var isPresent = false
    var isActive = false
    /// Seconds between two readings.
    var interval: UInt32 = 1
    /// In metres.
    var altitude = 0.0

    mutating func start(from preferences: CompanionPreferences, board: BoardProfile) {
        isPresent = board.hasGPS
        isActive = isPresent && preferences.gpsEnabled == 1
        if preferences.gpsInterval > 0 { interval = preferences.gpsInterval }
    }

    /// Sets a variable of the sensors; `false` for a name that they do not have.
    ///
    /// Source: `EnvironmentSensorManager::setSettingValue`.
    mutating func set(_ name: String, to value: String) -> Bool {
        switch name {
        case "gps" where isPresent: isActive = value != "0"
        case "gps_interval":
            let seconds = UInt32(truncatingIfNeeded: CompanionPreferences.integer(ByteText(value)))
            interval = seconds > 0 ? seconds : 1
        default: return false
        }
        return true
    }
}
