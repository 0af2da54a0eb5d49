import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

/// The worlds that have a name are the same for runs on virtual time and on the real clock.
@Suite struct NamedWorldTests {
    @Test(arguments: ["solo", "desk", "pair", "village", "town"])
    func `a shape of a world's name is that world`(text: String) throws {
        let name = try TopologyName(text)
        let description = try #require(WorldDescription.all.first { $0.name == text })
        var one = World(description, seed: Seed(7))
        var other = name.plan(seed: Seed(7)).world(seed: Seed(7))

        one.run(until: .seconds(300))
        other.run(until: .seconds(300))

        #expect(one.digest == other.digest)
        #expect(one.unseed == other.unseed)
        #expect(name.nodeCount == description.nodes.count)
        #expect(one.nodes.map { one.label(of: $0) } == name.topology(seed: Seed(7)).nodes.map(\.label))
    }

    @Test func `rooms and sensors of a topology are rooms and sensors`() {
        let topology = Topology(
            name: "mixed",
            nodes: [Topology.Node("r", .repeater), Topology.Node("m", .roomServer), Topology.Node("s", .sensor)])
        var plan = WorldPlan(topology)
        plan.silenceAdverts()
        let world = plan.world(seed: Seed(1))

        var seen: [String] = []
        for node in world.nodes {
            guard let server = world.firmware(node) as? any InfrastructureNode else { continue }
            seen.append("\(server.server.preferences.name) is a \(server.server.role.commandName)")
        }
        #expect(seen == ["r is a repeater", "m is a room_server", "s is a sensor"])
        #expect(plan.equipment.allSatisfy { !$0.setup.advertsOnBoot })
    }

    @Test func `a plan's description makes the plan's world, closed directions included`() {
        var topology = Topology(
            name: "odd",
            nodes: [
                Topology.Node("a", .companion), Topology.Node("b", .repeater), Topology.Node("c", .companion),
            ])
        topology.links = [
            Topology.Link(0, 1, there: .good, back: nil), Topology.Link(1, 2, there: nil, back: .benchmark),
            Topology.Link(0, 2, there: .good, back: .benchmark, lossPerTenThousand: 7),
        ]
        let plan = WorldPlan(topology)

        let planned = plan.world(seed: Seed(7))
        let described = World(plan.description, seed: Seed(7))

        for from in planned.nodes {
            for to in planned.nodes where from != to {
                #expect(described.links[link: from, to] == planned.links[link: from, to])
            }
        }
        #expect(described.links[link: NodeID(index: 1), NodeID(index: 0)] == nil)
        #expect(plan.description.plan.topology.links.map(\.back) == [nil, nil, .benchmark])
    }
}
