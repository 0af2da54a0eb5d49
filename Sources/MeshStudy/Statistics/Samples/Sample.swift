import MeshWire

/// Finite values in ascending order, at least one.
///
/// Every figure comes from the sorted values, so the order in which results arrive changes no bit of it.
struct Sample: Hashable, Sendable {
    let sorted: [Double]

    /// - Throws: `StatisticsError` without values, or where one is not finite.
    init(_ values: some Sequence<Double>) throws(StatisticsError) {
        // Adding zero turns minus zero, which sorts like zero, into it.
        let sorted = values.map { $0 + 0 }.sorted()
        guard !sorted.isEmpty else { throw StatisticsError("values", .empty) }
        guard sorted.allSatisfy(\.isFinite) else { throw StatisticsError("values", .notFinite) }
        self.sorted = sorted
    }

    /// Makes a sample of values that are finite, sorted and not empty.
    init(sorted: [Double]) {
        self.sorted = sorted
    }

    var count: Int { sorted.count }

    /// The arithmetic mean, in the unit of the values.
    var mean: Double {
        let count = Double(count)
        let sum = sorted.reduce(0, +)
        // Only sums beyond what a Double holds are made from quotients, which round more often.
        return sum.isFinite ? sum / count : sorted.reduce(0) { $0 + $1 / count }
    }

    /// The value below which a share of the sample lies, interpolated linearly between neighbours.
    ///
    /// This is the default of numpy and type 7 of Hyndman and Fan (1996). The share 0.5 gives the median.
    ///
    /// - Throws: `StatisticsError` for a share outside 0...1.
    func quantile(_ share: Double) throws(StatisticsError) -> Double {
        try StatisticsError.check(share, "share", in: 0...1)
        let position = share * Double(count - 1)
        let index = Int(wholePart: position, in: 0...count - 1)
        let rest = position - Double(index)
        let low = sorted[index]
        let high = sorted[min(index + 1, count - 1)]
        let gap = high - low
        guard gap.isFinite else { return low * (1 - rest) + high * rest }
        // From the nearer end, as numpy does: the result then never passes the other end.
        return rest < 0.5 ? low + gap * rest : high - gap * (1 - rest)
    }
}
