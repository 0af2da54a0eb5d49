/// The quantities that sensors around a node measure and that a scenario can steer, each as a ``Course``.
public enum Quantity: UInt8, Hashable, Sendable, CaseIterable {
    case temperature
    case humidity
    case pressure
    /// Follows the pressure unless it is steered.
    case altitude
    case gasResistance
    /// Index of air quality; only whole numbers are reported.
    case airQuality
    /// The degree to which the index of air quality has calibrated itself.
    case airQualityAccuracy
    /// The temperature of the object in front of an infrared thermometer.
    case objectTemperature
    /// Of a ranging sensor; reported as 0 when nothing is near enough.
    case distance
    case soilTemperature
    case soilMoisture
    /// Of the first input of a meter, and of its second and third.
    case voltage1, voltage2, voltage3
    case current1, current2, current3
    /// Voltage times current unless it is steered.
    case power1, power2, power3
    /// Brightness as a tracker reports it, in percent; the unit of its telemetry says lux.
    case light

    /// Unit, value unless steered, and range of the sensors that measure it.
    public var row: QuantityRow {
        switch self {
        case .temperature: QuantityRow("°C", 20, -40...85)
        case .humidity: QuantityRow("%", 50, 0...100)
        case .pressure: QuantityRow("hPa", 1013.25, 300...1100)
        case .altitude: QuantityRow("m", nil, -700...9200)
        case .gasResistance: QuantityRow("Ω", 50_000, 0...10_000_000)
        case .airQuality: QuantityRow("", 50, 0...500)
        case .airQualityAccuracy: QuantityRow("", 3, 0...3)
        case .objectTemperature: QuantityRow("°C", 20, -70...380)
        case .distance: QuantityRow("m", 1, 0...2)
        case .soilTemperature: QuantityRow("°C", 15, -40...85)
        case .soilMoisture: QuantityRow("%", 30, 0...100)
        case .voltage1, .voltage2, .voltage3: QuantityRow("V", 5, 0...36)
        case .current1, .current2, .current3: QuantityRow("A", 0.1, -20...20)
        case .power1, .power2, .power3: QuantityRow("W", nil, -720...720)
        case .light: QuantityRow("%", 50, 0...100)
        }
    }
}

/// The facts about a ``Quantity``.
public struct QuantityRow: Hashable, Sendable {
    /// The unit of the number in a scenario or a world file; empty for a number without one.
    public let unit: String
    /// The value that is measured while no course is set; `nil` where it follows from other quantities.
    public let initial: Double?
    /// The range that sensors can report; values outside are cut to it.
    public let range: ClosedRange<Double>

    init(_ unit: String, _ initial: Double?, _ range: ClosedRange<Double>) {
        self.unit = unit
        self.initial = initial
        self.range = range
    }

    /// The value as a sensor reports it; one that is no number becomes the lowest.
    func clamped(_ value: Double) -> Double {
        value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
    }
}
