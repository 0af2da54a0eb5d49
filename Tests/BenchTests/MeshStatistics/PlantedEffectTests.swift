import MeshTime
import Testing

@testable import MeshStudy

/// Paired differences in -1...1 with a standard deviation of 0.05, as delivery ratios of one seed in two arms have.
@Suite struct `Planted effects` {
    /// Twelve uniform numbers less their mean, as the simulator draws its shadowing.
    private static func difference(_ effect: Double, _ random: inout RandomStream) -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += random.unit() }
        return effect + 0.05 * sum
    }

    /// Observations until the verdict, and the verdict.
    private static func run(
        effect: Double, alpha: Double, stake: Double, seed: UInt64
    ) throws -> (count: Int, verdict: Verdict) {
        let schedule = try LookSchedule(first: 20, factor: 1.1, last: 6000)
        let criterion = try Criterion(margin: 0.005, moreIsBetter: true)
        var random = RandomStream(state: seed)
        var sequence = try ConfidenceSequence(range: -1...1, alpha: alpha, stake: stake)
        var verdict = Verdict.inconclusive
        while let next = schedule.next(after: sequence.count, verdicts: [verdict]) {
            while sequence.count < next { try sequence.record(difference(effect, &random)) }
            verdict = criterion.verdict(on: sequence.look().interval)
        }
        return (sequence.count, verdict)
    }

    /// Alpha, stake, and between which counts the middle one of five experiments lies; a hundred had the medians 559,
    /// 903, 313 and 508.
    @Test(arguments: [(0.05, 0.5, 419...677), (0.005, 0.5, 745...994), (0.05, 0.9, 258...419), (0.005, 0.9, 419...615)])
    func `an effect of four margins is found`(alpha: Double, stake: Double, counts: ClosedRange<Int>) throws {
        let experiments = try (1...5 as ClosedRange<UInt64>).map {
            try Self.run(effect: 0.02, alpha: alpha, stake: stake, seed: $0)
        }

        #expect(experiments.allSatisfy { $0.verdict == .firstBetter })
        let sorted = experiments.map(\.count).sorted()
        #expect(counts.contains(sorted[2]), "\(sorted)")
    }

    @Test func `it is found for the other arm`() throws {
        #expect(try Self.run(effect: -0.02, alpha: 0.05, stake: 0.9, seed: 5).verdict == .secondBetter)
    }

    @Test func `arms without a difference are equivalent`() throws {
        #expect(try Self.run(effect: 0, alpha: 0.05, stake: 0.9, seed: 1).verdict == .equivalent)
    }
}
