/// The parts of a file that could not be read: the first of them, and their number in all.
public struct KeptProblems: Hashable, Sendable {
    /// The number of problems that are kept.
    public static let limit = 1000

    private var first: [CaptureProblem] = []
    /// All of them.
    public private(set) var count = 0

    public init() {}

    /// Counts a problem, and keeps it if fewer than `limit` are kept.
    public mutating func note(_ problem: CaptureProblem) {
        count += 1
        if first.count < Self.limit { first.append(problem) }
    }

    /// The problems that were kept, and where there were more a last one with their number.
    public var list: [CaptureProblem] {
        guard count > first.count, let last = first.last else { return first }
        return first + [
            CaptureProblem(offset: last.offset, number: last.number, "\(count - first.count) more behind it")
        ]
    }
}
