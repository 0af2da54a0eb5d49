import FoundationEssentials

/// Radios whose battery is low, each notified once per fall below the threshold.
struct LowBatteries {
    /// Below this the battery is low, in millivolts.
    var threshold = 3400
    /// The rise of a battery over its limit before it is notified again, in millivolts.
    var hysteresis = 100
    private var radios: Set<UUID> = []

    /// Notes a reading; returns whether the user is to be warned.
    mutating func note(_ millivolts: Int, of deviceID: UUID) -> Bool {
        if millivolts >= threshold + hysteresis { radios.remove(deviceID) }
        return millivolts < threshold && radios.insert(deviceID).inserted
    }
}
