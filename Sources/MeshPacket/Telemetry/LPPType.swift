public import MeshWire

/// The quantity of a telemetry record: the type numbers of CayenneLPP. Unknown values are kept.
///
/// Source: the firmware's `LPPDataHelpers.h`.
@frozen
public struct LPPType: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var digitalInput: Self { Self(rawValue: 0) }
    @inlinable public static var digitalOutput: Self { Self(rawValue: 1) }
    @inlinable public static var analogInput: Self { Self(rawValue: 2) }
    @inlinable public static var analogOutput: Self { Self(rawValue: 3) }
    @inlinable public static var genericSensor: Self { Self(rawValue: 100) }
    @inlinable public static var luminosity: Self { Self(rawValue: 101) }
    @inlinable public static var presence: Self { Self(rawValue: 102) }
    @inlinable public static var temperature: Self { Self(rawValue: 103) }
    @inlinable public static var relativeHumidity: Self { Self(rawValue: 104) }
    @inlinable public static var accelerometer: Self { Self(rawValue: 113) }
    @inlinable public static var barometricPressure: Self { Self(rawValue: 115) }
    @inlinable public static var voltage: Self { Self(rawValue: 116) }
    @inlinable public static var current: Self { Self(rawValue: 117) }
    @inlinable public static var frequency: Self { Self(rawValue: 118) }
    @inlinable public static var percentage: Self { Self(rawValue: 120) }
    @inlinable public static var altitude: Self { Self(rawValue: 121) }
    @inlinable public static var concentration: Self { Self(rawValue: 125) }
    @inlinable public static var power: Self { Self(rawValue: 128) }
    @inlinable public static var distance: Self { Self(rawValue: 130) }
    @inlinable public static var energy: Self { Self(rawValue: 131) }
    @inlinable public static var direction: Self { Self(rawValue: 132) }
    @inlinable public static var unixTime: Self { Self(rawValue: 133) }
    @inlinable public static var gyrometer: Self { Self(rawValue: 134) }
    @inlinable public static var colour: Self { Self(rawValue: 135) }
    @inlinable public static var gps: Self { Self(rawValue: 136) }
    /// A switch, 0 or 1. (`LPP_SWITCH`.)
    @inlinable public static var `switch`: Self { Self(rawValue: 142) }
    @inlinable public static var polyline: Self { Self(rawValue: 240) }

    /// All types with a layout of their own, in the order of their numbers.
    public static let known: [LPPType] = (UInt8.min...UInt8.max).map(LPPType.init(rawValue:)).filter(\.isKnown)

    /// True when the table has a layout for the type.
    public var isKnown: Bool { rawValue == 0 || layout.name != "unknown" }

    /// The layout of the value; an unknown type has one byte, as in the firmware.
    public var layout: LPPLayout {
        switch rawValue {  //                         bytes of each number       divisor
        case 0: LPPLayout("digital input", 1, divisor: 1, integer: true)
        case 1: LPPLayout("digital output", 1, divisor: 1, integer: true)
        case 2: LPPLayout("analog input", 2, divisor: 100, signed: true)
        case 3: LPPLayout("analog output", 2, divisor: 100, signed: true)
        case 100: LPPLayout("generic sensor", 4, divisor: 1)
        case 101: LPPLayout("luminosity", 2, divisor: 1, unit: "lx", integer: true)
        case 102: LPPLayout("presence", 1, divisor: 1, integer: true)
        case 103: LPPLayout("temperature", 2, divisor: 10, unit: "°C", signed: true)
        case 104: LPPLayout("relative humidity", 1, divisor: 2, unit: "%")
        case 113: LPPLayout("accelerometer", 2, axes: 3, divisor: 1000, unit: "g", signed: true)
        case 115: LPPLayout("barometric pressure", 2, divisor: 10, unit: "hPa")
        case 116: LPPLayout("voltage", 2, divisor: 100, unit: "V", signed: true)
        case 117: LPPLayout("current", 2, divisor: 1000, unit: "A", signed: true)
        case 118: LPPLayout("frequency", 4, divisor: 1, unit: "Hz", integer: true)
        case 120: LPPLayout("percentage", 1, divisor: 1, unit: "%", integer: true)
        case 121: LPPLayout("altitude", 2, divisor: 1, unit: "m", signed: true)
        case 125: LPPLayout("concentration", 2, divisor: 1, unit: "ppm", integer: true)
        case 128: LPPLayout("power", 2, divisor: 1, unit: "W")
        case 130: LPPLayout("distance", 4, divisor: 1000, unit: "m")
        case 131: LPPLayout("energy", 4, divisor: 1000, unit: "kWh")
        case 132: LPPLayout("direction", 2, divisor: 1, unit: "°")
        case 133: LPPLayout("unix time", 4, divisor: 1, unit: "s", integer: true)
        case 134: LPPLayout("gyrometer", 2, axes: 3, divisor: 100, unit: "°/s", signed: true)
        case 135: LPPLayout("colour", 1, axes: 3, divisor: 1, integer: true)
        // The third number of a position is the altitude in hundredths of a metre.
        case 136: LPPLayout("gps", 3, axes: 3, divisor: 10_000, unit: "°", signed: true, lastDivisor: 100)
        case 142: LPPLayout("switch", 1, divisor: 1, integer: true)
        case 240: LPPLayout("polyline", 1, axes: 8, divisor: 1)
        default: LPPLayout("unknown", 1, divisor: 1)
        }
    }
}

/// The layout of one telemetry type's value: a count of big-endian numbers of one size.
public struct LPPLayout: Hashable, Sendable {
    /// The name for people.
    public let name: String
    /// Bytes of each number, 1…4.
    public let size: Int
    /// Numbers in a value.
    public let axes: Int
    /// The divisor that turns a number into its unit.
    public let divisor: Int
    /// The unit of the numbers; empty for a type without one.
    public let unit: String
    /// True when a number may be below zero.
    public let isSigned: Bool
    /// The divisor of the last number, where it differs.
    public let lastDivisor: Int
    /// The firmware's encoder is given a whole number, which no floating point comes near.
    public let isInteger: Bool

    init(
        _ name: String, _ size: Int, axes: Int = 1, divisor: Int, unit: String = "", signed: Bool = false,
        integer: Bool = false, lastDivisor: Int? = nil
    ) {
        self.name = name
        self.size = size
        self.axes = axes
        self.divisor = divisor
        self.unit = unit
        isSigned = signed
        isInteger = integer
        self.lastDivisor = lastDivisor ?? divisor
    }

    /// Bytes of the whole value; for a polyline the shortest possible.
    public var byteCount: Int { size * axes }

    func divisor(ofAxis axis: Int) -> Int { axis == axes - 1 ? lastDivisor : divisor }
}

extension LPPType: CustomStringConvertible {
    public var description: String { isKnown ? layout.name : "LPP type \(rawValue)" }
}
