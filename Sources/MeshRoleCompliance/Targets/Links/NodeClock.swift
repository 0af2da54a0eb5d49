/// The clock of a console: dates of the years from 1970, in the firmware's words.
enum NodeClock {
    /// The seconds since 1970 of `10:52 - 15/5/2024 UTC`; `nil` for any other text.
    static func seconds(in text: some StringProtocol) -> UInt32? {
        guard let parts = String(text).wholeMatch(of: /(\d{1,2}):(\d{2}) - (\d{1,2})\/(\d{1,2})\/(\d{4}) UTC/)?.output,
            let hour = Int64(parts.1), let minute = Int64(parts.2), let day = Int64(parts.3),
            let month = Int64(parts.4), let year = Int64(parts.5),
            (0..<24).contains(hour), (0..<60).contains(minute), (1...31).contains(day), (1...12).contains(month)
        else { return nil }
        return UInt32(exactly: ((days(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60)
    }

    /// `10:52 - 15/5/2024 UTC` for a number of seconds since 1970.
    static func text(_ seconds: UInt32) -> String {
        let (day, second) = (Int64(seconds / 86_400), Int64(seconds % 86_400))
        var year = 1970 + day / 366
        while days(year + 1, 1) <= day { year += 1 }
        var month: Int64 = 12
        while days(year, month) > day { month -= 1 }
        let date = "\(day - days(year, month) + 1)/\(month)/\(year)"
        return "\(digits(second / 3600)):\(digits(second / 60 % 60)) - \(date) UTC"
    }

    private static func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Days from 1970 to the first of a month.
    private static func days(_ year: Int64, _ month: Int64) -> Int64 {
        let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let whole = (year - 1970) * 365 + leaps(before: year) - leaps(before: 1970)
        let months = lengths.prefix(Int(month - 1)).reduce(0, +)
        return whole + months + (month > 2 && isLeap ? 1 : 0)
    }

    private static func leaps(before year: Int64) -> Int64 {
        let last = year - 1
        return last / 4 - last / 100 + last / 400
    }
}
