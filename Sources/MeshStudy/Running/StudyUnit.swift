import MeshSimulator
import MeshTime
import MeshWorlds

/// One seed of a study: every arm on the same random numbers, and the control on others.
///
/// A world draws from a stream for each node and purpose. An arm that draws once more so moves no other node's numbers.
package struct StudyUnit: Sendable {
    let plan: StudyPlan
    /// See `StudyRun`.
    var takesFirstForAll = false

    package init(_ plan: StudyPlan) {
        self.plan = plan
    }

    /// Returns the properties that rows of this study share.
    package func origin(version: String) -> StudyRows.Origin {
        StudyRows.Origin(
            version: version, fingerprint: plan.fingerprint, arms: plan.arms.map(\.name) + [StudyRows.control],
            metrics: plan.measures.map(\.metric.name), seeds: plan.seeds)
    }

    /// All metrics of the first arm, then those of the next one; the control is the last one.
    package func values(of seed: UInt64) throws(StudyProblem) -> [Double] {
        var values: [Double] = []
        let base = try plan.base(seed: Seed(seed))
        for arm in plan.arms {
            if takesFirstForAll, !values.isEmpty {
                values += values.prefix(plan.measures.count)
            } else {
                values += try measured(arm, on: base, Seed(seed))
            }
        }
        // The first arm in a world of the same kind that shares no number with it.
        let other = Seed(Self.controlSeed(of: seed))
        return values + (try measured(plan.arms[0], on: plan.base(seed: other), other))
    }

    /// Seeds of studies are small numbers; those of controls are never among them.
    static func controlSeed(of seed: UInt64) -> UInt64 { seed | 1 << 63 }

    private func measured(_ arm: StudyPlan.Arm, on base: WorldPlan, _ seed: Seed) throws(StudyProblem) -> [Double] {
        let world = try plan.plan(arm, on: base, seed)
        var run = MeshRun(world, seed: seed, span: plan.span, habits: arm.habits)
        let summary = run.perform()
        guard summary.violations == 0 else {
            throw StudyProblem("seed \(seed.value), arm \(arm.name): a rule of the simulator was broken")
        }
        return try plan.measures.map { measure throws(StudyProblem) in
            let value = measure.metric.value(summary, world)
            // Only a metric of a program's own can be that.
            guard value >= 0 else {
                throw StudyProblem(
                    "seed \(seed.value), arm \(arm.name): metric \(measure.metric.name) is \(value), and 0 is the least"
                )
            }
            return min(value, measure.most)
        }
    }
}
