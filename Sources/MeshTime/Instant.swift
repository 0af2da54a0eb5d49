/// A length of time in whole microseconds.
@frozen
public struct TimeSpan: Hashable, Comparable, Codable, Sendable {
    /// The length; below zero for a time that lies before another.
    public var microseconds: Int64

    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// A length in microseconds.
    @inlinable
    public static func microseconds(_ count: some BinaryInteger) -> TimeSpan { TimeSpan(microseconds: Int64(count)) }
    /// A length in milliseconds.
    @inlinable
    public static func milliseconds(_ count: some BinaryInteger) -> TimeSpan {
        TimeSpan(microseconds: Int64(count) * 1000)
    }
    /// A length in seconds.
    @inlinable
    public static func seconds(_ count: some BinaryInteger) -> TimeSpan {
        TimeSpan(microseconds: Int64(count) * 1_000_000)
    }

    public static let zero = TimeSpan(microseconds: 0)

    /// Whole milliseconds, truncated.
    @inlinable public var milliseconds: Int64 { microseconds / 1000 }

    @inlinable public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.microseconds < b.microseconds }
    @inlinable public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: a.microseconds + b.microseconds)
    }
    @inlinable public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: a.microseconds - b.microseconds)
    }
    @inlinable public static func * (a: TimeSpan, b: Int64) -> TimeSpan { TimeSpan(microseconds: a.microseconds * b) }
}

/// A moment of a run: microseconds since the run began.
///
/// Nothing below the shells asks a clock; the caller passes `now`.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
    /// Time since the run began.
    public var microseconds: Int64

    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The moment that many microseconds after the run began.
    @inlinable
    public static func microseconds(_ count: some BinaryInteger) -> Instant { Instant(microseconds: Int64(count)) }
    /// The moment that many milliseconds after the run began.
    @inlinable
    public static func milliseconds(_ count: some BinaryInteger) -> Instant {
        Instant(microseconds: Int64(count) * 1000)
    }
    /// The moment that many seconds after the run began.
    @inlinable
    public static func seconds(_ count: some BinaryInteger) -> Instant {
        Instant(microseconds: Int64(count) * 1_000_000)
    }

    /// The beginning of the run.
    public static let start = Instant(microseconds: 0)
    /// Later than any event.
    public static let never = Instant(microseconds: .max)

    /// Whole milliseconds since the run began, truncated.
    @inlinable public var milliseconds: Int64 { microseconds / 1000 }

    @inlinable public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
    @inlinable
    public static func + (a: Instant, b: TimeSpan) -> Instant { Instant(microseconds: a.microseconds + b.microseconds) }
    @inlinable
    public static func - (a: Instant, b: TimeSpan) -> Instant { Instant(microseconds: a.microseconds - b.microseconds) }
    @inlinable
    public static func - (a: Instant, b: Instant) -> TimeSpan {
        TimeSpan(microseconds: a.microseconds - b.microseconds)
    }
    @inlinable
    public static func += (a: inout Instant, b: TimeSpan) { a = a + b }
}

extension TimeSpan: CustomStringConvertible {
    public var description: String { "\(Double(microseconds) / 1000) ms" }
}

extension Instant: CustomStringConvertible {
    public var description: String { "\(Double(microseconds) / 1_000_000) s" }
}
