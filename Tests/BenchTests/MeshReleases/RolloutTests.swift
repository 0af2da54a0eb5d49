import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@testable import MeshReleases
@testable import MeshStudy

@Suite struct RolloutTests {
    private let small: Rollout.Network = {
        var network = Rollout.Network(world: "star:6")
        (network.span, network.traffic) = ("20s", "flood:5s")
        return network
    }()

    private func versions(_ plan: StudyPlan, _ arm: Int, seed: UInt64) throws -> [(Topology.Role, String)] {
        let world = try plan.plan(plan.arms[arm], on: plan.base(seed: Seed(seed)), Seed(seed))
        return zip(world.topology.nodes, world.equipment).map { ($0.role, $1.board.firmware.name) }
    }

    @Test func `the stages are ten, fifty and ninety percent, clients first and repeaters first`() throws {
        let plan = try Rollout(
            from: ComparedRelease(.v1_15), to: ComparedRelease(.v1_16), on: small, seeds: 20
        ).plan

        #expect(
            plan.arms.map(\.name) == [
                "all old", "10 % new clients first", "50 % new clients first", "90 % new clients first",
                "10 % new repeaters first", "50 % new repeaters first", "90 % new repeaters first", "all new",
            ])
        #expect(try versions(plan, 0, seed: 1).allSatisfy { $0.1 == "1.15" })
        #expect(try versions(plan, 7, seed: 1).allSatisfy { $0.1 == "1.16" })
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `no node of the other kind is new before all of the first kind are`(_ seed: UInt64) throws {
        var network = small
        (network.world, network.traffic) = ("city:20", "chat:4s")
        let plan = try Rollout(
            from: ComparedRelease(.v1_15), to: ComparedRelease(.v1_16), on: network, seeds: 20
        ).plan

        for (arm, isClients) in [(1, true), (2, true), (3, true), (4, false), (5, false), (6, false)] {
            let nodes = try versions(plan, arm, seed: seed)
            let first = nodes.filter { ($0.0 == .companion) == isClients }
            let rest = nodes.filter { ($0.0 == .companion) != isClients }
            #expect(first.allSatisfy { $0.1 == "1.16" } || rest.allSatisfy { $0.1 == "1.15" }, "arm \(arm)")
            #expect(Set(nodes.map(\.1)).isSubset(of: ["1.15", "1.16"]))
        }
    }

    @Test func `a later stage has all nodes of an earlier one`() throws {
        var network = small
        (network.world, network.traffic) = ("city:20", "chat:4s")
        let plan = try Rollout(
            from: ComparedRelease(.v1_15), to: ComparedRelease(.v1_16), on: network, seeds: 20
        ).plan

        for arms in [[1, 2, 3, 7], [4, 5, 6, 7]] {
            let stages = try arms.map { try versions(plan, $0, seed: 3).map { $0.1 == "1.16" } }
            for (early, late) in zip(stages, stages.dropFirst()) {
                #expect(zip(early, late).allSatisfy { !$0 || $1 })
                #expect(early.count { $0 } <= late.count { $0 })
            }
            #expect(stages[3].allSatisfy { $0 })
        }
    }

    @Test func `equal releases have no finding, whatever their seeds`() throws {
        let release = ComparedRelease(.v1_16)
        let rollout = try Rollout(from: release, to: release, on: small, seeds: 30)

        let result = try rollout.perform(jobs: 1, version: "test")

        #expect(Rollout.findings(result) == [])
        #expect(result.comparisons.count == 21)
    }

    @Test func `a network that is none is refused before anything is run`() throws {
        var comparison = FirmwareComparison(ComparedRelease(.v1_15), ComparedRelease(.v1_16))
        comparison.network.world = "nowhere:3"
        var hasBegun = false

        #expect(throws: StudyProblem.self) { try comparison.perform { _, _, _, _ in hasBegun = true } }
        #expect(!hasBegun)
    }

    @Test func `an arm of a file begins with the nodes that it names, and refuses others`() throws {
        func plan(_ order: String) throws -> StudyPlan {
            let text = """
                {"study": "x", "world": "city:20", "traffic": "chat:4s", "metrics": {"delivery": 0.1}, "arms": [
                {"name": "a"}, {"name": "b", "firmware": "1.14", "share": 0.3, "first": "\(order)"}]}
                """
            return try StudyPlan(reading: Array(text.utf8))
        }

        let nodes = try versions(plan("repeaters"), 1, seed: 1)
        // Repeaters are a fifth of the town.
        #expect(nodes.allSatisfy { $0.0 == .companion || $0.1 == "1.14" })
        #expect(nodes.contains { $0.1 != "1.14" })
        do {
            _ = try plan("nobody")
            Issue.record("taken")
        } catch {
            #expect("\(error)".contains("first: is neither clients nor repeaters"), "\(error)")
        }
    }
}
