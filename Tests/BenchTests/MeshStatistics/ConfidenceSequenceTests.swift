import MeshTime
import Testing

@testable import MeshStudy

@Suite struct `Confidence sequences` {
    /// The distribution that is drawn from, with its true mean, in 0...1.
    enum Source: CaseIterable {
        case rare, uniform, twoPoint

        var mean: Double {
            switch self {
            case .rare: 0.1
            case .uniform: 0.5
            case .twoPoint: 0.35
            }
        }

        func draw(_ random: inout RandomStream) -> Double {
            let unit = random.unit()
            return switch self {
            case .rare: unit < 0.1 ? 1 : 0
            case .uniform: unit
            case .twoPoint: unit < 0.25 ? 0.8 : 0.2
            }
        }
    }

    private static func sequence(
        _ source: Source, seed: UInt64, count: Int, range: ClosedRange<Double> = 0...1, alpha: Double = 0.05
    ) throws -> ConfidenceSequence {
        var random = RandomStream(state: seed)
        var sequence = try ConfidenceSequence(range: range, alpha: alpha)
        for _ in 0..<count {
            try sequence.record(range.lowerBound + source.draw(&random) * (range.upperBound - range.lowerBound))
        }
        return sequence
    }

    @Test func `the mean is missed at any observation in at most alpha of a thousand sequences`() throws {
        var missed: [Source: Int] = [:]
        for seed in 1...1000 as ClosedRange<UInt64> {
            let source = Source.allCases[Int(seed % 3)]
            var random = RandomStream(state: seed)
            var sequence = try ConfidenceSequence(range: 0...1, alpha: 0.1)
            // Against the true mean, capital is the product of a factor per observation: a look at each costs one
            // factor.
            var upward = 1.0
            var downward = 1.0
            var isMissed = false
            for _ in 0..<300 {
                let observation = source.draw(&random)
                try sequence.record(observation)
                let bet = sequence.bets[sequence.count - 1]
                upward *= 1 + min(bet, 0.5 / source.mean) * (observation - source.mean)
                downward *= 1 - min(bet, 0.5 / (1 - source.mean)) * (observation - source.mean)
                isMissed = isMissed || max(upward, downward) > 2 / 0.1
            }
            // The factors above are those of the sequence.
            let capital = sequence.capital(against: source.mean, .upward).logarithm
            #expect(agree(capital, Elementary.log(upward)))
            if isMissed { missed[source, default: 0] += 1 }
        }

        // A true rate of 0.1 would exceed 130 of 1,000 once in a thousand times; none at all would test nothing.
        let total = Source.allCases.reduce(0) { $0 + missed[$1, default: 0] }
        #expect((10...130).contains(total), "\(missed)")
    }

    @Test func `intervals hold the mean at all looks of a schedule`() throws {
        let schedule = try LookSchedule(first: 5, factor: 1.6, last: 100)
        var missed = 0
        for seed in 1...150 as ClosedRange<UInt64> {
            let source = Source.allCases[Int(seed % 3)]
            var random = RandomStream(state: seed)
            var sequence = try ConfidenceSequence(range: 0...1, alpha: 0.1)
            var holds = true
            while let next = schedule.next(after: sequence.count) {
                while sequence.count < next { try sequence.record(source.draw(&random)) }
                holds = holds && sequence.look().interval.contains(source.mean)
            }
            missed += holds ? 0 : 1
        }

        // Twice the rate that is allowed, less than a chance of 1e-4.
        #expect(missed <= 30)
    }

