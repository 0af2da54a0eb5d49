/// The reason why a tap does not start, or stops.
public struct TapError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without its full stop.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
