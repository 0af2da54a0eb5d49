/// Measures of how unequally a quantity, for example airtime, is spread over the nodes that the values belong to.
///
/// All of them throw `StatisticsError` for a negative value. They are nil where all values are zero: nothing is shared.
extension Sample {
    /// The Gini coefficient: 0 where all have the same, (n − 1) / n where one has all.
    func gini() throws(StatisticsError) -> Double? {
        guard let parts = try parts() else { return nil }
        let count = Double(parts.count)
        var weighted = 0.0
        var sum = 0.0
        for (index, part) in parts.enumerated() {
            weighted += (2 * Double(index + 1) - count - 1) * part
            sum += part
        }
        return weighted / (count * sum)
    }

    /// Returns the share of the total that the greatest values have, for example the top 0.1 of the nodes.
    ///
    /// Where the top is not a whole number of values, the last one counts in part: a point of the Lorenz curve.
    /// Throws for a top outside 0...1 as well.
    func share(ofTop top: Double = 0.1) throws(StatisticsError) -> Double? {
        try StatisticsError.check(top, "top", in: 0...1)
        guard let parts = try parts() else { return nil }
        var left = top * Double(parts.count)
        var taken = 0.0
        for part in parts.reversed() where left > 0 {
            taken += part * min(left, 1)
            left -= 1
        }
        return min(taken / parts.reduce(0, +), 1)
    }

    /// The values as parts of the greatest, so that no sum or square overflows; nil where all are zero.
    private func parts() throws(StatisticsError) -> [Double]? {
        guard let least = sorted.first, let greatest = sorted.last else { return nil }
        try StatisticsError.check(least, "values", in: 0...Double.greatestFiniteMagnitude)
        guard greatest > 0 else { return nil }
        return sorted.map { $0 / greatest }
    }
}
