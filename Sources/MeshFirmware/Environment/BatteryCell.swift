public import MeshTime
import MeshWire

/// A lithium-ion cell with a load and a solar panel, computed in whole numbers.
///
/// The sun shines from 6 to 18 o'clock of every day, each hour with a share of the panel's peak current. The share
/// is largest around noon, and all of them make 8.03 hours of peak. A run begins at midnight. Charge is kept
/// between empty and full. Its value at a moment follows from the start alone, in a bounded number of steps however
/// long the run. Transmissions, an external supply and a board that is off are for the driver of the world to tell.
public struct BatteryCell: Hashable, Sendable {
    /// In milliampere-hours, 1 to 1 000 000.
    public var capacity: Int
    /// The moment at which the charge was `charge`.
    public var since: Instant
    /// In percent, 0 to 100.
    public var charge: Int
    /// The average current of the node, in microamperes, 0 to 100 000 000. A repeater draws some 10 mA.
    public var load: Int
    /// The same while the node sleeps between packets (`powersaving on`); `load` when `nil`.
    public var sleepLoad: Int?
    /// The current that sending takes beside the load, in microamperes, 0 to 100 000 000; an SX1262 takes some 120 mA.
    public var transmitLoad = 0
    /// The current of the panel in full sun, in microamperes, 0 to 100 000 000; 0 without one.
    public var panel: Int
    /// The current of the charger while there is an external supply, in microamperes, 0 to 100 000 000.
    public var charger = 500_000
    /// The share of the peak that the sun gives in each of 24 hours, in thousandths; the usual ones when `nil`.
    public var sun: [Int]? {
        didSet { sun = sun?.count == 24 ? sun?.map { min(max($0, 0), 1000) } : nil }
    }

    /// The state of the board that the cell feeds.
    package enum Demand: Hashable, Sendable {
        case awake, sleeping, off
    }

    /// The state of the board since `since`.
    package private(set) var demand = Demand.awake
    /// True when an external supply has fed the board and the charger since `since`.
    package private(set) var isSupplied = false
    /// The charge at `since` where it is no whole percent, in microampere-milliseconds.
    private var stored: Int?

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
    package static let sunByHour = [
        0, 0, 0, 0, 0, 0, 160, 438, 660, 826, 938, 993, 993, 938, 826, 660, 438, 160, 0, 0, 0, 0, 0, 0,
    ]
    /// The reading of an empty cell, in millivolts.
    package static let emptyMillivolts: UInt16 = 3300
    /// Microamperes that a current counts for at most.
    private static let mostCurrent = 100_000_000

    /// Returns the charge that is left, in millionths of the capacity.
    public func chargeMillionths(at time: Instant) -> Int { charge(at: time) / (full / 1_000_000) }

    func millivolts(at time: Instant) -> UInt16 { Self.reading(ofMillionths: chargeMillionths(at: time)) }

    private static func reading(ofMillionths millionths: Int) -> UInt16 {
        let table = millivoltsByTenth
        let tenth = min(millionths / 100_000, table.count - 2)
        let rest = millionths - tenth * 100_000
        return UInt16(table[tenth] + (table[tenth + 1] - table[tenth]) * rest / 100_000)
    }

    /// The capacity in microampere-milliseconds, a multiple of a million of them.
    private var full: Int { min(max(capacity, 1), 1_000_000) * 3_600_000_000 }

    private var chargeAtStart: Int { stored ?? full / 100 * min(max(charge, 0), 100) }

    /// Charge in microampere-milliseconds.
    private func charge(at time: Instant) -> Int {
        let start = chargeAtStart
        guard time > since else { return start }
        // To the next midnight, over whole days, and on from there.
        let day = TimeSpan.day.microseconds
        let begin = max(since.microseconds, 0)
        guard time.microseconds > begin else { return start }
        let toMidnight = min(day - begin % day, time.microseconds - begin)
        let charge = runHours(start, from: begin, for: toMidnight)
        let left = time.microseconds - begin - toMidnight
        return runHours(runDays(charge, Int(left / day)), from: 0, for: left % day)
    }

