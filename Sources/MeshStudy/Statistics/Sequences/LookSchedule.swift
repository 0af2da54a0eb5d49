import MeshWire

/// The numbers of observations at which an experiment reads its intervals: a geometric series from a first to a
/// last count.
///
/// The intervals allow a look at any time; the schedule only keeps the work of the looks in proportion to that of the
/// runs. The last count is the experiment's bound: there it ends with the verdicts that it has.
///
/// ```swift
/// let schedule = try LookSchedule(first: 20, factor: 1.1, last: 10_000)
/// while let next = schedule.next(after: count, verdicts: primaryVerdicts) { … }
/// ```
package struct LookSchedule: Hashable, Sendable {
    /// The least number of observations that a verdict is made from.
    package let first: Int
    /// By what each count exceeds the one before it; at least by one.
    package let factor: Double
    /// The greatest number of observations; always looked at.
    package let last: Int

    /// - Throws: `StatisticsError` for a first count outside 1...last, a factor outside 1.01...100, or a last count
    ///   outside 1...1,000,000,000.
    package init(first: Int, factor: Double = 1.1, last: Int) throws(StatisticsError) {
        try StatisticsError.check(last, "last", in: 1...1_000_000_000)
        try StatisticsError.check(first, "first", in: 1...last)
        try StatisticsError.check(factor, "factor", in: 1.01...100)
        self.first = first
        self.factor = factor
        self.last = last
    }

    /// All counts, ascending, without repetition.
    package var counts: [Int] {
        var counts: [Int] = []
        var count = 0
        while let next = next(after: count) {
            counts.append(next)
            count = next
        }
        return counts
    }

    /// The next count at which to look; nil after the last one.
    package func next(after count: Int) -> Int? {
        guard count < last else { return nil }
        var look = first
        while look <= count {
            // Rounded up; the product is below 1e11.
            let product = Double(look) * factor
            let whole = Int(wholePart: product, in: 0...last)
            look = min(max(Double(whole) < product ? whole + 1 : whole, look + 1), last)
        }
        return look
    }

    /// The same, and nil as soon as each primary metric has a verdict.
    ///
    /// Without any verdicts there is no primary metric, and the schedule continues to its last count.
    package func next(after count: Int, verdicts: [Verdict]) -> Int? {
        guard count < first || verdicts.isEmpty || verdicts.contains(.inconclusive) else { return nil }
        return next(after: count)
    }
}
