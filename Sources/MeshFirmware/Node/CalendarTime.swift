/// The date and time of Unix seconds as the firmware prints them, always UTC.
///
/// The arithmetic is that of the boards' library: years count from 2000, and every fourth is a leap year. So dates
/// lag a day behind from March 2100 on, and times before 2000 come out in the 22nd century. Source: RTClib,
/// `DateTime`.
struct CalendarTime: Hashable, Sendable {
    /// 2000…2136.
    var year: Int
    /// 1…12.
    var month: Int
    /// 1…31.
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Unix seconds at the beginning of 2000.
    private static let epoch: UInt32 = 946_684_800
    private static let daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    init(unixSeconds: UInt32) {
        let seconds = Int(unixSeconds &- Self.epoch)
        (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
        var days = seconds / 86_400
        let fourYears = days / 1461
        days %= 1461
        let years = days < 366 ? 0 : 1 + (days - 366) / 365
        year = 2000 + 4 * fourYears + years
        days -= years == 0 ? 0 : 366 + (years - 1) * 365
        month = 1
        while days >= Self.days(in: month, of: year) {
            days -= Self.days(in: month, of: year)
            month += 1
        }
        day = days + 1
    }

    private static func days(in month: Int, of year: Int) -> Int {
        daysPerMonth[month - 1] + (month == 2 && year % 4 == 0 ? 1 : 0)
    }

    /// Two digits at least.
    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private var date: String { "\(day)/\(month)/\(year)" }

    /// `10:52 - 15/5/2024 UTC`: what `clock` answers.
    var clockText: String { "\(Self.padded(hour)):\(Self.padded(minute)) - \(date) UTC" }

    /// `10:52:31 - 15/5/2024 U`: what lines of the packet log begin with.
    var logText: String { "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second)) - \(date) U" }
}

// Reading back what was printed.
extension CalendarTime {
    /// Reads `logText`; `nil` for anything that was not printed so, impossible dates included.
    init?(logText text: some StringProtocol) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1] == "-", parts[3] == "U" else { return nil }
        let clock = parts[0].split(separator: ":").compactMap { Int($0) }
        let date = parts[2].split(separator: "/").compactMap { Int($0) }
        guard clock.count == 3, date.count == 3, let found = Self(date: date, clock: clock), found.logText == text
        else { return nil }
        self = found
    }

    private init?(date: [Int], clock: [Int]) {
        guard (2000...2136).contains(date[2]), (1...12).contains(date[1]),
            (1...Self.days(in: date[1], of: date[2])).contains(date[0]),
            (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0..<60).contains(clock[2])
        else { return nil }
        (day, month, year) = (date[0], date[1], date[2])
        (hour, minute, second) = (clock[0], clock[1], clock[2])
    }

    /// The Unix seconds that this was made from.
    var unixSeconds: UInt32 {
        let years = year - 2000
        var days = years * 365 + (years + 3) / 4 + day - 1
        for earlier in 1..<month { days += Self.days(in: earlier, of: year) }
        return UInt32(truncatingIfNeeded: days * 86_400 + hour * 3600 + minute * 60 + second) &+ Self.epoch
    }
}
