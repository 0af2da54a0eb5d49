import MeshSimulator
public import MeshWorlds

/// A measurement of a run: one number for each seed and arm, from 0 on.
public struct StudyMetric: Sendable {
    /// The name in files, tables and rows.
    public let name: String
    /// The description for people.
    public let summary: String
    /// Tells whether a greater value is the better one.
    public let isMoreBetter: Bool
    /// The greatest value that a study counts where it names no other one, in the unit of the metric.
    public private(set) var most: Double
    /// Differences within it are of no interest, in the unit of the metric; `nil` until a study says so with `within`.
    public private(set) var margin: Double?
    /// Tells whether it is none of those that every study may name.
    let isOwn: Bool
    /// The value of a run; infinite where there is none, because nothing was delivered.
    let value: @Sendable (MeshSummary, WorldPlan) -> Double

    /// A metric of your own.
    ///
    /// ```swift
    /// let slowest = StudyMetric("slowest", "longest time until a delivery, in s", most: 60) { run in
    ///     let longest = run.deliveries.filter { $0.delivered > 0 }.map(\.latencyMilliseconds.longest).max()
    ///     return longest.map { Double($0) / 1000 } ?? .infinity
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: 1 to 40 bytes without comma, colon and quotation mark, that no other metric has.
    ///   - summary: what it is, for people.
    ///   - most: the greatest value that counts, in the unit of the metric; more than 0.
    ///   - isMoreBetter: whether a greater value is the better one.
    ///   - value: the value of a run, 0 or more; `.infinity` where there is none, which counts as `most`. Equal runs
    ///     must give equal values, or units cannot be put together.
    public init(
        _ name: String, _ summary: String, most: Double = 1, isMoreBetter: Bool = false,
        value: @escaping @Sendable (MeshSummary) -> Double
    ) {
        self.init(name, summary, most: most, isMoreBetter: isMoreBetter, isOwn: true) { run, _ in value(run) }
    }

    init(
        _ name: String, _ summary: String, most: Double = 1, isMoreBetter: Bool = false, isOwn: Bool = false,
        of value: @escaping @Sendable (MeshSummary, WorldPlan) -> Double
    ) {
        (self.name, self.summary, self.most, self.isMoreBetter) = (name, summary, most, isMoreBetter)
        self.isOwn = isOwn
        self.value = value
    }

    /// The metric with what a study compares of it.
    ///
    /// - Parameters:
    ///   - margin: differences within it are of no interest, in the unit of the metric; more than 0.
    ///   - most: the greatest value that counts, in the unit of the metric; that of the metric without one.
    public func within(_ margin: Double, most: Double? = nil) -> StudyMetric {
        var metric = self
        metric.margin = margin
        metric.most = most ?? self.most
        return metric
    }
}

// A name is one metric within a study.
extension StudyMetric: Hashable {
    public static func == (one: StudyMetric, other: StudyMetric) -> Bool { one.name == other.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
