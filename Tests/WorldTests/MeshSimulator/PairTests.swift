import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import Testing

@Suite struct PairTests {
    let alice = NodeID(index: 0)
    let repeater = NodeID(index: 1)
    let bob = NodeID(index: 2)

    /// A pair with a client at each companion.
    func connectedPair(seed: UInt64 = 7) -> World {
        var world = World(.village, seed: Seed(seed), traceCapacity: 10_000)
        world.inject(.appConnected, into: alice)
        world.inject(.appConnected, into: bob)
        return world
    }

    func command(_ payload: [UInt8]) -> NodeInput {
        .appBytes([UInt8(ascii: "<"), UInt8(payload.count), 0] + payload)
    }

    @Test func `nodes are at factory settings and bear their key's name`() throws {
        let world = World(.village, seed: Seed(7))

        for node in [alice, bob] {
            let companion = try #require(world.companion(node))
            #expect(companion.name.description == companion.publicKey.prefix(4).hex.uppercased())
        }
        #expect(world.repeater(repeater)?.server.preferences.name.description == "repeater")
    }

    @Test func `a label's key comes from the seed alone, not from the world around it`() {
        let key = World(.village, seed: Seed(7)).companion(alice)?.publicKey

        #expect(World(.solo, seed: Seed(7)).companion(alice)?.publicKey == key)
        #expect(World(.solo, seed: Seed(8)).companion(alice)?.publicKey != key)
        #expect(World(.village, seed: Seed(7)).companion(bob)?.publicKey != key)
    }

    @Test func `a flooded advert reaches bob from the repeater only`() throws {
        var world = connectedPair()

        world.inject(command([7, 1]), into: alice)
        // The first advert of a server comes right after.
        world.run(until: .seconds(5))

        let frames = world.trace.records.compactMap { record -> (sender: NodeID, frame: UInt64)? in
            guard case .txBegin(let frame, _, _) = record.event else { return nil }
            return (record.node, frame)
        }
        #expect(frames.map(\.sender) == [alice, repeater])
        let heard = world.trace.records.compactMap { record -> UInt64? in
            guard record.node == bob, case .rxEnd(let frame, _) = record.event else { return nil }
            return frame
        }
        #expect(heard == [frames[1].frame])
        let key = try #require(world.companion(alice)?.publicKey)
        #expect(world.companion(bob)?.contacts.slots.contains { $0.publicKey == key } == true)
    }

    @Test func `the same seed gives the same digest, another seed another one`() {
        var worlds = [connectedPair(), connectedPair(), connectedPair(seed: 8)]

        for index in worlds.indices {
            worlds[index].inject(command([7, 1]), into: alice)
            worlds[index].run(until: .seconds(60))
        }

        #expect(worlds[0].digest == worlds[1].digest)
        #expect(worlds[0].trace.records == worlds[1].trace.records)
        #expect(worlds[0].digest != worlds[2].digest)
    }

    @Test func `a restarted companion is itself again, and its clock went on`() throws {
        // Alone: with contacts in flash the firmware would set the clock from them (CMP-217).
        var world = World(.solo, seed: Seed(7), traceCapacity: 100)
        world.inject(.appConnected, into: alice)
        world.run(until: .seconds(100))
        let before = try #require(world.companion(alice))

        world.inject(command([19] + Array("reboot".utf8)), into: alice)
        world.run(until: .seconds(110))

        let after = try #require(world.companion(alice))
        #expect(world.isUp(alice))
        #expect(world.trace.records.contains { $0.node == alice && $0.event == .booted })
        #expect(after.publicKey == before.publicKey)
        #expect(after.unixTime >= before.board.clockAtPowerOn + 100)
    }

    @Test func `a restarted nRF52 starts its clock anew`() throws {
        var description = WorldDescription.solo
        description.nodes[0].board = .rak4631
        var world = World(description, seed: Seed(7))
        world.inject(.appConnected, into: alice)
        world.run(until: .seconds(100))

        world.inject(command([19] + Array("reboot".utf8)), into: alice)
        world.run(until: .seconds(105))

        let time = try #require(world.companion(alice)?.unixTime)
        #expect(time < BoardProfile.rak4631.clockAtPowerOn + 10)
    }
}