    @Test(arguments: Source.allCases, 1...5 as ClosedRange<UInt64>)
    func `the ends are those of a fine grid`(source: Source, seed: UInt64) throws {
        let sequence = try Self.sequence(source, seed: seed, count: 60)

        let open = (0...2000).filter {
            let mean = Double($0) / 2000
            return !sequence.contradicts(mean, .upward) && !sequence.contradicts(mean, .downward)
        }

        let interval = sequence.look().interval
        let first = Double(try #require(open.first)) / 2000
        let last = Double(try #require(open.last)) / 2000
        #expect(open.count == open[open.count - 1] - open[0] + 1, "the means that stay have a gap")
        #expect(interval.lowerBound <= first && interval.lowerBound > first - 0.0005)
        #expect(interval.upperBound >= last && interval.upperBound < last + 0.0005)
    }

    @Test(arguments: Source.allCases, 1...5 as ClosedRange<UInt64>)
    func `a smaller alpha never gives a narrower interval`(source: Source, seed: UInt64) throws {
        let intervals = try [0.5, 0.2, 0.05, 0.01, 0.001, 1e-6, 1e-12].map {
            try Self.sequence(source, seed: seed, count: 120, alpha: $0).look().interval
        }

        for (wide, narrow) in zip(intervals.dropFirst(), intervals) {
            #expect(wide.lowerBound <= narrow.lowerBound && wide.upperBound >= narrow.upperBound)
        }
    }

    @Test(
        arguments: [-1...1, 0...2, -40...(-10), 1e6...1e6 + 1, -1e307...1e307, 0...0x1p-1030] as [ClosedRange<Double>])
    func `interval and mean move and stretch with the range`(range: ClosedRange<Double>) throws {
        let width = range.upperBound - range.lowerBound
        let unit = try Self.sequence(.uniform, seed: 3, count: 90).look()
        let moved = try Self.sequence(.uniform, seed: 3, count: 90, range: range).look()

        // What a Double leaves of a fraction in that range.
        let tolerance = 1e-12 + 8 * max(range.lowerBound.magnitude.ulp, range.upperBound.magnitude.ulp) / width
        for (one, other) in [
            (unit.interval.lowerBound, moved.interval.lowerBound),
            (unit.interval.upperBound, moved.interval.upperBound),
            (try #require(unit.mean), try #require(moved.mean)),
        ] {
            #expect(((other - range.lowerBound) / width - one).magnitude < tolerance)
        }
    }

    @Test func `mirrored observations give the mirrored interval`() throws {
        var sequence = try ConfidenceSequence(range: -1...1, alpha: 0.05)
        var mirror = sequence
        var random = RandomStream(state: 9)
        for _ in 0..<200 {
            let observation = random.unit() * 0.5 - 0.1
            try sequence.record(observation)
            try mirror.record(-observation)
        }

        let interval = sequence.look().interval
        let mirrored = mirror.look().interval
        #expect(agree(interval.lowerBound, -mirrored.upperBound, within: 1e-13))
        #expect(agree(interval.upperBound, -mirrored.lowerBound, within: 1e-13))
    }

    @Test func `a look changes nothing, and all orders give the same mean`() throws {
        var random = RandomStream(state: 4)
        let observations = (0..<100).map { _ in random.unit() }
        var looking = try ConfidenceSequence(range: 0...1, alpha: 0.05)
        var reversed = looking
        for observation in observations {
            try looking.record(observation)
            if looking.count % 10 == 0 { _ = looking.look() }
        }
        for observation in observations.reversed() { try reversed.record(observation) }
        var plain = try ConfidenceSequence(range: 0...1, alpha: 0.05)
        for observation in observations { try plain.record(observation) }

        #expect(looking.look() == plain.look())
        // The bets depend on the order, so the interval does; both are valid, and of about the same width.
        let (one, other) = (plain.look(), reversed.look())
        #expect(agree(try #require(one.mean), try #require(other.mean), within: 1e-14))
        #expect(one.interval != other.interval)
        #expect((one.interval.lowerBound - other.interval.lowerBound).magnitude < 0.05)
    }

    @Test func `without observations the interval is the range`() throws {
        let effect = try ConfidenceSequence(range: -1...1, alpha: 0.05).look()

        #expect(effect == Effect(count: 0, mean: nil, interval: -1...1, alpha: 0.05))
    }

    @Test func `observations outside the range are refused and leave no trace`() throws {
        var sequence = try ConfidenceSequence(range: -1...1, alpha: 0.05)
        try sequence.record(0.25)
        let before = sequence.look()

        #expect(reason { try sequence.record(1.0.nextUp) } == .outOfRange(-1...1))
        #expect(reason { try sequence.record(-1.5) } == .outOfRange(-1...1))
        for observation in [Double.nan, .infinity, -.infinity] {
            #expect(reason { try sequence.record(observation) } == .notFinite)
        }
        #expect(sequence.look() == before)
    }

    @Test func `arguments without a meaning are refused`() {
        for range in [1...1, -.infinity...1, -.infinity...(.infinity), -1.7e308...1.7e308] as [ClosedRange<Double>] {
            #expect(reason { _ = try ConfidenceSequence(range: range, alpha: 0.05) } == .noWidth)
        }
        for alpha in [0, -1, 1, 1e-101, Double.nan, .infinity] {
            #expect(reason { _ = try ConfidenceSequence(range: 0...1, alpha: alpha) } != nil)
        }
        for stake in [0, 1, -0.5, Double.nan] {
            #expect(reason { _ = try ConfidenceSequence(range: 0...1, alpha: 0.05, stake: stake) } != nil)
        }
    }

    @Test(arguments: [0, 1, 0.5, 0x1p-1074])
    func `constant observations narrow the interval around them`(value: Double) throws {
        for alpha in [0.05, 1e-100] {
            var sequence = try ConfidenceSequence(range: 0...1, alpha: alpha)
            for _ in 0..<2000 { try sequence.record(value) }

            let interval = sequence.look().interval
            #expect(interval.contains(value))
            #expect(interval.upperBound - interval.lowerBound < 0.7)
        }
    }

    @Test func `where a change on the way contradicts every mean, the interval is the range`() throws {
        var sequence = try ConfidenceSequence(range: -1...1, alpha: 0.9)
        for _ in 0..<12 { try sequence.record(1) }
        for _ in 0..<640 { try sequence.record(-1) }

        // Both players have won against the same mean, first one and then the other.
        #expect(sequence.contradicts(0.09, .upward) && sequence.contradicts(0.09, .downward))
        #expect(sequence.look().interval == -1...1)
    }

    @Test func `products beyond a Double keep their size`() {
        var capital = Capital()
        for _ in 0..<5000 { capital.multiply(by: 100) }
        #expect(agree(capital.logarithm, 5000 * Elementary.log(100)))
        #expect(capital.exceeds(1e100))

        for _ in 0..<5000 { capital.multiply(by: 0.01) }
        #expect(agree(capital.logarithm, 0, within: 1e-9))
        #expect(!capital.exceeds(1.1) && capital.exceeds(0.9))

        for _ in 0..<100 { capital.multiply(by: 0x1p-20) }
        #expect(!capital.exceeds(1))
    }

    /// From a debug and a release build of the same source; other builds have to give the same bits.
    @Test func `every build gives the same bits`() throws {
        let effect = try Self.sequence(.uniform, seed: 1, count: 500, range: -1...1).look()

        #expect(effect.interval.lowerBound.bitPattern == 13_814_410_131_993_288_320)
        #expect(effect.interval.upperBound.bitPattern == 4_590_246_286_964_749_248)
        #expect(effect.mean?.bitPattern == 13_806_418_912_704_964_704)
    }
}
