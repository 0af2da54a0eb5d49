import MeshWire

/// The token bucket that keeps a node within its share of airtime: milliseconds of sending saved up over an hour.
///
/// The share is `1 / (1 + af)`, computed in 32-bit floating point as the firmware does. Source: OverTheAir,
/// "Airtime budget" (OTA-097); firmware, `Dispatcher::updateTxBudget`.
struct TransmitBudget: Hashable, Sendable {
    /// The length of the window over which the share holds, in milliseconds.
    static let window: Float = 3_600_000
    /// With less than this left the node pauses after a transmission (`MIN_TX_BUDGET_RESERVE_MS`).
    static let reserve: UInt32 = 100

    /// The airtime that may be used at once, in milliseconds.
    private(set) var milliseconds: UInt32
    private var updatedAt: Millis

    /// A full bucket for an airtime factor of 1, whatever is set later: settings are loaded after it was filled.
    init(at now: Millis) {
        milliseconds = UInt32(wholePart: Self.window * Self.share(1))
        updatedAt = now
    }

    static func share(_ airtimeFactor: Float) -> Float { 1 / (1 + airtimeFactor) }

    /// Adds what has been earned; less than a whole millisecond keeps accumulating.
    mutating func refill(at now: Millis, airtimeFactor: Float) {
        let share = Self.share(airtimeFactor)
        let earned = UInt32(wholePart: Float(now.since(updatedAt)) * share)
        guard earned > 0 else { return }
        let sum = milliseconds.addingReportingOverflow(earned)
        milliseconds = min(sum.overflow ? .max : sum.partialValue, UInt32(wholePart: Self.window * share))
        updatedAt = now
    }

    /// Spends the length of a finished transmission; returns the pause before the next one, in milliseconds.
    mutating func spend(_ length: UInt32, at now: Millis, airtimeFactor: Float) -> UInt32 {
        refill(at: now, airtimeFactor: airtimeFactor)
        milliseconds -= min(length, milliseconds)
        return wait(for: Self.reserve, airtimeFactor: airtimeFactor)
    }

    /// Returns the time that it takes to earn what is missing to `wanted`, in milliseconds; 0 when nothing is.
    ///
    /// It is never more than the counter can distinguish from the past.
    func wait(for wanted: UInt32, airtimeFactor: Float) -> UInt32 {
        guard milliseconds < wanted else { return 0 }
        let pause = UInt32(wholePart: Float(wanted - milliseconds) / Self.share(airtimeFactor))
        return min(pause, UInt32(Int32.max) - 1)
    }
}
