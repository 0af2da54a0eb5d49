import MeshSimulator
package import MeshTime
import MeshWorlds

/// Looks for the numbers of the link rule with which a world comes nearest to some observed figures.
///
/// A Latin hypercube first, then steps from the best point along each parameter, halved when none is better. Every
/// point runs the same seeds, so the same fit gives the same bytes whatever the number of threads.
package struct TwinFit: Sendable {
    /// A figure that is fitted; all others are held out.
    package struct Target: Hashable, Sendable {
        package var metric: TwinMetric
        package var kind: TwinFigure.Kind
        package var observed: Double
        package var tolerance: Double

        package var name: String { "\(metric.name).\(kind.rawValue)" }
    }

    package struct Result: Sendable {
        package var parameters: TwinParameters
        package var before: Double
        package var after: Double
        package var points: Int
    }

    package let network: ObservedNetwork
    package let targets: [Target]
    package var names: [TwinParameters.Name] = TwinParameters.Name.allCases
    /// Points of the hypercube, and rounds of steps from the best one.
    package var points = 60
    package var rounds = 4
    package var seeds: [UInt64] = [101, 102, 103]
    package var jobs = 1
    package var backgroundPerHour: Double
    package var span = TwinRun.span

    /// The cost of a figure that cannot be measured, which is the most that any figure costs.
    private static let most = 25.0

    package init(_ network: ObservedNetwork, targets: [Target], backgroundPerHour: Double) {
        self.network = network
        self.targets = targets
        self.backgroundPerHour = backgroundPerHour
    }

    /// Figures that networks of this observation are fitted on, unless others are named.
    package static let usualTargets = [
        "hops.firstPerObserver.median", "hops.firstPerObserver.p90", "copiesPerObserver.mean", "secondsPerHop.median",
        "receptionsPerPacket.mean", "hops.longest.median", "hops.longest.p90",
    ]

    /// The targets of these names that the observation has.
    package static func targets(_ names: [String], in file: ObservedFile) -> [Target] {
        TwinMetric.all.flatMap { metric in
            metric.kinds.compactMap { kind in
                guard names.contains("\(metric.name).\(kind.rawValue)"), let seen = metric.observed(in: file),
                    let value = TwinMetric.figure(kind, of: seen)
                else { return nil }
                let isShare = kind == .gini || kind == .top10pct
                let tolerance = isShare ? 0.1 : max(0.2 * value.magnitude, seen.noise ?? 0)
                return Target(metric: metric, kind: kind, observed: value, tolerance: max(tolerance, 1e-6))
            }
        }
    }

    /// - Parameter progress: receives the number of points that were tried, and the best objective.
    package func perform(
        from start: TwinParameters, progress: (Int, Double) -> Void = { _, _ in }
    ) throws(StatisticsError) -> Result {
        let before = objectives([start])[0]
        var best = (parameters: start, objective: before)
        var tried = 1
        func look(_ candidates: [TwinParameters]) -> Bool {
            let results = objectives(candidates)
            tried += candidates.count
            var isBetter = false
            // The first of equal ones, in their order: threads change nothing.
            for (candidate, objective) in zip(candidates, results) where objective < best.objective {
                best = (candidate, objective)
                isBetter = true
            }
            progress(tried, best.objective)
            return isBetter
        }
        var design: [Parameter] = []
        for name in names { design.append(try name.parameter()) }
        var stream = Seed(1).stream("fit")
        let cube = try Design.latinHypercube(design, points: points, using: &stream)
        _ = look(cube.points.map { point in changed(start) { $0[names[$1]] = point[$1] } })
        var step = 0.15
        for _ in 0..<rounds {
            let center = best.parameters
            let moves = names.flatMap { name in
                [-1.0, 1].map { sign in
                    var moved = center
                    moved[name] += sign * step * (name.range.upperBound - name.range.lowerBound)
                    moved.round()
                    return moved
                }
            }
            if !look(moves) { step /= 2 }
        }
        return Result(parameters: best.parameters, before: before, after: best.objective, points: tried)
    }

    private func changed(_ start: TwinParameters, _ body: (inout TwinParameters, Int) -> Void) -> TwinParameters {
        var changed = start
        for index in names.indices { body(&changed, index) }
        changed.round()
        return changed
    }

    /// The mean square of the errors in tolerances: 1 means that figures are off by what they may be.
    private func objectives(_ candidates: [TwinParameters]) -> [Double] {
        let work = candidates.flatMap { candidate in seeds.map { (candidate, $0) } }
        let outcomes = SeedJobs(jobs).map(work) { candidate, seed -> FloodMetrics? in
            let text = network.worldFile(candidate)
            guard let world = try? WorldFile.content(of: [UInt8](text.utf8), name: network.name, seed: Seed(1)) else {
                return nil
            }
            let run = TwinRun(world, backgroundPerHour: backgroundPerHour)
            return run.outcome(of: seed, span: span).metrics
        }
        return candidates.indices.map { index in
            objective(outcomes[index * seeds.count..<(index + 1) * seeds.count].compactMap { $0 })
        }
    }

    private func objective(_ runs: [FloodMetrics]) -> Double {
        var sum = 0.0
        for target in targets {
            let lists = runs.map { $0.values[target.metric.name] ?? [] }
            let isShare = target.kind == .gini || target.kind == .top10pct
            let values = isShare ? lists.compactMap { TwinMetric.figure(target.kind, of: $0) } : lists.flatMap { $0 }
            if let made = TwinMetric.figure(isShare ? .mean : target.kind, of: values) {
                let error = (made - target.observed) / target.tolerance
                sum += min(error * error, Self.most)
            } else {
                sum += Self.most
            }
        }
        return targets.isEmpty ? 0 : sum / Double(targets.count)
    }
}
