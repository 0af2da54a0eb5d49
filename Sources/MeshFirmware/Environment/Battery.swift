public import MeshTime
import MeshWire

/// The power source of a node, which decides what its battery gauge reads, in millivolts from 0 to 65535.
public enum Battery: Hashable, Sendable {
    /// A terminal voltage as given, in millivolts.
    case voltage(Course)
    /// A cell that the node drains and a solar panel charges.
    indirect case cell(BatteryCell)

    /// A voltage that stays.
    public static func millivolts(_ value: UInt16) -> Battery { .voltage(.constant(Double(value))) }

    /// Returns the reading of the gauge at a moment, in millivolts (`getBattMilliVolts`).
    public func millivolts(at time: Instant) -> UInt16 {
        switch self {
        case .voltage(let course):
            return UInt16(wholePart: course.value(at: time))
        case .cell(let cell): return cell.millivolts(at: time)
        }
    }
}

/// A lithium-ion cell with a constant load and a solar panel, computed in whole numbers.
///
/// The sun shines from 6 to 18 o'clock of every day, each hour with a share of the panel's peak current. The share
/// is largest around noon, and all of them make 8.03 hours of peak. A run begins at midnight. Charge is kept
/// between empty and full. Its value at a moment follows from the start alone, in a bounded number of steps however
/// long the run.
public struct BatteryCell: Hashable, Sendable {
    /// In milliampere-hours, 1 to 1 000 000.
    public var capacity: Int
    /// The moment at which the charge was `charge`.
    public var since: Instant
    /// In percent, 0 to 100.
    public var charge: Int
    /// The average current of the node, in microamperes, 0 to 100 000 000. A repeater draws some 10 mA.
    public var load: Int
    /// The current of the panel in full sun, in microamperes, 0 to 100 000 000; 0 without one.
    public var panel: Int

    public init(
        capacity: Int = 3000, charge: Int = 100, load: Int = 10_000, panel: Int = 0, since: Instant = .start
    ) {
        self.capacity = capacity
        self.charge = charge
        self.load = load
        self.panel = panel
        self.since = since
    }

    /// Voltage of the unloaded cell by its charge, from empty to full in steps of a tenth.
    private static let millivoltsByTenth = [3300, 3600, 3680, 3730, 3770, 3810, 3870, 3950, 4030, 4110, 4200]
    /// Share of the peak that the sun gives in each hour of the day, in thousandths.
    private static let sunByHour = [
        0, 0, 0, 0, 0, 0, 160, 438, 660, 826, 938, 993, 993, 938, 826, 660, 438, 160, 0, 0, 0, 0, 0, 0,
    ]

    /// Returns the charge that is left, in millionths of the capacity.
    public func chargeMillionths(at time: Instant) -> Int {
        let full = fullMicroampereHours
        return charge(at: time) * 1_000_000 / full
    }

    func millivolts(at time: Instant) -> UInt16 {
        let millionths = chargeMillionths(at: time)
        let table = Self.millivoltsByTenth
        let tenth = min(millionths / 100_000, table.count - 2)
        let rest = millionths - tenth * 100_000
        return UInt16(table[tenth] + (table[tenth + 1] - table[tenth]) * rest / 100_000)
    }

    private var fullMicroampereHours: Int { min(max(capacity, 1), 1_000_000) * 1000 }

    /// Charge in microampere-hours.
    private func charge(at time: Instant) -> Int {
        let full = fullMicroampereHours
        var charge = full / 100 * min(max(self.charge, 0), 100)
        guard time > since else { return charge }
        // To the next midnight, over whole days, and on from there.
        let day = TimeSpan.day.microseconds
        let start = max(since.microseconds, 0)
        let toMidnight = min(day - start % day, time.microseconds - start)
        charge = runHours(charge, from: start, for: toMidnight)
        let left = time.microseconds - start - toMidnight
        charge = runDays(charge, Int(left / day))
        return runHours(charge, from: 0, for: left % day)
    }

    /// Returns the current that flows in during an hour of the day, in microamperes; below zero when it flows out.
    private func current(atHour hour: Int) -> Int {
        let limit = 100_000_000
        return min(max(panel, 0), limit) * Self.sunByHour[hour] / 1000 - min(max(load, 0), limit)
    }

    /// At most 24 hours, hour by hour, all in microseconds.
    private func runHours(_ start: Int, from time: Int64, for span: Int64) -> Int {
        let hour = TimeSpan.hour.microseconds
        var charge = start
        var done: Int64 = 0
        while done < span {
            let now = time % TimeSpan.day.microseconds + done
            let part = min(hour - now % hour, span - done)
            charge += current(atHour: Int(now / hour)) * Int(part) / Int(hour)
            charge = min(max(charge, 0), fullMicroampereHours)
            done += part
        }
        return charge
    }

    /// Any number of days from midnight to midnight.
    ///
    /// An hour adds something and cuts at empty and full. Two such steps in a row make a step of the same kind. So
    /// a day is one step, and many days are computed without going through them.
    private func runDays(_ start: Int, _ days: Int) -> Int {
        guard days > 0 else { return start }
        let full = fullMicroampereHours
        var gain = 0
        var lowest = 0
        var highest = full
        for hour in 0..<24 {
            let added = current(atHour: hour)
            gain += added
            lowest = min(max(lowest + added, 0), full)
            highest = min(max(highest + added, 0), full)
        }
        let afterOne = min(max(start + gain, lowest), highest)
        // After that many days it has met a limit.
        let more = min(days - 1, gain == 0 ? 0 : full / abs(gain) + 1)
        return min(max(afterOne + more * gain, lowest), highest)
    }
}
