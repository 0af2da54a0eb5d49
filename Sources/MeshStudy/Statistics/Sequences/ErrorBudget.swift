/// The probability of any false verdict in an experiment, shared out among its metrics and comparisons.
///
/// The shares are equal (Bonferroni). The union bound behind it holds under any dependence between the metrics. It also
/// holds at every look, as each sequence keeps its share at all looks together. Step-down methods such as Holm's use an
/// order of p-values that changes from look to look; under optional stopping they give no such promise here.
package struct ErrorBudget: Hashable, Sendable {
    /// The probability for the whole experiment, above 0 and below 1.
    package let alpha: Double
    /// The number of intervals that share it: metrics times comparisons, all that may be judged.
    package let intervals: Int

    /// - Throws: `StatisticsError` for an alpha outside 1e-90...0.999, or a count outside 1...1,000,000.
    package init(alpha: Double, intervals: Int) throws(StatisticsError) {
        try StatisticsError.check(alpha, "alpha", in: 1e-90...0.999)
        try StatisticsError.check(intervals, "intervals", in: 1...1_000_000)
        self.alpha = alpha
        self.intervals = intervals
    }

    /// The alpha of each `ConfidenceSequence`.
    package var share: Double { alpha / Double(intervals) }
}
