import MeshSimulator
import MeshTime
import MeshWorlds

/// A world held against what was observed: every metric that both have, and the names of those that are missing.
package struct TwinComparison: Sendable, Encodable {
    struct Row: Sendable, Encodable {
        var metric: String
        var observedAs: String
        var isGoal: Bool
        var count: Int
        var figures: [TwinFigure]
        /// Wasserstein-1 distance, in the metric's unit; nil where the observation has no distribution.
        var distance: Double?
        /// The same of two bootstrap samples of the observation, 95 % quantile.
        var noise: Double?
        var simulatedBins: [[Double]]
        var observedBins: [[Double]]
    }

    /// A comparison without simulation, on the hops of first copies.
    struct Bar: Sendable, Encodable {
        var name: String
        var median: Double
        var distance: Double?
    }

    package let world: String
    package let observation: String
    package let seeds: Int
    package let backgroundPerHour: Double
    let rows: [Row]
    let bars: [Bar]
    /// The simulation's own distance on the same hops, and the metric that they are of.
    package let barMetric: String
    package let missing: [String]
    package let parameters: String
    /// Figures that the world was fitted on: they are no evidence.
    package let fittedOn: [String]
    /// Share of the measured floods that have enough receptions to count.
    package let completeShare: Double
    /// Seeds in which a rule of the simulator was broken.
    package let brokenSeeds: Int

    package init(
        _ outcomes: [TwinRun.Outcome], run: TwinRun, parameters: TwinParameters, observed: ObservedFile,
        other: ObservedFile? = nil
    ) {
        world = run.world.plan.topology.name
        observation = observed.name
        seeds = outcomes.count
        backgroundPerHour = run.backgroundPerHour
        self.parameters = parameters.json
        fittedOn = parameters.fittedOn
        completeShare =
            TwinMetric.figure(.mean, of: outcomes.flatMap { $0.metrics.values["floods.complete"] ?? [] }) ?? 0
        brokenSeeds = outcomes.count { $0.violations > 0 }
        var rows: [Row] = []
        var missing: [String] = []
        for metric in TwinMetric.all {
            guard let seen = metric.observed(in: observed) else {
                missing.append("\(metric.name): not in the observation")
                continue
            }
            let values = outcomes.flatMap { $0.metrics.values[metric.name] ?? [] }
            let figures = Self.figures(metric, outcomes, values, seen)
            guard !figures.isEmpty, let sample = try? Sample(values) else {
                let reason = values.isEmpty ? "no value in the simulation" : "no figure of it is observed"
                missing.append("\(metric.name): \(reason)")
                continue
            }
            let made = Histogram(sample)
            rows.append(
                Row(
                    metric: metric.name, observedAs: seen.name, isGoal: metric.isGoal, count: values.count,
                    figures: figures, distance: seen.distribution.map { made.wasserstein(to: $0) },
                    noise: seen.noise, simulatedBins: made.bins.map { [$0.value, $0.weight] },
                    observedBins: seen.distribution?.bins.map { [$0.value, $0.weight] } ?? []))
        }
        self.rows = rows
        self.missing = missing
        barMetric = "hops.firstPerObserver"
        bars = Self.bars(outcomes, observed, other)
    }

    private static func figures(
        _ metric: TwinMetric, _ outcomes: [TwinRun.Outcome], _ values: [Double], _ seen: ObservedFile.Metric
    ) -> [TwinFigure] {
        metric.kinds.compactMap { kind in
            guard let observed = TwinMetric.figure(kind, of: seen) else { return nil }
            let own = outcomes.compactMap { TwinMetric.figure(kind, of: $0.metrics.values[metric.name] ?? []) }
            // Loads belong to the relays of one run: pooled they would be those of different origins.
            let isLoad = kind == .gini || kind == .top10pct
            guard let made = TwinMetric.figure(isLoad ? .mean : kind, of: isLoad ? own : values) else { return nil }
            return TwinFigure(kind, simulated: made, observed: observed, noise: seen.noise, seeds: own, metric: metric)
        }
    }

    private static func bars(
        _ outcomes: [TwinRun.Outcome], _ observed: ObservedFile, _ other: ObservedFile?
    ) -> [Bar] {
        let seen = observed.metrics["hops.firstPerObserver"]?.distribution
        var bars: [Bar] = []
        func add(_ name: String, _ values: Histogram?) {
            guard let values else { return }
            var share = 0.0
            let median = values.bins.first { bin in
                share += bin.weight
                return share * 2 >= values.total
            }
            bars.append(Bar(name: name, median: median?.value ?? 0, distance: seen.map { values.wasserstein(to: $0) }))
        }
        func histogram(_ values: [Double]) -> Histogram? { (try? Sample(values)).map { Histogram($0) } }
        add("this model", histogram(outcomes.flatMap { $0.metrics.values["hops.firstPerObserver"] ?? [] }))
        add("shortest paths on the same links", histogram(outcomes.flatMap(\.bars.shortest)))
        add("a random spanning tree per origin", histogram(outcomes.flatMap(\.bars.tree)))
        if let other {
            add("first copies of \(other.name)", other.metrics["hops.firstPerObserver"]?.distribution)
        }
        return bars
    }

    /// The verdict of a figure in words.
    func words(_ row: Row, _ figure: TwinFigure) -> String {
        let isFitted = fittedOn.contains("\(row.metric).\(figure.kind.rawValue)")
        return (figure.isMet ? "met" : "missed") + (isFitted ? ", fitted" : "")
    }

    /// The failures that the comparison shows, in sentences.
    package var failures: [String] {
        var lines: [String] = []
        for row in rows {
            let missed = row.figures.filter { !$0.isMet }.map { figure in
                "\(figure.kind.rawValue) \(Self.short(figure.simulated)) against \(Self.short(figure.observed))"
            }
            if !missed.isEmpty { lines.append("\(row.metric): \(missed.joined(separator: ", "))") }
        }
        if let own = bars.first?.distance {
            for bar in bars.dropFirst() {
                if let distance = bar.distance, distance <= own {
                    lines.append("not beaten on \(barMetric): \(bar.name)")
                }
            }
        }
        return lines
    }

    package var goalsMet: Int { rows.filter(\.isGoal).flatMap(\.figures).count(where: \.isMet) }
    package var goals: Int { rows.filter(\.isGoal).flatMap(\.figures).count }
}
