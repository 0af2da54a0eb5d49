/// Intervals for the mean of bounded observations that may be read after every one of them.
///
/// With probability at least 1 − alpha, every interval of the whole sequence holds the mean. So a run may stop at any
/// look, for any reason, and the last interval stays valid. What must be fixed beforehand: range, alpha, stake, and the
/// order of the observations, for example that of the seeds. Observations may depend on earlier ones, as long as each
/// has the same mean given those.
///
/// The method is the hedged capital process of Waudby-Smith and Ramdas with their predictable plug-in bets. It is
/// described in "Estimating means of bounded random variables by betting" (2024). For each possible mean, one
/// player bets that the observations lie above it, another that they lie below it. The interval holds the means
/// against which neither has multiplied its capital by 2 / alpha. Intervals of earlier looks are not intersected:
/// the result depends on the observations alone, and not on the times of the looks.
///
/// ```swift
/// var difference = try ConfidenceSequence(range: -1...1, alpha: 0.05)
/// try difference.record(0.03)
/// let effect = difference.look()
/// ```
package struct ConfidenceSequence: Sendable {
    /// The range of every observation; its width is finite and above zero.
    package let range: ClosedRange<Double>
    /// The largest probability with which the sequence may miss the mean, in 1e-100...0.999.
    package let alpha: Double
    /// The largest share of its capital that one bet may lose, in 0.01...0.99; 0.5 in the reference implementation.
    ///
    /// Higher stakes need fewer observations where these spread over a small part of the range. An example: range
    /// -1...1, standard deviation 0.05, effect 0.02, margin 0.005, alpha 0.05. The verdict needed 559 observations
    /// with 0.5, and 313 with 0.9 (medians). A narrower range helps as well: 284 with half of it and 0.5.
    package let stake: Double

    /// Observations, where 0 is the range's lower end and 1 its upper end.
    private(set) var fractions: [Double] = []
    /// The bet of either player on the observation of the same index, before the stake limits it.
    private(set) var bets: [Double] = []
    private let width: Double
    /// The natural logarithm of 2 / alpha, twice.
    private let appetite: Double
    /// The sum of the fractions and of one imagined observation in the middle of the range.
    private var sum = 0.5
    /// The squared deviations and that of the imagined observation, a quarter.
    private var deviations = 0.25

    /// - Throws: `StatisticsError` where the range has no finite width, or alpha or stake lies outside its range.
    package init(range: ClosedRange<Double>, alpha: Double, stake: Double = 0.5) throws(StatisticsError) {
        width = try StatisticsError.width(of: range, "range")
        try StatisticsError.check(alpha, "alpha", in: 1e-100...0.999)
        try StatisticsError.check(stake, "stake", in: 0.01...0.99)
        self.range = range
        self.alpha = alpha
        self.stake = stake
        appetite = 2 * Elementary.log(2 / alpha)
    }

    /// The number of observations.
    package var count: Int { fractions.count }

    /// The mean of the observations; nil without any.
    package var mean: Double? {
        guard !fractions.isEmpty else { return nil }
        return value(at: (sum - 0.5) / Double(count))
    }

    /// Records one observation, in the order that was fixed beforehand.
    ///
    /// - Throws: `StatisticsError` for NaN and what lies outside the range; the sequence then stays as it is. An
    ///   experiment must not leave such an observation out: that would change the mean in question.
    package mutating func record(_ observation: Double) throws(StatisticsError) {
        try StatisticsError.check(observation, "observation", in: range)
        let fraction = (observation - range.lowerBound) / width
        let number = Double(count + 1)
        // The bet knows the earlier observations only; this makes the capital a martingale.
        let variance = deviations / number
        bets.append((appetite / (number * Elementary.log(1 + number) * variance)).squareRoot())
        fractions.append(fraction)
        sum += fraction
        let deviation = fraction - sum / (number + 1)
        deviations += deviation * deviation
    }

    /// The mean and its interval as of now; needs some hundred additions and multiplications per observation.
    package func look() -> Effect {
        Effect(count: count, mean: mean, interval: interval, alpha: alpha)
    }

    /// The means that the observations do not contradict.
    ///
    /// Where they contradict all, because their mean changes on the way, it is the whole range.
    private var interval: ClosedRange<Double> {
        let lower = lowerFraction
        let upper = upperFraction
        guard lower <= upper else { return range }
        return value(at: lower)...value(at: upper)
    }

    private func value(at fraction: Double) -> Double {
        guard fraction < 1 else { return range.upperBound }
        return min(max(range.lowerBound + fraction * width, range.lowerBound), range.upperBound)
    }
}

// The capital of the player who bets upwards never grows with the mean in question: `bet * (observation - mean)` falls.
// So does `stake * (observation / mean - 1)`, where the stake limits the bet. The other player is the mirror image.
// So the means that stay form an interval, whose ends bisection finds.
extension ConfidenceSequence {
    /// The greatest fraction found to be contradicted from above, so that rounding never makes the interval smaller.
    private var lowerFraction: Double {
        guard contradicts(0, .upward) else { return 0 }
        return bisected(contradicted: 0, open: 1, .upward)
    }

    private var upperFraction: Double {
        guard contradicts(1, .downward) else { return 1 }
        return bisected(contradicted: 1, open: 0, .downward)
    }

    private func bisected(contradicted: Double, open: Double, _ side: Side) -> Double {
        var contradicted = contradicted
        var open = open
        for _ in 0..<52 {
            let middle = (contradicted + open) / 2
            if contradicts(middle, side) { contradicted = middle } else { open = middle }
        }
        return contradicted
    }

    enum Side { case upward, downward }

    /// Returns whether one player has multiplied its capital by more than 2 / alpha against a mean in 0...1.
    func contradicts(_ mean: Double, _ side: Side) -> Bool {
        capital(against: mean, side).exceeds(2 / alpha)
    }

    /// Returns what one unit of capital has become. Each factor lies above zero, as the stake is below one.
    func capital(against mean: Double, _ side: Side) -> Capital {
        let sign = side == .upward ? 1.0 : -1.0
        let limit = stake / (side == .upward ? mean : 1 - mean)
        var capital = Capital()
        var index = 0
        // A plain loop: iterators and `min` are several times slower in a debug build.
        while index < fractions.count {
            let bet = bets[index] < limit ? bets[index] : limit
            capital.multiply(by: 1 + sign * bet * (fractions[index] - mean))
            index += 1
        }
        return capital
    }
}
