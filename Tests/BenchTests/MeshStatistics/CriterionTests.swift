import MeshStudy
import Testing

@Suite struct `Criteria, error budgets and schedules of looks` {
    /// Interval, margin, and the verdict where more is better.
    @Test(
        arguments: [
            (0.02...0.03, 0.01, .firstBetter),
            (-0.03...(-0.02), 0.01, .secondBetter),
            (-0.005...0.009, 0.01, .equivalent),
            (-0.005...0.011, 0.01, .inconclusive),
            (0.005...0.5, 0.01, .inconclusive),
            (-1...1, 0.01, .inconclusive),
            // Ends that are the margin lie inside.
            (0.01...0.02, 0.01, .inconclusive),
            (-0.02...(-0.01), 0.01, .inconclusive),
            (-0.01...0.01, 0.01, .equivalent),
            // Without a margin any difference counts.
            (0.001...0.5, 0, .firstBetter),
            (0...0.5, 0, .inconclusive),
            (0...0, 0, .equivalent),
            (-Double.infinity...(.infinity), 1, .inconclusive),
        ] as [(ClosedRange<Double>, Double, Verdict)])
    func `an interval is judged against the margin`(
        interval: ClosedRange<Double>, margin: Double, expected: Verdict
    ) throws {
        let more = try Criterion(margin: margin, moreIsBetter: true).verdict(on: interval)
        let less = try Criterion(margin: margin, moreIsBetter: false).verdict(on: interval)

        #expect(more == expected)
        switch expected {
        case .firstBetter: #expect(less == .secondBetter)
        case .secondBetter: #expect(less == .firstBetter)
        case .equivalent, .inconclusive: #expect(less == expected)
        }
    }

    @Test func `the arms exchanged give the exchanged verdict`() throws {
        let criterion = try Criterion(margin: 0.25, moreIsBetter: true)
        let exchanged: [Verdict: Verdict] = [
            .firstBetter: .secondBetter, .secondBetter: .firstBetter, .equivalent: .equivalent,
            .inconclusive: .inconclusive,
        ]
        for low in -8...8 {
            for high in low...8 {
                let verdict = criterion.verdict(on: Double(low) / 8...Double(high) / 8)
                let mirrored = criterion.verdict(on: -Double(high) / 8...(-Double(low) / 8))
                #expect(exchanged[verdict] == mirrored)
            }
        }
    }

    @Test func `a margin is zero or more and finite`() {
        for margin in [-0.01, Double.nan, .infinity] {
            #expect(reason { _ = try Criterion(margin: margin, moreIsBetter: true) } != nil)
        }
    }

    @Test func `the shares of a budget make up its alpha`() throws {
        #expect(try ErrorBudget(alpha: 0.05, intervals: 1).share == 0.05)
        #expect(try ErrorBudget(alpha: 0.05, intervals: 10).share == 0.005)
        // The share of the greatest budget is one that a sequence takes.
        let least = try ErrorBudget(alpha: 1e-90, intervals: 1_000_000).share
        #expect(reason { _ = try ConfidenceSequence(range: 0...1, alpha: least) } == nil)
        for (alpha, intervals) in [(0.05, 0), (0.05, -1), (0, 1), (1, 1), (.nan, 1)] {
            #expect(reason { _ = try ErrorBudget(alpha: alpha, intervals: intervals) } != nil)
        }
    }

    @Test func `looks are a geometric series from the first to the last count`() throws {
        #expect(try LookSchedule(first: 10, factor: 1.5, last: 60).counts == [10, 15, 23, 35, 53, 60])
        #expect(try LookSchedule(first: 1, factor: 1.1, last: 6).counts == [1, 2, 3, 4, 5, 6])
        #expect(try LookSchedule(first: 7, last: 7).counts == [7])
        #expect(try LookSchedule(first: 20, last: 1_000_000).counts.count == 113)
        #expect(try LookSchedule(first: 999_999_999, factor: 100, last: 1_000_000_000).counts.count == 2)
    }

    @Test func `the next look follows from any count`() throws {
        let schedule = try LookSchedule(first: 10, factor: 1.5, last: 60)

        #expect(schedule.next(after: .min) == 10)
        #expect(schedule.next(after: 9) == 10)
        #expect(schedule.next(after: 16) == 23)
        #expect(schedule.next(after: 59) == 60)
        #expect(schedule.next(after: 60) == nil)
        #expect(schedule.next(after: .max) == nil)
    }

    @Test func `an experiment ends when all primary metrics have a verdict`() throws {
        let schedule = try LookSchedule(first: 10, factor: 2, last: 40)

        #expect(schedule.next(after: 10, verdicts: [.firstBetter, .inconclusive]) == 20)
        #expect(schedule.next(after: 20, verdicts: [.firstBetter, .equivalent]) == nil)
        #expect(schedule.next(after: 40, verdicts: [.inconclusive]) == nil)
        #expect(schedule.next(after: 0, verdicts: [.equivalent]) == 10)
        #expect(schedule.next(after: 10, verdicts: []) == 20)
    }

    @Test func `schedules without a meaning are refused`() {
        for (first, factor, last) in [(0, 1.1, 10), (11, 1.1, 10), (1, 1, 10), (1, .nan, 10), (1, .infinity, 10)] {
            #expect(reason { _ = try LookSchedule(first: first, factor: factor, last: last) } != nil)
        }
        #expect(reason { _ = try LookSchedule(first: 1, last: 0) } != nil)
        #expect(reason { _ = try LookSchedule(first: 1, last: .max) } != nil)
    }
}
