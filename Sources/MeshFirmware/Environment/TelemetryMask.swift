/// The parts of a node's telemetry that a requester may see (`TELEM_PERM_…`).
public struct TelemetryMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Battery and processor. Companion radios answer no request without it; for the others it has no meaning.
    public static let base = TelemetryMask(rawValue: 1)
    public static let location = TelemetryMask(rawValue: 2)
    /// The sensor parts.
    public static let environment = TelemetryMask(rawValue: 4)
    public static let all = TelemetryMask(rawValue: 0xFF)

    /// Makes the mask that the first byte of a request leaves: it names the unwanted parts.
    public init(inverted byte: UInt8) {
        self.init(rawValue: ~byte)
    }
}

/// The place of the processor's temperature in telemetry.
public enum ProcessorPlace: Hashable, Sendable {
    /// Sensors leave it out.
    case absent
    /// Right behind the voltage: a companion radio to its own app.
    case second
    /// Behind everything: repeaters, room servers, and companion radios to others.
    case last
}
