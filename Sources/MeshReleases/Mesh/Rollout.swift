import MeshCompanion
package import MeshStudy
import MeshWorlds

/// A mesh on its way from one release to another: a study whose arms are the stages.
package struct Rollout: Sendable {
    /// The world, the time and the traffic of the runs.
    package struct Network: Hashable, Sendable {
        /// A shape or the path of a world file.
        package var world = "city:20"
        /// The simulated time of each run.
        package var span = "60s"
        /// The traffic of people; that of the world when `nil`.
        package var traffic: String? = "chat:4s"

        package init() {}

        /// A network of a user, with the traffic that its file describes.
        package init(world: String) {
            self.world = world
            traffic = nil
        }
    }

    /// The parts of the mesh that have the new release while it spreads, in percent.
    static let percents = [10, 50, 90]

    let old: ComparedRelease
    let new: ComparedRelease
    /// The study of all stages; it is checked against its world.
    package let plan: StudyPlan

    /// The stages on a network, for so many seeds at most. Throws for a world that is none.
    package init(
        from old: ComparedRelease, to new: ComparedRelease, on network: Network, seeds: Int
    ) throws(StudyProblem) {
        (self.old, self.new) = (old, new)
        let study = Study(
            "rollout", "What does a mesh notice of the way from \(old.name) to \(new.name)?", world: network.world,
            for: network.span, traffic: network.traffic, seeds: seeds,
            metrics: [.delivery.within(0.05), .latency.within(0.25, most: 10), .airtime.within(0.05, most: 2)]
        ) {
            Study.Arm("all old")
            for order in ["clients", "repeaters"] {
                for percent in Self.percents {
                    Study.Arm(
                        "\(percent) % new \(order) first",
                        ["share": .number(Double(percent) / 100), "first": .text(order)])
                }
            }
            Study.Arm("all new")
        }
        var plan = try StudyPlan(study, of: { "" })
        for index in plan.arms.indices {
            plan.arms[index].firmware = index == 0 ? old.running : new.running
            plan.arms[index].otherFirmware = old.running
        }
        self.plan = plan
    }

    /// Runs the seeds until each comparison has a verdict, some at once.
    package func perform(
        jobs: Int, version: String, progress: (_ seeds: Int, _ open: Int) -> Void = { _, _ in }
    ) throws -> StudyResult {
        var rows = StudyRows(StudyUnit(plan).origin(version: version))
        var run = StudyRun(plan)
        run.jobs = jobs
        return try run.perform(&rows, progress: progress)
    }

    // MARK: Findings

    /// A finding for each metric that some stage worsens, and for each that some stage improves.
    ///
    /// A study whose control raises an alarm has none.
    package static func findings(_ result: StudyResult) -> [ReleaseFinding] {
        guard result.isValid else { return [] }
        return weights.flatMap { metric, weight in
            let rows = result.comparisons.filter { $0.metric.name == metric }
            func finding(_ verdict: Verdict, _ weight: FindingWeight, _ words: String) -> ReleaseFinding? {
                let found = rows.filter { $0.verdict == verdict }
                guard let first = found.first else { return nil }
                return ReleaseFinding(
                    weight: weight, id: "mesh/\(metric)" + (weight == .gain ? "/better" : ""),
                    title: "\(first.metric.summary.capitalizedFirst): \(words)",
                    details: found.map { "\($0.arm): \($0.means), difference \($0.interval)" })
            }
            return [
                finding(.secondBetter, weight, "worse on the way"), finding(.firstBetter, .gain, "better on the way"),
            ].compactMap(\.self)
        }
    }

    private static let weights: [(metric: String, weight: FindingWeight)] = [
        ("delivery", .routing), ("latency", .timing), ("airtime", .airtime),
    ]
}

extension String {
    /// The text with a capital letter at its beginning.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
