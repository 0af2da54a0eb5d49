import MeshTime
import Testing

@testable import MeshStudy

@Suite struct `Samples` {
    @Test(arguments: Vectors.samples)
    func `figures are those of numpy`(vector: SampleVector) throws {
        let sample = try Sample(vector.values)

        #expect(agree(sample.mean, vector.mean, within: 1e-14))
        for (share, expected) in zip([0, 0.1, 0.25, 0.5, 0.9, 0.99, 1], vector.quantiles) {
            #expect(try sample.quantile(share) == expected, "at \(share)")
        }
        #expect(agree(try #require(try sample.gini()), vector.gini, within: 1e-14))
        #expect(agree(try #require(try sample.share(ofTop: 0.1)), vector.topTenth, within: 1e-13))
    }

    @Test func `the order of the values changes no bit`() throws {
        var random = RandomStream(state: 1)
        var values = (0..<200).map { _ in random.unit() * 1000 }
        let sample = try Sample(values)
        for _ in 0..<20 {
            values.shuffle(using: &random)
            let other = try Sample(values)
            #expect(other == sample && other.mean.bitPattern == sample.mean.bitPattern)
        }
    }

    @Test func `inequality does not depend on the unit`() throws {
        let values = [1, 2, 4, 8, 16.0]
        let sample = try Sample(values)
        for unit in [0x1p-1063, 1e-300, 1e-3, 1e307] {
            let other = try Sample(values.map { $0 * unit })
            let tolerance = unit < 0x1p-1050 ? 1e-3 : 1e-14
            #expect(agree(try #require(try other.gini()), try #require(try sample.gini()), within: tolerance))
            #expect(
                agree(
                    try #require(try other.share(ofTop: 0.5)), try #require(try sample.share(ofTop: 0.5)),
                    within: tolerance))
        }
    }

    @Test func `one that has all is the end of every scale`() throws {
        let sample = try Sample([0, 0, 0, 7])

        #expect(try sample.gini() == 0.75)
        #expect(try sample.share(ofTop: 0.25) == 1)
        #expect(try sample.share(ofTop: 0) == 0)
        #expect(try sample.share(ofTop: 1) == 1)
    }

    @Test func `nothing to share is not a figure, and debts are refused`() throws {
        let zeros = try Sample([0, -0.0, 0])
        #expect(try zeros.gini() == nil && zeros.share() == nil)

        let debts = try Sample([-1, 2])
        #expect(reason { _ = try debts.gini() } != nil)
        #expect(reason { _ = try debts.share() } != nil)
        #expect(reason { _ = try zeros.share(ofTop: 1.1) } == .outOfRange(0...1))
    }

    @Test func `values have to be finite, and at least one`() {
        #expect(reason { _ = try Sample([]) } == .empty)
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(reason { _ = try Sample([1, value]) } == .notFinite)
        }
    }

    @Test func `the greatest numbers overflow nowhere`() throws {
        let greatest = Double.greatestFiniteMagnitude
        let sample = try Sample([-greatest, greatest, greatest])

        #expect(sample.mean.isFinite && sample.mean > 0)
        for step in 0...20 { #expect(try sample.quantile(Double(step) / 20).isFinite) }
        #expect(try sample.quantile(0.25) == 0)
    }

    @Test func `quantiles rise, and their share is checked`() throws {
        var random = RandomStream(state: 2)
        let sample = try Sample((0..<37).map { _ in random.unit() })
        let quantiles = try (0...1000).map { try sample.quantile(Double($0) / 1000) }

        #expect(zip(quantiles, quantiles.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(quantiles.first == sample.sorted.first && quantiles.last == sample.sorted.last)
        for share in [-0.1, 1.1, Double.nan] { #expect(reason { _ = try sample.quantile(share) } != nil) }
    }

    @Test func `the bootstrap repeats with the generator, and covers about as often as it says`() throws {
        var missed = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = RandomStream(state: seed)
            let sample = try Sample((0..<40).map { _ in random.unit() })
            let start = random
            var again = start
            let interval = try sample.bootstrap(alpha: 0.2, replicates: 100, using: &random) { $0.mean }
            let other = try Sample(sample.sorted.reversed())
                .bootstrap(alpha: 0.2, replicates: 100, using: &again) { $0.mean }
            #expect(interval == other)
            #expect(random == again && random != start)
            if !interval.contains(0.5) { missed += 1 }
        }

        // A rate of 0.2 gives 12 ± 3.1.
        #expect((3...24).contains(missed), "\(missed)")
    }

    @Test func `the bootstrap has the width of the normal interval`() throws {
        var random = RandomStream(state: 5)
        let sample = try Sample((0..<400).map { _ in random.unit() })
        let interval = try sample.bootstrap(alpha: 0.05, replicates: 2000, using: &random) { $0.mean }

        // 1.96 · sqrt(1 / 12) / sqrt(400) to either side, give or take three times the noise of 2,000 replicates.
        let below = sample.mean - interval.lowerBound
        let above = interval.upperBound - sample.mean
        #expect((0.0255...0.031).contains(below), "\(below)")
        #expect((0.0255...0.031).contains(above), "\(above)")
    }

    @Test func `a figure that does not exist is refused`() throws {
        var random = RandomStream(state: 1)
        let sample = try Sample([1, 2, 3])

        #expect(reason { _ = try sample.bootstrap(alpha: 0.1, using: &random) { _ in nil } } == .notFinite)
        #expect(reason { _ = try sample.bootstrap(alpha: 0.1, using: &random) { _ in .nan } } == .notFinite)
        #expect(reason { _ = try sample.bootstrap(alpha: 0, using: &random) { $0.mean } } != nil)
        #expect(reason { _ = try sample.bootstrap(alpha: 0.1, replicates: 0, using: &random) { $0.mean } } != nil)
    }
}
