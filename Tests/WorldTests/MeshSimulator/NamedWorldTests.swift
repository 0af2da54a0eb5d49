import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
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

    @Test func `all nodes of the town stand somewhere, and say where`() throws {
        let (town, plan) = (WorldDescription.town, WorldDescription.town.plan)
        let places = plan.topology.nodes.compactMap(\.place)
        #expect(places.count == town.nodes.count && Set(places).count == places.count)
        // A link is good for a kilometre or two.
        for link in plan.topology.links {
            #expect(places[link.from].squareMetres(to: places[link.to]) < 2_000 * 2_000)
        }
        // Beside each other, and not on each other.
        for (index, place) in places.enumerated() {
            #expect(places[..<index].allSatisfy { $0.squareMetres(to: place) > 500 * 500 })
        }
        #expect(places[0].squareMetres(to: places[4]) > 5_000 * 5_000)

        for made in [World(town, seed: Seed(7)), plan.world(seed: Seed(7))] {
            var world = made
            let alice = try #require(world.node(labelled: "alice"))
            world.run(until: .seconds(300))

            let west = try #require(
                world.companion(alice)?.contacts.listed.first { $0.displayName.string == "West Hill" })
            #expect((west.latitude, west.longitude) == (50_937_000, 6_909_000))
            let companion = try #require(world.companion(alice))
            #expect(companion.preferences.advertLocationPolicy == 1)
            #expect((companion.preferences.latitude, companion.preferences.longitude) == (50.9315, 6.8910))
        }
    }

    @Test(arguments: [false, true])
    func `a companion of the town tells its app where it is, also after a restart`(restarts: Bool) throws {
        var world = World(.town, seed: Seed(7))
        let alice = try #require(world.node(labelled: "alice"))
        world.run(until: .seconds(60))
        if restarts { world.restart(alice) }
        world.run(until: .seconds(90))
        _ = world.takeOutputs()

        world.inject(.appConnected, into: alice)
        world.inject(.appBytes([UInt8(ascii: "<"), 8, 0, 1] + [UInt8](repeating: 0, count: 7)), into: alice)
        world.run(until: .seconds(91))

        let answer = world.takeOutputs().reduce(into: [] as [UInt8]) { bytes, output in
            if output.node == alice, case .appBytes(let some) = output.kind { bytes += some }
        }
        // A marker and a length, then code, type, powers and key.
        #expect(answer.dropFirst(3).first == 5)
        let place = [50_931_500, 6_891_000].flatMap { value in
            withUnsafeBytes(of: Int32(value).littleEndian) { [UInt8]($0) }
        }
        #expect([UInt8](answer.dropFirst(3 + 4 + 32).prefix(8)) == place)
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
