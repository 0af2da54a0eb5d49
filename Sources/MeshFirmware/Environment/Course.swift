public import MeshTime
import MeshWire

/// The course of a measured value over a simulation: a function of the time since the run began, and of nothing else.
///
/// Asked twice for the same moment it answers the same. Values are in the unit of whatever follows the course; what
/// lies outside the range of the sensor is cut by the sensor.
public enum Course: Hashable, Sendable {
    /// The same value at all times.
    case constant(Double)
    /// Straight from one point to the next; before the first and after the last it stays. No point at all is 0.
    ///
    /// Points stand in the order of time.
    indirect case line([Point])
    /// Jumps to the value of a point at its time, and has the first value before. No point at all is 0.
    ///
    /// Points stand in the order of time.
    indirect case steps(first: Double, then: [Point])
    /// Every 24 hours once up and down. A run begins at midnight; the lowest value is 12 hours from the highest.
    ///
    /// Between them it follows the cubic u²·(3 − 2u), which is at most 1 % of the range away from a cosine.
    indirect case day(minimum: Double, maximum: Double, maximumAtHour: Double)
    /// Each hour of the day its own value, from midnight to midnight; a run begins at midnight.
    ///
    /// 24 values; with fewer, later hours have the last one, and without any all have 0.
    indirect case hours([Double])
    /// Another course with an error of up to `amplitude` on either side, drawn anew every so often.
    ///
    /// The error is hashed from the seed and the number of the interval, so no other numbers change.
    indirect case noisy(Course, amplitude: Double, every: TimeSpan, seed: Seed)

    /// A value at a time.
    public struct Point: Hashable, Sendable {
        /// The time at which the value is measured.
        public var time: Instant
        /// The value, in the unit of the quantity.
        public var value: Double

        public init(_ time: Instant, _ value: Double) {
            self.time = time
            self.value = value
        }
    }

    /// From one value straight to another, and constant before and after.
    public static func ramp(from first: Double, to last: Double, starting: Instant, lasting: TimeSpan) -> Course {
        .line([Point(starting, first), Point(starting + lasting, last)])
    }

    /// The value at a moment.
    public func value(at time: Instant) -> Double {
        switch self {
        case .constant(let value): value
        case .line(let points): Self.interpolated(points, at: time)
        case .steps(let first, let points): points.last { $0.time <= time }?.value ?? first
        case .day(let minimum, let maximum, let hour):
            minimum + (maximum - minimum) * Self.dayFraction(at: time, maximumAtHour: hour)
        case .hours(let values): Self.hour(of: values, at: time)
        case .noisy(let course, let amplitude, let interval, let seed):
            course.value(at: time) + amplitude * Self.noise(at: time, every: interval, seed: seed)
        }
    }

    private static func hour(of values: [Double], at time: Instant) -> Double {
        guard let last = values.last else { return 0 }
        let hour = Int(max(time.microseconds, 0) % TimeSpan.day.microseconds / TimeSpan.hour.microseconds)
        return hour < values.count ? values[hour] : last
    }

    /// True for a value that never changes.
    package var isConstant: Bool { if case .constant = self { true } else { false } }

    private static func interpolated(_ points: [Point], at time: Instant) -> Double {
        guard let next = points.firstIndex(where: { $0.time > time }) else { return points.last?.value ?? 0 }
        guard next > 0 else { return points[0].value }
        let before = points[next - 1]
        let after = points[next]
        let part = Double((time - before.time).microseconds) / Double((after.time - before.time).microseconds)
        return before.value + (after.value - before.value) * part
    }

    /// 0 at the lowest, 1 at the highest hour of the day.
    private static func dayFraction(at time: Instant, maximumAtHour hour: Double) -> Double {
        let day = TimeSpan.day.microseconds
        // What is no hour of a day is taken for midnight.
        let highest = hour >= 0 && hour < 24 ? Int64(wholePart: hour * Double(TimeSpan.hour.microseconds)) : 0
        let sinceHighest = (time.microseconds % day + 2 * day - highest) % day
        let fromLowest = 1 - Double(min(sinceHighest, day - sinceHighest)) / Double(day / 2)
        return fromLowest * fromLowest * (3 - 2 * fromLowest)
    }

    /// Evenly between −1 and 1.
    static func noise(at time: Instant, every interval: TimeSpan, seed: Seed) -> Double {
        let number = time.microseconds / max(interval.microseconds, 1)
        var stream = RandomStream(state: seed.value &+ UInt64(bitPattern: number) &* 0xD134_2543_DE82_EF95)
        // 53 bits fit a `Double` exactly.
        return Double(stream.next() >> 11) / Double(1 << 52) - 1
    }
}

extension TimeSpan {
    static let hour = TimeSpan.seconds(3600)
    static let day = TimeSpan.seconds(86_400)
}
