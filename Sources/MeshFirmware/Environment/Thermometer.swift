import MeshWire

/// The resolution at which a processor measures its temperature.
///
/// Source: firmware, `getMCUTemperature` of the boards.
public enum Thermometer: Hashable, Sendable {
    case exact
    /// ESP32: whole degrees, truncated, and 0 when it freezes.
    case wholeDegrees
    /// nRF52: quarters of a degree.
    case quarterDegrees

    init(of platform: BoardPlatform) {
        self =
            switch platform {
            case .esp32: .wholeDegrees
            case .nrf52: .quarterDegrees
            case .other: .exact
            }
    }

    func reading(of degrees: Double) -> Double {
        switch self {
        case .exact: degrees
        case .wholeDegrees: Double(UInt32(wholePart: Float(degrees)))
        case .quarterDegrees: Double(Int64(nearest: degrees * 4)) / 4
        }
    }
}
