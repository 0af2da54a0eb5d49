import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@Suite struct RandomFaultTests {
    @Test func `one more fault changes none of the others, and all end before the last tenth`() {
        var few = WorldPlan(.grid(4, 4))
        var many = few

        few.addRandomFaults(20, span: .seconds(100), seed: Seed(5))
        many.addRandomFaults(21, span: .seconds(100), seed: Seed(5))

        #expect(Array(many.faults.prefix(20)) == few.faults)
        #expect(many.faults.allSatisfy { $0.begin < $0.end && $0.end <= .seconds(90) })
        #expect(Set(many.faults).count == 21)
    }

    @Test func `the faults of a year begin and end in all of it`() {
        var plan = WorldPlan(.grid(4, 4))

        plan.addRandomFaults(200, span: .seconds(365 * 86_400), seed: Seed(5))

        let days = plan.faults.map { $0.begin.milliseconds / 86_400_000 }
        #expect(days.filter { $0 < 50 }.count < 60 && days.contains { $0 > 300 })
        #expect(plan.faults.allSatisfy { $0.begin < $0.end && $0.end <= .seconds(365 * 86_400 * 9 / 10) })
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `runs with faults are the same again and break no rule`(seed: UInt64) throws {
        var plan = WorldPlan(.random(12, seed: Seed(seed)), traffic: try Traffic("chat:6s"))
        plan.addRandomFaults(6, span: .seconds(60), seed: Seed(seed))

        let one = RunFixture(plan, seconds: 60, seed: seed)
        let again = RunFixture(plan, seconds: 60, seed: seed)

        #expect(one.summary == again.summary)
        #expect(one.trace == again.trace)
        #expect(one.summary.violations == 0)
    }

    @Test func `after a crash the app comes back and messages arrive again`() throws {
        var plan = WorldPlan(.line(3), traffic: try Traffic("direct:20s"))
        plan.silenceAdverts()
        let alice = NodeID(index: 0)
        plan.faults = [Fault(.crash(alice), from: .seconds(25), to: .seconds(65))]

        let run = RunFixture(plan, seconds: 200)
        let direct = try #require(run.summary.deliveries.first)

        #expect(direct.sent == 10)
        #expect(direct.delivered >= 9, "what was written while the board was off waits for it")
    }
}
