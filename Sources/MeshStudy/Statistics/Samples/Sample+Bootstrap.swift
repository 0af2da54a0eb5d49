extension Sample {
    /// A percentile bootstrap interval of a figure, for figures without a sequence of intervals, such as quantiles.
    ///
    /// It is approximate, and made for one look at a sample of fixed size: no verdict may stop an experiment by it.
    /// The same generator state gives the same interval, in whichever order the values came.
    ///
    /// - Parameters:
    ///   - alpha: The share of resamples that lies outside, in 1e-6...0.999.
    ///   - replicates: How many resamples are drawn, in 10...1,000,000.
    ///   - random: Gives one number per value and resample.
    ///   - figure: Made from a resample of the same count.
    /// - Throws: `StatisticsError` for arguments outside their ranges, or a figure that is nil or not finite.
    func bootstrap(
        alpha: Double, replicates: Int = 1000, using random: inout some RandomNumberGenerator,
        figure: (Sample) -> Double?
    ) throws(StatisticsError) -> ClosedRange<Double> {
        try StatisticsError.check(alpha, "alpha", in: 1e-6...0.999)
        try StatisticsError.check(replicates, "replicates", in: 10...1_000_000)
        var figures: [Double] = []
        figures.reserveCapacity(replicates)
        for _ in 0..<replicates {
            guard let value = figure(resample(using: &random)), value.isFinite else {
                throw StatisticsError("figure", .notFinite)
            }
            figures.append(value)
        }
        let spread = try Sample(figures)
        let low = try spread.quantile(alpha / 2)
        let high = try spread.quantile(1 - alpha / 2)
        return low...max(low, high)
    }

    /// As many values, drawn with replacement. Counting the draws keeps the order without another sort.
    private func resample(using random: inout some RandomNumberGenerator) -> Sample {
        var draws = [Int](repeating: 0, count: count)
        for _ in 0..<count { draws[random.index(below: count)] += 1 }
        var values: [Double] = []
        values.reserveCapacity(count)
        for (value, times) in zip(sorted, draws) {
            for _ in 0..<times { values.append(value) }
        }
        return Sample(sorted: values)
    }
}
