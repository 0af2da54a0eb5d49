/// The unit of the number in a field.
///
/// A small integer, so that naming a unit costs nothing where a walk is compiled into a reader or a writer.
public enum FieldUnit: UInt8, Sendable, CaseIterable, CustomStringConvertible {
    case none
    case hertz
    case kilohertz
    case decibelMilliwatts
    case quarterDecibels
    case seconds
    case milliseconds
    case microdegrees
    case millivolts
    case kibibytes
    case thousandths
    case unixTime
    case bytes
    case hops
    /// Printed in hex: tags, hashes, bit masks.
    case hex
    /// Bytes meant to be UTF-8: names, messages.
    case text

    public var description: String {
        switch self {
        case .none, .hex: ""
        case .text: "text"
        case .hertz: "Hz"
        case .kilohertz: "kHz"
        case .decibelMilliwatts: "dBm"
        case .quarterDecibels: "dB/4"
        case .seconds: "s"
        case .milliseconds: "ms"
        case .microdegrees: "1e-6 deg"
        case .millivolts: "mV"
        case .kibibytes: "KiB"
        case .thousandths: "/1000"
        case .unixTime: "Unix s"
        case .bytes: "bytes"
        case .hops: "hops"
        }
    }
}

/// The static description of one field: the firmware's name for it, its unit, and the protocol level it came with.
public struct Field: Sendable {
    /// The firmware's name for it.
    public let name: StaticString
    /// The unit of its number.
    public let unit: FieldUnit
    /// The protocol level (`FIRMWARE_VER_CODE`) that added the field; 0 when it was always there.
    public let since: UInt8

    @inlinable
    public init(_ name: StaticString, unit: FieldUnit = .none, since: UInt8 = 0) {
        self.name = name
        self.unit = unit
        self.since = since
    }
}
