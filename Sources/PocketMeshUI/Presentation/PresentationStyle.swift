public import Foundation

/// The style in which times and numbers are written: the language and place of the reader.
public struct PresentationStyle: Sendable, Hashable {
    /// The language and its rules.
    public var locale: Locale
    /// The time zone of the reader.
    public var timeZone: TimeZone

    /// The host's, unless others are named.
    public init(locale: Locale = .current, timeZone: TimeZone = .current) {
        self.locale = locale
        self.timeZone = timeZone
    }

    /// The time of day of a message.
    public func time(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(date: .omitted, time: .shortened, locale: locale, calendar: calendar, timeZone: timeZone))
    }

    /// The day of a message.
    public func day(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale, calendar: calendar, timeZone: timeZone)
        )
    }

    /// Day and time.
    public func dateAndTime(_ date: Date) -> String { "\(day(date)), \(time(date))" }

    var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.locale = locale
        return calendar
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
        isNewDay = previous.map { !style.calendar.isDate($0, inSameDayAs: date) } ?? true
        isShown = isNewDay || previous.map { date.timeIntervalSince($0) >= Self.pause } ?? true
        text = isNewDay ? style.dateAndTime(date) : style.time(date)
    }
}
