/// A day of the Gregorian calendar, UTC, from 1970 on.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// The year, 1970 or later.
    package let year: Int64
    /// 1 to 12.
    package let month: Int64
    /// 1 to 31.
    package let day: Int64

    /// Days from 1 March of the year 0 to 1 January 1970.
    private static let epoch: Int64 = 719_468
    private static let daysPerEra: Int64 = 146_097

    /// The day of a time in nanoseconds since 1970; `nil` before that.
    package init?(nanoseconds: Int64) {
        guard nanoseconds >= 0 else { return nil }
        self.init(daysSince1970: nanoseconds / 86_400_000_000_000)
    }

    /// The day of a time in microseconds since 1970; `nil` before that.
    package init?(microseconds: Int64) {
        guard microseconds >= 0 else { return nil }
        self.init(daysSince1970: microseconds / 86_400_000_000)
    }

    /// The day with this date; `nil` for a date that is not in the calendar, or not in the years 1970 to 9999.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard 1970...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        guard Self(daysSince1970: daysSince1970) == self else { return nil }
    }

    private init(daysSince1970: Int64) {
        // Days since 1 March of the year 0, in eras of 400 years: a leap day is the last of its year then.
        let days = daysSince1970 + Self.epoch
        let era = days / Self.daysPerEra
        let dayOfEra = days % Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Whole days from 1 January 1970.
    package var daysSince1970: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = yearFromMarch / 400
        let yearOfEra = yearFromMarch % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * Self.daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.epoch
    }

    /// The date as in `2026-11-22`.
    package var description: String { "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)" }
}
