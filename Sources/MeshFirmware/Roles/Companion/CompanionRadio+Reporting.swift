import MeshCompanion
import MeshWire

// Numbers on their way back from floating point (CMP-055, CMP-066, CMP-210).
extension CompanionRadio {
    var reportedLatitude: Int32 { reportedMicrodegrees(environment.position(at: core.now).latitude) }
    var reportedLongitude: Int32 { reportedMicrodegrees(environment.position(at: core.now).longitude) }
    /// In kHz.
    var reportedFrequency: UInt32 { reported(preferences.frequency) }
    /// In Hz.
    var reportedBandwidth: UInt32 { reported(preferences.bandwidth) }

    /// Thousandths in single precision, truncated; rounded where the quirk is off.
    func reported(_ value: Float) -> UInt32 {
        let product = value * 1000
        return core.quirks.contains(.floatConversions)
            ? UInt32(wholePart: product) : UInt32(nearest: product)
    }

    private func reportedMicrodegrees(_ degrees: Double) -> Int32 {
        let product = degrees * 1_000_000
        guard core.quirks.contains(.floatConversions) else { return Int32(nearest: product) }
        // A damaged settings file may hold anything.
        return Int32(wholePart: product)
    }
}
