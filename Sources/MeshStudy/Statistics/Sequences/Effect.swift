/// A mean, for example of paired differences, with the interval of one look.
///
/// A paired difference is the metric of the first arm less that of the second, at the same seed.
package struct Effect: Hashable, Sendable {
    /// The number of observations that it is made from.
    package let count: Int
    /// The plain mean in the unit of the observations; nil without observations.
    ///
    /// It may lie outside the interval where the observations drift.
    package let mean: Double?
    /// Holds the true mean at all looks together, but for a probability of `alpha` at most.
    package let interval: ClosedRange<Double>
    /// The largest probability with which a sequence of such intervals may miss.
    package let alpha: Double
}
