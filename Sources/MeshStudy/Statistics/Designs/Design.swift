/// The points at which an experiment is run: one value per parameter and point.
struct Design: Hashable, Sendable {
    let parameters: [Parameter]
    /// Each has a value per parameter, in their order.
    let points: [[Double]]

    /// The most points of a design, and the most levels of a parameter.
    static let mostPoints = 1_000_000

    /// Every combination of evenly spread levels; the last parameter changes fastest.
    ///
    /// Whole numbers that levels share are used once.
    ///
    /// - Throws: `StatisticsError` without parameters, for a repeated name, less than one level, or too many
    ///   points. Also when the counts of levels are more or fewer than the parameters.
    static func grid(_ parameters: [Parameter], levels: [Int]) throws(StatisticsError) -> Design {
        try check(parameters)
        try StatisticsError.check(levels.count, "levels", in: parameters.count...parameters.count)
        var values: [[Double]] = []
        var total = 1
        for (parameter, count) in zip(parameters, levels) {
            try StatisticsError.check(count, "levels", in: 1...mostPoints)
            values.append(parameter.levels(count))
            // Before anything of that size is made; both factors are at most a million.
            total *= values[values.count - 1].count
            try StatisticsError.check(total, "points", in: 1...mostPoints)
        }
        var points: [[Double]] = [[]]
        for levels in values { points = points.flatMap { point in levels.map { point + [$0] } } }
        return Design(parameters: parameters, points: points)
    }

    /// A Latin hypercube: each parameter's range has as many equal strata as points, and one point in each of them.
    ///
    /// So few points cover every range evenly, however many parameters there are (McKay, Beckman, Conover 1979). The
    /// parameters draw in their order: one more at the end does not change the values of the others.
    ///
    /// - Throws: `StatisticsError` without parameters, for a repeated name, or a count of points outside 1...1,000,000.
    static func latinHypercube(
        _ parameters: [Parameter], points count: Int, using random: inout some RandomNumberGenerator
    ) throws(StatisticsError) -> Design {
        try check(parameters)
        try StatisticsError.check(count, "points", in: 1...mostPoints)
        var points = [[Double]](repeating: [], count: count)
        for parameter in parameters {
            var strata = Array(0..<count)
            for index in strata.indices.reversed() { strata.swapAt(index, random.index(below: index + 1)) }
            for (index, stratum) in strata.enumerated() {
                points[index].append(parameter.draw(at: (Double(stratum) + random.unit()) / Double(count)))
            }
        }
        return Design(parameters: parameters, points: points)
    }

    private static func check(_ parameters: [Parameter]) throws(StatisticsError) {
        guard !parameters.isEmpty else { throw StatisticsError("parameters", .empty) }
        for (index, parameter) in parameters.enumerated()
        where parameters[..<index].contains(where: { $0.name == parameter.name }) {
            throw StatisticsError(parameter.name, .repeated)
        }
    }
}
