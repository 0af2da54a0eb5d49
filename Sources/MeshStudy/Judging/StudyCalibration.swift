import MeshTime

/// A check of the promised error rate: studies of an arm against its equal, and of a planted effect.
package struct StudyCalibration: Sendable {
    /// The result of a calibration.
    package struct Result: Hashable, Sendable, Encodable {
        /// Studies of an arm against the same arm on other random numbers.
        package var studies = 0
        package var seedsOfEach = 0
        /// Those that called one of the two better.
        package var falseVerdicts = 0
        /// At most this share of them may.
        package var error = 0.0
        /// Studies in whose second arm every fifth run, drawn at random, loses one message of ten: 0.02 of its
        /// deliveries.
        package var planted = 0
        /// Those that found it, in the right direction.
        package var found = 0
        /// Seeds that half of those needed; nil where none found it.
        package var medianSeeds: Int?

        package var isKept: Bool {
            Double(falseVerdicts) <= error * Double(studies) && found * 20 >= planted * 19
        }
    }

    /// Studies of either kind, and the seeds of each that compares equals.
    package var studies: Int
    package var seeds: Int
    package var jobs = 1

    package init(studies: Int, seeds: Int) {
        self.studies = studies
        self.seeds = seeds
    }

    /// The seeds that a planted effect may need.
    static let seedsOfPlanted = 2000
    /// Planted studies: fewer than the others, as each is longer.
    var planted: Int { max(1, studies * seeds / Self.seedsOfPlanted) }

    /// Ten messages in a crowded square: about a third of them are lost to collisions.
    private static func text(seeds: Int) -> String {
        """
        {"study": "calibration", "world": "grid:3x3", "for": "60s", "traffic": "flood:5s", "seeds": \(seeds),
         "arms": [{"name": "first"}, {"name": "second"}], "metrics": {"delivery": 0.005}}
        """
    }

    /// Runs the worlds, and judges every study.
    package func perform(progress: (_ seeds: Int, _ of: Int) -> Void = { _, _ in }) throws -> Result {
        let total = max(studies * seeds, planted * Self.seedsOfPlanted)
        var run = StudyRun(try StudyPlan(reading: Array(Self.text(seeds: total).utf8)))
        run.jobs = jobs
        run.takesFirstForAll = true
        var pool = StudyRows(StudyUnit(run.plan).origin(version: ""))
        for start in stride(from: 1, through: total, by: 512) {
            try run.run(Array(UInt64(start)...UInt64(min(start + 511, total))), into: &pool)
            progress(min(start + 511, total), total)
        }
        var result = Result(studies: studies, seedsOfEach: seeds, error: run.plan.error, planted: planted)
        for study in 0..<studies {
            let verdicts = try judged(pool, from: study * seeds, seeds) { values, _ in
                [values[0], values[2], values[2]]
            }
            .comparisons.map(\.verdict)
            if verdicts.contains(.firstBetter) || verdicts.contains(.secondBetter) { result.falseVerdicts += 1 }
        }
        var needed: [Int] = []
        for study in 0..<planted {
            let found = try judged(pool, from: study * Self.seedsOfPlanted, Self.seedsOfPlanted) { values, seed in
                var random = Seed(seed).stream("planted effect")
                let isHit = random.draw(0, 5) == 0
                return [values[0], max(0, values[0] - (isHit ? 0.1 : 0)), values[2]]
            }
            guard let comparison = found.comparisons.first, comparison.verdict == .secondBetter else { continue }
            needed.append(comparison.decidedAt ?? Self.seedsOfPlanted)
        }
        result.found = needed.count
        result.medianSeeds = needed.isEmpty ? nil : needed.sorted()[needed.count / 2]
        return result
    }

    /// A study of its own from rows of the pool.
    private func judged(
        _ pool: StudyRows, from start: Int, _ count: Int, change: ([Double], UInt64) -> [Double]
    ) throws -> StudyResult {
        let plan = try StudyPlan(reading: Array(Self.text(seeds: count).utf8))
        var rows = StudyRows(StudyUnit(plan).origin(version: ""))
        for place in 1...count {
            let seed = UInt64(start + place)
            guard let values = pool.rows[seed] else { throw StudyProblem("seed \(seed) was not run") }
            try rows.enter(change(values, seed), of: UInt64(place))
        }
        return try StudyResult(plan, rows, readsNodes: false)
    }
}
