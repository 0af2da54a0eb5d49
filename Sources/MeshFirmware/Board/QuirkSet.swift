public import MeshCompanion

/// The set of quirks that a node has.
public struct QuirkSet: Hashable, Sendable {
    private var bits: UInt64

    /// Firmware 1.17.1 as it is.
    public static let all = QuirkSet(Quirk.allCases)
    /// A node without any quirk.
    public static let none = QuirkSet([])

    /// Exactly these quirks.
    public init(_ quirks: some Sequence<Quirk>) {
        bits = quirks.reduce(0) { $0 | Self.bit(of: $1) }
    }

    /// Returns whether the node has this quirk.
    public func contains(_ quirk: Quirk) -> Bool { bits & Self.bit(of: quirk) != 0 }

    /// Removes a quirk; without effect when it is not there.
    public mutating func remove(_ quirk: Quirk) { bits &= ~Self.bit(of: quirk) }
    /// Adds a quirk; without effect when it is there.
    public mutating func insert(_ quirk: Quirk) { bits |= Self.bit(of: quirk) }

    /// The same set without this quirk.
    public func removing(_ quirk: Quirk) -> QuirkSet {
        var copy = self
        copy.remove(quirk)
        return copy
    }

    /// A bit that no other quirk has: an enumeration without associated values is stored as a number.
    ///
    /// Passes ask for quirks; a search among all of them would cost as much as the rest of the question.
    @inline(__always)
    private static func bit(of quirk: Quirk) -> UInt64 {
        1 << UInt64(withUnsafeBytes(of: quirk) { $0[0] } & 63)
    }
}
