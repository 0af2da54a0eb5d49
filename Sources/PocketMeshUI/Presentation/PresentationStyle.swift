public import FoundationEssentials
import MeshFiles
import MeshWire

/// The style in which times are written, and the place of the reader.
///
/// The words and the order of a date are in the table of texts.
public struct PresentationStyle: Sendable, Hashable {
    /// The count of hours of a day: to 12 twice, or to 24.
    public enum HourCount: Sendable, Hashable {
        case twelve, twentyFour
    }

    /// The local time of a reader.
    public enum LocalTime: Sendable, Hashable {
        /// The host's, with its changes in spring and autumn.
        case host
        /// A time that is always as far ahead of UTC.
        case fixed(secondsFromUTC: Int)
    }

    /// The count of hours of a day.
    public var hours: HourCount
    /// The local time of the reader.
    public var localTime: LocalTime
    /// The ISO code of the reader's country, as in `DE`: its radio presets come first.
    public var country: String?

    /// The host's time, unless another is named.
    public init(hours: HourCount = .twelve, localTime: LocalTime = .host, country: String? = nil) {
        self.hours = hours
        self.localTime = localTime
        self.country = country
    }

    /// The time of day of a message.
    public func time(_ date: Date) -> String {
        let fields = fields(of: date)
        let (hour, minute) = (fields.hour ?? 0, fields.minute ?? 0)
        let minutes = (minute < 10 ? "0" : "") + "\(minute)"
        // Some languages write 24 hours only.
        switch Texts.string(.hoursOfDay) == "24" ? .twentyFour : hours {
        case .twentyFour: return Texts.string(.timeOfDay, "\(hour)", minutes)
        case .twelve:
            let key: TextKey = hour < 12 ? .timeMorning : .timeAfternoon
            return Texts.string(key, "\((hour + 11) % 12 + 1)", minutes)
        }
    }

    /// The day of a message.
    public func day(_ date: Date) -> String {
        let fields = fields(of: date)
        let month = Texts.string(Self.months[(fields.month ?? 1) - 1])
        return Texts.string(.dateDay, "\(fields.day ?? 1)", month, "\(fields.year ?? 1970)")
    }

    /// Day and time.
    public func dateAndTime(_ date: Date) -> String { "\(day(date)), \(time(date))" }

    /// Tells whether two dates are of one day of the reader's.
    func isOneDay(_ first: Date, _ second: Date) -> Bool {
        let (first, second) = (fields(of: first), fields(of: second))
        return (first.year, first.month, first.day) == (second.year, second.month, second.day)
    }

    private static let months: [TextKey] = [
        .monthJanuary, .monthFebruary, .monthMarch, .monthApril, .monthMay, .monthJune, .monthJuly, .monthAugust,
        .monthSeptember, .monthOctober, .monthNovember, .monthDecember,
    ]

    /// The fields of local time.
    ///
    /// The library's own time zones need its tables of languages, which are a third of a program.
    private func fields(of date: Date) -> DateComponents {
        let offset =
            switch localTime {
            case .host: HostZone.secondsFromUTC(at: Int64(wholePart: date.timeIntervalSince1970))
            case .fixed(let seconds): seconds
            }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.dateComponents(
            [.year, .month, .day, .hour, .minute], from: date.addingTimeInterval(TimeInterval(offset)))
    }
}

/// The line of time above a message, and whether it begins a group.
public struct MessageTimestamp: Codable, Sendable, Hashable {
    /// The pause after which a message has its time above it, in seconds.
    static let pause: TimeInterval = 300

    /// The time as it is written, with the day where that has changed.
    public var text: String
    /// True when a page writes the line: at the first message, after a pause, and on another day.
    public var isShown: Bool
    /// True when the day is another one than before.
    public var isNewDay: Bool

    /// The line above a message that came at `date`, below one that came at `previous`.
    public init(_ date: Date, after previous: Date?, style: PresentationStyle) {
        isNewDay = previous.map { !style.isOneDay($0, date) } ?? true
        isShown = isNewDay || previous.map { date.timeIntervalSince($0) >= Self.pause } ?? true
        text = isNewDay ? style.dateAndTime(date) : style.time(date)
    }
}
