import MeshWorlds

/// Runs seeds of a study, some at once, and looks at the comparisons now and then.
package struct StudyRun: Sendable {
    package let plan: StudyPlan
    /// Seeds that run at once.
    package var jobs = 1
    /// Tells whether it ends as soon as each comparison has a verdict.
    package var stopsEarly = true

    /// Tells whether arms that are equal to the first one reuse its values; only a calibration knows that they are.
    var takesFirstForAll = false

    package init(_ plan: StudyPlan) {
        self.plan = plan
    }

    /// Runs the seeds that are not among the rows, until each comparison has a verdict or the last seed was run.
    ///
    /// - Parameter progress: receives the number of seeds run, and of comparisons without a verdict.
    package func perform(
        _ rows: inout StudyRows, progress: (_ seeds: Int, _ open: Int) -> Void = { _, _ in }
    ) throws -> StudyResult {
        var judge = try StudyJudge(plan)
        while let count = judge.nextLook {
            let missing = (UInt64(judge.count) + 1...UInt64(count)).filter { rows.rows[$0] == nil }
            try run(missing, into: &rows)
            try judge.take(rows, upTo: count)
            progress(count, judge.open)
            if stopsEarly && judge.open == 0 { break }
        }
        return try judge.result(rows)
    }

    /// Runs these seeds and enters them in their order.
    package func run(_ seeds: [UInt64], into rows: inout StudyRows) throws(StudyProblem) {
        var unit = StudyUnit(plan)
        unit.takesFirstForAll = takesFirstForAll
        let runner = unit
        let results = SeedJobs(jobs).map(seeds) { seed in
            Result { () throws(StudyProblem) in try runner.values(of: seed) }
        }
        for (seed, result) in zip(seeds, results) { try rows.enter(try result.get(), of: seed) }
    }
}
