import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import Testing

/// Nodes that know each other from before the world began, and the first world that users meet.
@Suite struct AcquaintanceTests {
    private let alice = NodeID(index: 0)
    private let rep1 = NodeID(index: 1)
    private let bob = NodeID(index: 2)

    private func names(_ node: NodeID, in world: World) -> [String] {
        (world.companion(node)?.contacts.listed ?? []).map { $0.displayName.string }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `in the first world everybody knows everybody, and nobody says anything unless asked`(_ seed: UInt64) throws {
        var world = World(.pair, seed: Seed(seed))
        let name = try #require(world.companion(bob)?.name.string)
        #expect(names(alice, in: world) == ["rep1", name])
        #expect(
            world.companion(bob)?.contacts.listed.map(\.publicKey)
                == [alice, rep1].map { world.firmware($0)?.publicKey })

        world.run(until: .seconds(86_400))

        #expect(world.statistics.transmissions == 0)
    }

    @Test func `servers of any world can be kept from adverting, and do otherwise`() {
        var quiet = WorldDescription.village
        quiet.silenceAdverts()
        var worlds = [World(quiet, seed: Seed(7)), World(.village, seed: Seed(7))]

        for index in worlds.indices { worlds[index].run(until: .seconds(3600)) }

        #expect(worlds[0].statistics.transmissions == 0)
        #expect(worlds[1].statistics.transmissions > 90)
    }

    @Test func `a contact from before is there without a way, and a first advert is news of it`() throws {
        var world = World(.pair, seed: Seed(7))
        let before = try #require(world.companion(bob)?.contacts.listed.first)
        #expect(before.outPathLength.isUnknown)

        world.inject(.appConnected, into: alice)
        // SEND_SELF_ADVERT by flood, at the very beginning.
        world.inject(.appBytes([UInt8(ascii: "<"), 2, 0, 7, 1]), into: alice)
        world.run(until: .seconds(10))

        let after = try #require(world.companion(bob)?.contacts.listed.first)
        #expect(after.publicKey == before.publicKey && after.lastAdvert > before.lastAdvert)
        #expect(world.companion(bob)?.contacts.listedCount == 2)
    }

    @Test func `a restarted board still knows the others, and a newly flashed one knows nobody`() {
        var world = World(.pair, seed: Seed(7))
        world.restart(alice)
        world.restart(bob, erasingFlash: true)
        world.run(until: .seconds(10))

        #expect(world.companion(alice)?.contacts.listedCount == 2)
        #expect(world.companion(bob)?.contacts.listedCount == 0)
    }

    @Test func `a board that comes with a memory keeps to it`() throws {
        var description = WorldDescription.pair
        let other = World(.solo, seed: Seed(99))
        description.nodes[0].flash = other.flash(of: alice)

        let world = World(description, seed: Seed(7))

        #expect(world.companion(alice)?.publicKey == other.companion(alice)?.publicKey)
        #expect(world.companion(alice)?.contacts.listedCount == 0)
        // Bob knows her by the key that she has.
        #expect(world.companion(bob)?.contacts.listed.first?.publicKey == other.companion(alice)?.publicKey)
    }

    @Test func `what was heard before came by the shortest way over relays`() throws {
        var plan = WorldPlan(.line(5))
        plan.met = [0, 4]
        let world = plan.world(seed: Seed(3))
        let last = NodeID(index: 4)

        #expect(names(alice, in: world).count == 1 && names(last, in: world).count == 1)
        let advert = try #require(world.companion(alice)?.flash.files.first { $0.path.hasPrefix("/bl/") }?.bytes)
        let relays = [3, 2, 1].map { world.firmware(NodeID(index: $0))?.publicKey[0] }
        #expect(Array(advert).dropFirst().starts(with: [3] + relays.compactMap { $0 }))
    }
}
