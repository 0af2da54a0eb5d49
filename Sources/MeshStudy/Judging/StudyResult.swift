/// The result of a study so far: a verdict for each metric of each arm, and the alarms of its control.
package struct StudyResult: Sendable {
    /// The interval of one look.
    struct Look: Hashable, Sendable, Encodable {
        let seeds: Int
        let low: Double
        let effect: Double
        let high: Double
    }

    /// An arm against the first one in one metric. Differences are the arm's value less the first one's.
    package struct Comparison: Hashable, Sendable {
        package let arm: String
        package let metric: StudyMetric
        let margin: Double
        /// The greatest value that counts.
        let most: Double
        let firstMean: Double
        let armMean: Double
        /// The paired difference, with its interval; the last look is the one that counts.
        let looks: [Look]
        /// `.firstBetter` means that the arm is better.
        package let verdict: Verdict
        /// The look since which the verdict has been this one, in seeds.
        let decidedAt: Int?
        /// Seeds whose value was greater than the greatest one that counts, in either arm.
        let clipped: Int

        var last: Look { looks[looks.count - 1] }
    }

    package let plan: StudyPlan
    /// The build of the tool that ran the seeds.
    package let version: String
    /// Seeds that the verdicts rest on.
    package let seeds: Int
    /// Seeds of the study that were not run, or lie behind a gap.
    package let unused: Int
    /// The greatest share of single intervals that may miss.
    package let share: Double
    package let comparisons: [Comparison]
    /// The first arm against itself on other random numbers.
    let control: [Comparison]
    /// The arms that had the figures of the first one in every metric of every seed.
    let equalArms: [String]
    /// The settings of the arms as their nodes have them; none where nobody asked for them.
    let readings: [ArmReading]

    /// Metrics in which the control differs from its equal. One is enough to trust no verdict.
    package var alarms: [Comparison] { control.filter { $0.verdict == .firstBetter || $0.verdict == .secondBetter } }

    /// The faults of arms that did nothing and had to, each behind the name of its arm.
    var idleFaults: [String] { readings.flatMap { reading in reading.idleFaults.map { "\(reading.arm): \($0)" } } }

    /// Tells whether the verdicts may be believed.
    package var isValid: Bool { alarms.isEmpty && !comparisons.isEmpty && idleFaults.isEmpty }
}
