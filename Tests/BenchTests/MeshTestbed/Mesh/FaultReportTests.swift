import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

/// Faults of a run of a world, with what they did.
@Suite struct FaultReportTests {
    /// A line of four with a text every ten seconds.
    private func run(_ faults: Fault..., mayNotFire: Bool = false) throws -> MeshSummary {
        var plan = WorldPlan(.line(4), traffic: try Traffic("flood:10s"))
        plan.silenceAdverts()
        plan.faults = faults
        for index in plan.faults.indices { plan.faults[index].mayNotFire = mayNotFire }
        return RunFixture(plan, seconds: 60).summary
    }

    private let everybody = Fault.Kind.partition((0..<4).map(NodeID.init(index:)))

    @Test func `a fault that took effect is listed with its effects`() throws {
        let summary = try run(Fault(.loss(perTenThousand: 10_000)))

        #expect(summary.invalid.isEmpty)
        #expect(summary.faults.count == 1 && summary.faults[0].hasPrefix("fault 0, loss: "))
        #expect(summary.faults[0].contains("frames") && summary.faults[0].contains("first at"))
        #expect(summary.text.contains(summary.faults[0]) && !summary.text.contains("INVALID"))
    }

    @Test func `a run with one that did nothing is invalid, and says which`() throws {
        let summary = try run(Fault(.loss(perTenThousand: 10_000)), Fault(everybody))

        #expect(summary.invalid.count == 1)
        #expect(summary.invalid[0].hasPrefix("fault 1, partition of "))
        #expect(summary.invalid[0].hasSuffix("never took effect"))
        #expect(summary.text.contains("INVALID: the run proves nothing about these faults:"))
        #expect(summary.json.contains("never took effect"))
    }

    @Test func `a fault that may not fire leaves the run valid`() throws {
        #expect(try run(Fault(everybody), mayNotFire: true).invalid.isEmpty)
    }

    @Test func `of many nodes the first are named, and the others counted`() {
        func words(_ count: Int) -> String {
            Fault.Kind.partition((0..<count).map(NodeID.init(index:))).words { "n\($0.index)" }
        }

        #expect(words(6) == "partition of n0, n1, n2, n3, n4, n5")
        #expect(words(98) == "partition of n0, n1, n2, n3, n4 and 93 more")
    }

    @Test func `the digest of a run does not know whether its faults are counted on`() throws {
        let strict = try run(Fault(everybody))
        let willing = try run(Fault(everybody), mayNotFire: true)

        #expect(strict.digest == willing.digest && strict.unseed == willing.unseed)
    }
}
