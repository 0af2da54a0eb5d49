/// What is wrong with an hour, by kind.
struct HourFindings: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Somebody was told that it arrived, and it is not there.
        case lost
        /// It is there more than once.
        case doubled
        /// A status, a count or a conversation says something that is not so.
        case untrue
    }

    /// Findings that are kept as text; more are only counted.
    private static let limit = 40

    private(set) var counts: [Kind: Int] = [:]
    private(set) var texts: [String] = []

    mutating func add(_ kind: Kind, _ text: @autoclosure () -> String) {
        counts[kind, default: 0] += 1
        if texts.count < Self.limit { texts.append("\(kind.rawValue): \(text())") }
    }

    subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

    /// One row is right; none is a loss when it must be there, and more than one never is.
    mutating func count(_ rows: Int, of what: @autoclosure () -> String, mustBeThere: Bool) {
        if rows == 0, mustBeThere { add(.lost, "\(what()) is not stored") }
        if rows > 1 { add(.doubled, "\(what()) is stored \(rows) times") }
    }
}
