import MeshCompanion
import MeshTime

// Switching off at a low battery, in builds that do (`AUTO_SHUTDOWN_MILLIVOLTS`). Source: firmware, `UITask::loop` of
// companion_radio; FWV-065.
extension CompanionRadio {
    /// The pause between two looks: it is over when the counter of milliseconds is past 8000.
    private static let lookInterval = TimeSpan.milliseconds(8001)

    /// Looks at the battery in one of its turns, and switches the board off when it is low.
    mutating func lookAtBattery() {
        let lowest = core.board.autoShutdownMillivolts ?? 0
        let reading = environment.batteryMillivolts(at: core.now)
        let isSpared = core.switches.heedsExternalSupply && isSupplySeen
        // A reading of 0 is a board without a battery.
        guard reading > 0, reading < lowest, !isSpared else {
            return planBatteryLook(notBefore: core.now + Self.lookInterval)
        }
        batteryLook = .never
        leave(.powerOff)
    }

    /// The battery is another one: looks at it in the next pass.
    package mutating func batteryChanged() { planBatteryLook(notBefore: core.now) }

    /// Plans the next look. Turns at which the battery cannot be low are left out, as nothing comes of them.
    mutating func planBatteryLook(notBefore time: Instant) {
        guard let lowest = core.board.autoShutdownMillivolts, lowest > 0 else { return batteryLook = .never }
        let earliest = environment.battery.mayFall(below: lowest, after: core.now)
        guard earliest > time else { return batteryLook = time }
        guard earliest != .never else { return batteryLook = .never }
        let turns = (earliest - time).microseconds / Self.lookInterval.microseconds
        batteryLook = time + TimeSpan(microseconds: turns * Self.lookInterval.microseconds)
    }

    /// True for an external supply that the board can tell: an ESP32 has no such input.
    private var isSupplySeen: Bool { core.board.platform == .nrf52 && environment.isExternallyPowered }
}
