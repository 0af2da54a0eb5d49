public import FoundationEssentials
import MeshWire

extension Date {
    /// The UTC seconds since 1970, rounded down; a time outside of calendars is moved to the nearest end.
    var wholeSecondsSince1970: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        guard !seconds.isNaN else { return 0 }
        return Int64(wholePart: seconds, in: -1 << 53...1 << 53)
    }
}

/// A date without fractions of a second, so that a row read back equals the row written.
@propertyWrapper
public struct WholeSeconds<Value: WholeSecondsValue>: Hashable, Sendable {
    private var value: Value

    public init(wrappedValue: Value) {
        value = wrappedValue.inWholeSeconds
    }

    /// The date without fractions of a second.
    public var wrappedValue: Value {
        get { value }
        set { value = newValue.inWholeSeconds }
    }
}

/// A date, or a date that may be missing.
public protocol WholeSecondsValue: Hashable, Sendable {
    /// The same without fractions of a second.
    var inWholeSeconds: Self { get }
}

extension Date: WholeSecondsValue {
    public var inWholeSeconds: Date { Date(timeIntervalSince1970: Double(wholeSecondsSince1970)) }
}

extension Optional: WholeSecondsValue where Wrapped == Date {
    public var inWholeSeconds: Date? { map(\.inWholeSeconds) }
}
