/// Values with weights, for example hops with their numbers of messages, and how far two of them are apart.
///
/// Equal values are merged, so histograms of parts may be joined into one of the whole.
struct Histogram: Hashable, Sendable {
    /// A value and how often it occurred.
    struct Bin: Hashable, Sendable {
        var value: Double
        /// Zero or more; not only whole numbers.
        var weight: Double

        init(_ value: Double, _ weight: Double) {
            self.value = value
            self.weight = weight
        }
    }

    /// Ascending and different values, each with a weight above zero.
    let bins: [Bin]
    /// The sum of the weights; above zero and finite.
    let total: Double

    /// - Throws: `StatisticsError` where a value or a weight is not finite, or a weight is negative. So it does where
    ///   the sum of the weights is zero or overflows.
    init(_ bins: some Sequence<Bin>) throws(StatisticsError) {
        var kept: [Bin] = []
        for bin in bins {
            guard bin.value.isFinite else { throw StatisticsError("value", .notFinite) }
            try StatisticsError.check(bin.weight, "weight", in: 0...Double.greatestFiniteMagnitude)
            guard bin.weight > 0 else { continue }
            kept.append(Bin(bin.value + 0, bin.weight))
        }
        // By weight too: sums of equal values then do not depend on the order in which they came.
        kept.sort { ($0.value, $0.weight) < ($1.value, $1.weight) }
        var merged: [Bin] = []
        for bin in kept {
            if let last = merged.indices.last, merged[last].value == bin.value {
                merged[last].weight += bin.weight
            } else {
                merged.append(bin)
            }
        }
        let total = merged.reduce(0) { $0 + $1.weight }
        guard !merged.isEmpty else { throw StatisticsError("bins", .empty) }
        guard total.isFinite else { throw StatisticsError("weight", .notFinite) }
        self.bins = merged
        self.total = total
    }

    /// Each value of a sample with weight one.
    init(_ sample: Sample) {
        var merged: [Bin] = []
        for value in sample.sorted {
            if let last = merged.indices.last, merged[last].value == value {
                merged[last].weight += 1
            } else {
                merged.append(Bin(value, 1))
            }
        }
        bins = merged
        total = Double(sample.count)
    }

    /// The Wasserstein-1 distance of the two distributions, in the unit of the values.
    ///
    /// It is how far weight has to be moved on average to turn one into the other: the area between the two cumulative
    /// distributions. Infinite where the values lie further apart than a Double holds.
    func wasserstein(to other: Histogram) -> Double {
        var area = 0.0
        var height = 0.0
        var previous = 0.0
        walk(with: other) { value, share, otherShare in
            // Also keeps zero heights away from infinite gaps, and the first value from an imagined one before it.
            if height != 0 { area += height.magnitude * (value - previous) }
            height = share - otherShare
            previous = value
        }
        return area
    }

    /// Visits all values of both in ascending order, with the share of either's weight up to and with that value.
    private func walk(with other: Histogram, visit: (Double, Double, Double) -> Void) {
        var (index, otherIndex) = (0, 0)
        var (weight, otherWeight) = (0.0, 0.0)
        while index < bins.count || otherIndex < other.bins.count {
            let mine = index < bins.count ? bins[index].value : .infinity
            let theirs = otherIndex < other.bins.count ? other.bins[otherIndex].value : .infinity
            if mine <= theirs {
                weight += bins[index].weight
                index += 1
            }
            if theirs <= mine {
                otherWeight += other.bins[otherIndex].weight
                otherIndex += 1
            }
            visit(min(mine, theirs), weight / total, otherWeight / other.total)
        }
    }
}

extension Sample {
    /// The Wasserstein-1 distance to another sample, which may have another count; see `Histogram`.
    func wasserstein(to other: Sample) -> Double { Histogram(self).wasserstein(to: Histogram(other)) }
}
