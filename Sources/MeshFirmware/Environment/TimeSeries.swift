import MeshPacket
import MeshWire

/// The recorded readings of one value: a ring at a fixed interval, and extremes over a stretch of it.
///
/// Source: InfrastructureNodes, "Sensor" (INF-096); firmware, `TimeSeriesData`.
struct TimeSeries: Hashable, Sendable {
    /// Slots that nothing was written into hold 0, and count as readings.
    private var values: [Float]
    private var next = 0
    /// Unix seconds of the last reading; 0 before the first.
    private(set) var lastTime: UInt32 = 0
    /// Seconds from one reading to the next.
    let interval: UInt32

    /// The series of the firmware's sensor: a day in steps of five minutes.
    init(slots: Int = 288, interval: UInt32 = 300) {
        precondition(slots > 0, "a series without slots records nothing")
        values = Array(repeating: 0, count: slots)
        self.interval = interval
    }

    /// Records a value if the last one is old enough by the node's clock.
    mutating func record(_ value: Float, at unixTime: UInt32) {
        guard unixTime >= lastTime &+ interval else { return }
        lastTime = unixTime
        values[next] = value
        next = (next + 1) % values.count
    }

    /// Extremes and average of the readings that are younger than `start` and at least `end` seconds old.
    ///
    /// The newest slot is as old as the last reading, each further one an interval older, whenever it was really
    /// written. Without any such slot nothing is a number.
    func summary(from start: UInt32, to end: UInt32, at unixTime: UInt32) -> MinMaxAvg {
        var summary = MinMaxAvg(minimum: .nan, maximum: .nan, average: .nan)
        var count = 0
        var total: Float = 0
        var age = unixTime &- lastTime
        for back in 1...values.count {
            if age >= end, age < start {
                let value = values[(next + values.count - back) % values.count]
                summary.minimum = count == 0 || value < summary.minimum ? value : summary.minimum
                summary.maximum = count == 0 || value > summary.maximum ? value : summary.maximum
                total += value
                count += 1
            }
            age = age &+ interval
        }
        if count > 0 { summary.average = total / Float(count) }
        return summary
    }
}

/// Extremes and average of one value (`MinMaxAvg`).
struct MinMaxAvg: Hashable, Sendable {
    var minimum: Float
    var maximum: Float
    var average: Float

    /// As a sensor writes it: channel, type, and each of the three in the sensor's own layout of the type.
    func encoded(channel: UInt8, type: LPPType) -> [UInt8] {
        [channel, type.rawValue] + [minimum, maximum, average].flatMap { SensorLayout(type).encode($0) }
    }
}

/// The layout of values in the sensor's own code: like telemetry, except for humidity, voltage and current.
///
/// Source: firmware, `getDataSize`, `getMultiplier`, `isSigned`, `putFloat` and `getFloat` of `SensorMesh.cpp`.
struct SensorLayout: Hashable, Sendable {
    /// Bytes of a value, all axes together.
    let size: Int
    let multiplier: UInt32
    let isSigned: Bool

    init(_ type: LPPType) {
        size = type == .relativeHumidity ? 2 : type.layout.byteCount
        multiplier =
            switch type {
            case .current, .distance, .energy: 1000
            case .voltage, .analogInput, .analogOutput: 100
            case .temperature, .barometricPressure, .relativeHumidity: 10
            default: 1
            }
        isSigned = type.layout.isSigned && type != .voltage && type != .current
    }

    /// The magnitude times the multiplier, truncated; of a number in 32 bits what fits, none at all is 0 as on nRF52.
    func encode(_ value: Float) -> [UInt8] {
        let magnitude = UInt32(wholePart: value.magnitude * Float(multiplier))
        let number = isSigned && value < 0 ? 0 &- magnitude : magnitude
        return (0..<size).reversed().map { $0 < 4 ? UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) : 0 }
    }

    /// The value that bytes stand for; only the last four count.
    private func decode(_ bytes: ArraySlice<UInt8>) -> Float {
        var number: UInt32 = 0
        for byte in bytes { number = number << 8 | UInt32(byte) }
        guard isSigned, size <= 4, number >> (8 * UInt32(size) - 1) == 1 else {
            return Float(number) / Float(multiplier)
        }
        // Of four bytes the upper end wraps to 0, as it does there.
        return -(Float((size == 4 ? 0 : 1 << (8 * UInt32(size))) &- number) / Float(multiplier))
    }

    /// The first value of this type on this channel of a telemetry, 0 without one (`getTelemValue`).
    ///
    /// It steps over records by its own sizes. It believes a humidity longer than it is, and reads nonsense behind
    /// one, as the firmware does.
    static func value(of type: LPPType, channel: UInt8, in telemetry: [UInt8]) -> Float {
        var index = 0
        while index + 2 < telemetry.count {
            let found = LPPType(rawValue: telemetry[index + 1])
            let layout = SensorLayout(found)
            let end = index + 2 + layout.size
            if telemetry[index] == channel, found == type {
                let held = telemetry[(index + 2)..<min(end, telemetry.count)]
                // What lies behind the end of the buffer is taken to be zero.
                return layout.decode(held + Array(repeating: 0, count: end - index - 2 - held.count))
            }
            index = end
        }
        return 0
    }
}

/// The answer to a request for minima, maxima and averages.
enum MinMaxAvgReply {
    /// Returns what follows the tag: the clock, and the battery's series unless reserved bytes are set (INF-094,
    /// INF-095).
    ///
    /// Bytes that the request does not have are zero.
    static func encode(parameters: some Collection<UInt8>, battery: TimeSeries, at unixTime: UInt32) -> [UInt8] {
        let request = Array(parameters.prefix(10)) + Array(repeating: 0, count: max(0, 10 - parameters.count))
        func number(at offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(request[offset + $1]) << (8 * UInt32($1)) }
        }
        let clock = (0..<4).map { UInt8(truncatingIfNeeded: unixTime >> (8 * UInt32($0))) }
        guard request[8] == 0, request[9] == 0 else { return clock }
        let summary = battery.summary(from: number(at: 0), to: number(at: 4), at: unixTime)
        return clock + summary.encoded(channel: Environment.ownChannel, type: .voltage)
    }
}
