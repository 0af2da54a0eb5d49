import Testing

@testable import MeshStudy

/// The results of confseq 0.0.11 for the same observations; see `oracle.py`.
@Suite struct `Confidence sequences and the reference implementation` {
    @Test(arguments: Vectors.sequences)
    func `bets and capital are the same`(vector: SequenceVector) throws {
        let sequence = try vector.sequence()

        #expect(agree(sequence.bets[vector.count - 1], vector.lastBet))
        #expect(agree(sequence.bets.reduce(0, +), vector.betSum))
        for (index, mean) in [0.25, 0.5, 0.7].enumerated() {
            let upward = sequence.capital(against: mean, .upward).logarithm
            let downward = sequence.capital(against: mean, .downward).logarithm
            #expect(agree(upward, vector.capitals[2 * index]))
            #expect(agree(downward, vector.capitals[2 * index + 1]))
        }
    }

    @Test(arguments: Vectors.sequences)
    func `the interval is that of a bisection, and inside the wider one of the grid`(vector: SequenceVector) throws {
        let interval = try vector.sequence().look().interval

        #expect(agree(interval.lowerBound, vector.lower))
        #expect(agree(interval.upperBound, vector.upper))
        // The grid has a thousand steps and is widened by one at either end.
        #expect(interval.lowerBound >= vector.gridLower && interval.lowerBound <= vector.gridLower + 0.001)
        #expect(interval.upperBound <= vector.gridUpper && interval.upperBound >= vector.gridUpper - 0.001)
    }
}
