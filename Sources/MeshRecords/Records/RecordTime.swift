import MeshWire

/// A moment that a record states: microseconds since 1970, UTC.
package struct RecordTime: Hashable, Comparable, Sendable {
    /// Since 1 January 1970, not negative.
    package let microseconds: Int64
    /// False for a text without a zone, which is read as UTC.
    package let hasZone: Bool

    /// The end of the year 9999.
    private static let latest: Int64 = 253_402_300_800_000_000

    /// Refuses moments before 1970 and behind the year 9999.
    package init?(microseconds: Int64, hasZone: Bool = true) {
        guard 0..<Self.latest ~= microseconds else { return nil }
        self.microseconds = microseconds
        self.hasZone = hasZone
    }

    /// A number of seconds since 1970, or of milliseconds when it is too large for seconds.
    package init?(unix number: Double) {
        // 10^11 seconds is the year 5138, and 10^11 milliseconds the year 1973.
        let seconds = number < 1e11 ? number : number / 1000
        self.init(microseconds: Int64(nearest: seconds * 1e6))
    }

    package static func < (a: RecordTime, b: RecordTime) -> Bool { a.microseconds < b.microseconds }
}

extension RecordTime {
    /// Reads ISO 8601: `2026-11-22T12:00:00`, with a blank for the T, without seconds, with a fraction, with a zone.
    package init?(_ text: some StringProtocol) {
        var scanner = Scanner(rest: [UInt8](text.utf8)[...])
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let date = scanner.digits(2), let day = CalendarDay(year: year, month: month, day: date),
            scanner.take("T") || scanner.take(" "), let hour = scanner.digits(2), hour < 24, scanner.take(":"),
            let minute = scanner.digits(2), minute < 60
        else { return nil }
        var microseconds = ((day.daysSince1970 * 24 + hour) * 60 + minute) * 60_000_000
        if scanner.take(":") {
            // A leap second is the first one of the next minute.
            guard let second = scanner.digits(2), second <= 60 else { return nil }
            microseconds += second * 1_000_000
            if scanner.take(".") || scanner.take(",") {
                guard let fraction = scanner.fraction() else { return nil }
                microseconds += fraction
            }
        }
        guard let zone = scanner.zone() else { return nil }
        self.init(microseconds: microseconds - (zone.minutes * 60_000_000), hasZone: zone.isGiven)
    }

    /// A place in a text of digits.
    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func digits(_ count: Int) -> Int64? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }

        /// The digits behind the point, in microseconds; those behind the sixth are dropped.
        mutating func fraction() -> Int64? {
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard !digits.isEmpty else { return nil }
            rest = rest[digits.endIndex...]
            let first = digits.prefix(6).map { Int64($0 - 0x30) }
            return (first + repeatElement(0, count: 6 - first.count)).reduce(0) { $0 * 10 + $1 }
        }

        /// What is left: nothing, Z, or a distance from UTC.
        mutating func zone() -> (minutes: Int64, isGiven: Bool)? {
            if rest.isEmpty { return (0, false) }
            if take("Z") || take("z") { return rest.isEmpty ? (0, true) : nil }
            let isEast = take("+")
            guard isEast || take("-"), let hours = digits(2), hours < 24 else { return nil }
            _ = take(":")
            let minutes = rest.isEmpty ? 0 : digits(2)
            guard let minutes, minutes < 60, rest.isEmpty else { return nil }
            return ((isEast ? 1 : -1) * (hours * 60 + minutes), true)
        }
    }
}

extension RecordTime: CustomStringConvertible {
    /// The moment as in `2026-11-22 12:00:00.250 UTC`, with whole milliseconds.
    package var description: String {
        let day = CalendarDay(microseconds: microseconds).map { "\($0)" } ?? ""
        let milliseconds = microseconds / 1000 % 86_400_000
        func padded(_ number: Int64, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        let clock = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
        return "\(day) \(clock.map { padded($0, 2) }.joined(separator: ":")).\(padded(milliseconds % 1000, 3)) UTC"
    }
}
