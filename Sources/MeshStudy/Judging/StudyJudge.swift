/// Receives rows in the order of their seeds, and looks at the intervals at the counts of a schedule.
struct StudyJudge {
    /// The least number of seeds that a verdict rests on.
    static let firstLook = 20
    /// The part of its capital that a bet may risk, fixed for all studies. A greater one finds effects in fewer seeds
    /// where differences are small against their range, as they are here.
    static let stake = 0.9

    /// One arm in one metric.
    private struct Side {
        let arm: Int
        let place: Int
        let measure: StudyPlan.Measure
        let criterion: Criterion
        var sequence: ConfidenceSequence
        var sums = (first: 0.0, arm: 0.0)
        var clipped = 0
        /// True as soon as a seed had another value than in the first arm.
        var isDifferent = false
        var looks: [StudyResult.Look] = []
        var verdict = Verdict.inconclusive
        var decidedAt: Int?
    }

    private let plan: StudyPlan
    private let schedule: LookSchedule
    private let share: Double
    private var sides: [Side] = []
    /// Seeds that were received.
    private(set) var count = 0

    init(_ plan: StudyPlan) throws(StatisticsError) {
        self.plan = plan
        schedule = try LookSchedule(first: min(Self.firstLook, plan.seeds), last: plan.seeds)
        share = try ErrorBudget(alpha: plan.error, intervals: plan.comparisons).share
        // The control stands behind the arms of the plan.
        for arm in 1...plan.arms.count {
            for (place, measure) in plan.measures.enumerated() {
                sides.append(
                    Side(
                        arm: arm, place: place, measure: measure,
                        criterion: try Criterion(margin: measure.margin, moreIsBetter: measure.metric.isMoreBetter),
                        sequence: try ConfidenceSequence(
                            range: -measure.most...measure.most, alpha: share, stake: Self.stake)))
            }
        }
    }

    var nextLook: Int? { schedule.next(after: count) }

    /// Comparisons without a verdict; the control needs none.
    var open: Int { sides.count { $0.arm < plan.arms.count && $0.verdict == .inconclusive } }

    /// Adds the seeds up to this one, all of which are there, and looks.
    mutating func take(_ rows: StudyRows, upTo last: Int) throws {
        for seed in count + 1...last {
            guard let values = rows.rows[UInt64(seed)] else { throw StudyProblem("seed \(seed) was not run") }
            for index in sides.indices {
                // No copy of the side: the observations of its sequence would be copied with each seed.
                let (arm, place, measure) = (sides[index].arm, sides[index].place, sides[index].measure)
                let first = rows.value(values, arm: 0, metric: place)
                let other = rows.value(values, arm: arm, metric: place)
                guard 0...measure.most ~= first, 0...measure.most ~= other else {
                    throw StudyProblem("seed \(seed): \(measure.metric.name) is outside 0 to \(measure.most)")
                }
                try sides[index].sequence.record(other - first)
                sides[index].sums.first += first
                sides[index].sums.arm += other
                if other != first { sides[index].isDifferent = true }
                if measure.most != 1, max(first, other) == measure.most { sides[index].clipped += 1 }
            }
        }
        count = last
        for index in sides.indices { look(&sides[index]) }
    }

    private func look(_ side: inout Side) {
        let effect = side.sequence.look()
        side.looks.append(
            StudyResult.Look(
                seeds: count, low: effect.interval.lowerBound, effect: effect.mean ?? 0,
                high: effect.interval.upperBound))
        let verdict = side.criterion.verdict(on: effect.interval)
        if verdict != side.verdict { side.decidedAt = verdict == .inconclusive ? nil : count }
        side.verdict = verdict
    }

    /// - Parameter readsNodes: whether the settings of the arms are read off their nodes.
    func result(_ rows: StudyRows, readsNodes: Bool = true) throws(StudyProblem) -> StudyResult {
        let different = Set(sides.filter(\.isDifferent).map(\.arm))
        let equal = plan.arms.indices.dropFirst().filter { count > 0 && !different.contains($0) }
        let all = sides.filter { !$0.looks.isEmpty }.map { side in
            StudyResult.Comparison(
                arm: side.arm < plan.arms.count ? plan.arms[side.arm].name : StudyRows.control,
                metric: side.measure.metric, margin: side.measure.margin, most: side.measure.most,
                firstMean: side.sums.first / Double(count), armMean: side.sums.arm / Double(count), looks: side.looks,
                verdict: side.verdict, decidedAt: side.decidedAt, clipped: side.clipped)
        }
        return StudyResult(
            plan: plan, version: rows.origin.version, seeds: count, unused: plan.seeds - count, share: share,
            comparisons: all.filter { $0.arm != StudyRows.control },
            control: all.filter { $0.arm == StudyRows.control },
            equalArms: equal.map { plan.arms[$0].name }, readings: readsNodes ? try plan.readings() : []
        )
    }
}

extension StudyResult {
    /// Judges rows that are there, as far as they have no gap.
    ///
    /// - Parameter readsNodes: whether the settings of the arms are read off their nodes.
    package init(_ plan: StudyPlan, _ rows: StudyRows, readsNodes: Bool = true) throws {
        let origin = StudyUnit(plan).origin(version: rows.origin.version)
        guard rows.origin == origin else { throw StudyProblem("the rows are not those of this study's text") }
        var judge = try StudyJudge(plan)
        var run = 0
        while rows.rows[UInt64(run + 1)] != nil { run += 1 }
        guard run > 0 else { throw StudyProblem("seed 1 is not among the rows") }
        while let count = judge.nextLook, count <= run { try judge.take(rows, upTo: count) }
        if judge.count < run { try judge.take(rows, upTo: run) }
        self = try judge.result(rows, readsNodes: readsNodes)
    }
}