    private static func limited(_ current: Int) -> Int { min(max(current, 0), mostCurrent) }

    /// Returns the current that flows in during an hour of the day, in microamperes; below zero when it flows out.
    private func current(atHour hour: Int) -> Int {
        let shining = Self.limited(panel) * (sun ?? Self.sunByHour)[hour] / 1000
        if isSupplied { return shining + Self.limited(charger) }
        switch demand {
        case .awake: return shining - Self.limited(load)
        case .sleeping: return shining - Self.limited(sleepLoad ?? load)
        case .off: return shining
        }
    }

    /// At most 24 hours, hour by hour, all in microseconds.
    private func runHours(_ start: Int, from time: Int64, for span: Int64) -> Int {
        let hour = TimeSpan.hour.microseconds
        var charge = start
        var done: Int64 = 0
        while done < span {
            let now = time % TimeSpan.day.microseconds + done
            let part = min(hour - now % hour, span - done)
            charge += current(atHour: Int(now / hour % 24)) * Int(part) / 1000
            charge = min(max(charge, 0), full)
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
        let full = full
        var gain = 0
        var lowest = 0
        var highest = full
        for hour in 0..<24 {
            let added = current(atHour: hour) * 3_600_000
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

// What the driver of a world tells the cell while time goes on.
extension BatteryCell {
    /// Counts from a moment on with the charge that is there then; earlier moments are not asked for any more.
    private mutating func settle(at time: Instant) {
        guard time > since else { return }
        stored = charge(at: time)
        since = time
    }

    /// The board is awake, sleeps or is off, and has an external supply or none, from a moment on.
    package mutating func serve(_ demand: Demand, isSupplied: Bool, from time: Instant) {
        guard demand != self.demand || isSupplied != self.isSupplied else { return }
        settle(at: time)
        self.demand = demand
        self.isSupplied = isSupplied
    }

    /// The board transmits for so long, from a moment on. An external supply pays for it.
    package mutating func transmit(for span: TimeSpan, from time: Instant) {
        guard transmitLoad > 0, !isSupplied else { return }
        settle(at: time)
        // No frame lasts longer than an hour, whatever the settings.
        let part = min(max(span, .zero), .hour).microseconds
        stored = max(0, chargeAtStart - Self.limited(transmitLoad) * Int(part) / 1000)
    }

    /// Has so much charge from a moment on.
    package mutating func recharge(percent: Int, at time: Instant) {
        since = time
        charge = percent
        stored = nil
    }

    /// The same cell, counted from a moment on.
    package func settled(at time: Instant) -> BatteryCell {
        var cell = self
        cell.settle(at: time)
        return cell
    }

    /// Changes panel, sun or load from a moment on; what flowed until then stays.
    package mutating func change(at time: Instant, _ change: (inout BatteryCell) -> Void) {
        settle(at: time)
        change(&self)
    }

    /// The earliest moment at which it may read less than that: when it sends all the time, and the sun is gone.
    func mayFall(below millivolts: UInt16, after now: Instant) -> Instant {
        var (lower, upper) = (0, 1_000_000)
        // The charge at which it reads so much: the readings rise with it.
        while lower < upper {
            let middle = (lower + upper) / 2
            if Self.reading(ofMillionths: middle) < millivolts { lower = middle + 1 } else { upper = middle }
        }
        guard Self.reading(ofMillionths: lower) >= millivolts else { return now }
        let left = charge(at: now) - full / 1_000_000 * lower
        guard left > 0 else { return now }
        let most = max(1, max(Self.limited(load), Self.limited(sleepLoad ?? 0)) + Self.limited(transmitLoad))
        // A century is as good as never, and no moment overflows.
        return now + .milliseconds(min(left / most, 3_155_760_000_000))
    }
}
