// Numbers on their way back from floating point (companion document §4, last table).
extension CompanionRadio {
    var reportedLatitude: Int32 { Int32(reported(preferences.latitude, 1_000_000)) }
    var reportedLongitude: Int32 { Int32(reported(preferences.longitude, 1_000_000)) }
    /// In kHz.
    var reportedFrequency: UInt32 { reported(preferences.frequency) }
    /// In Hz.
    var reportedBandwidth: UInt32 { reported(preferences.bandwidth) }

    /// Thousandths in single precision, truncated; rounded where the quirk is off.
    func reported(_ value: Float) -> UInt32 {
        UInt32(wholePartOf: core.quirks.contains(.floatConversions) ? value * 1000 : (value * 1000).rounded())
    }

    private func reported(_ value: Double, _ factor: Double) -> Double {
        let product = value * factor
        let whole = product.rounded(core.quirks.contains(.floatConversions) ? .towardZero : .toNearestOrAwayFromZero)
        // A damaged settings file may hold anything.
        return min(max(whole, Double(Int32.min)), Double(Int32.max))
    }
}
