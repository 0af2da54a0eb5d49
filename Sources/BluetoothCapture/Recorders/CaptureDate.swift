/// A day of the calendar, UTC.
struct CaptureDate: Hashable, CustomStringConvertible {
    var year: Int64
    var month: Int64
    var day: Int64

    /// The day of a time in nanoseconds since 1970; `nil` before that.
    init?(nanoseconds: Int64) {
        guard nanoseconds >= 0 else { return nil }
        // Days since 1 March of the year 0, in eras of 400 years: a leap day is the last of its year then.
        let days = nanoseconds / 86_400_000_000_000 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var description: String { "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)" }
}
