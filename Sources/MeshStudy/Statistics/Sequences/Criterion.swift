/// The statement of an interval of differences about two arms.
package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The first arm is better by more than the margin.
    case firstBetter
    /// The second arm is better by more than the margin.
    case secondBetter
    /// Neither arm is better by more than the margin.
    case equivalent
    /// The interval crosses an end of the margin: more observations are needed, or the effect is as large as the
    /// margin.
    case inconclusive
}

/// The rule by which the difference of one metric is judged; fixed before the first observation.
///
/// Differences are those of the first arm less the second. The interval is compared with −margin...margin:
///
/// ```
///        −margin    0    margin
///  |--|     |       |       |           wholly below: the second arm has more
///           |   |-----|     |           inside, ends included: equivalent
///           |       |    |-----|        across an end: inconclusive
///           |       |       |   |--|    wholly above: the first arm has more
/// ```
///
/// `moreIsBetter` states whether the arm that has more is the better one: delivery ratio, but not airtime. A
/// verdict is false only when the interval misses the true difference. With a `ConfidenceSequence` this has a
/// probability of alpha at most, whatever the number of looks. A margin of zero asks for any difference;
/// `equivalent` is then out of reach.
package struct Criterion: Hashable, Sendable {
    /// The least difference that matters, in the unit of the metric; zero or more.
    package let margin: Double
    /// False for metrics such as latency or airtime.
    package let moreIsBetter: Bool

    /// - Throws: `StatisticsError` for a margin that is negative or not finite.
    package init(margin: Double, moreIsBetter: Bool) throws(StatisticsError) {
        try StatisticsError.check(margin, "margin", in: 0...Double.greatestFiniteMagnitude)
        self.margin = margin
        self.moreIsBetter = moreIsBetter
    }

    /// Judges an interval of first-less-second differences. An end that is exactly the margin is not beyond it.
    package func verdict(on interval: ClosedRange<Double>) -> Verdict {
        if interval.lowerBound > margin { return moreIsBetter ? .firstBetter : .secondBetter }
        if interval.upperBound < -margin { return moreIsBetter ? .secondBetter : .firstBetter }
        if interval.lowerBound >= -margin, interval.upperBound <= margin { return .equivalent }
        return .inconclusive
    }
}
