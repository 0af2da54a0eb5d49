import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@Suite struct FaultTests {
    let a = NodeID(index: 0)
    let b = NodeID(index: 1)
    let c = NodeID(index: 2)

    /// Sends a dot from `a` every second, 300 times.
    private func run(_ faults: Fault..., nodes: Int = 3, seed: UInt64 = 1) -> World {
        var world = World.parrots(nodes, seed: seed)
        for fault in faults { world.schedule(fault) }
        for second in 0..<300 {
            world.run(until: .seconds(second))
            world.send([0x2E], from: 0)
        }
        world.run(until: .seconds(301))
        return world
    }

    @Test func `loss takes its share on its links, while it lasts`() {
        let world = run(Fault(.loss(perTenThousand: 5000, to: b), from: .seconds(100), to: .seconds(200)))

        #expect((35...65).contains(world.losses(at: 1).count))
        #expect(world.losses(at: 1).allSatisfy { $0 == .fault })
        #expect(world.losses(at: 2).isEmpty)
    }

    @Test func `each fault draws from a stream of its own`() {
        let alone = run(Fault(.loss(perTenThousand: 5000, to: b)))
        let beside = run(Fault(.loss(perTenThousand: 5000, to: b)), Fault(.loss(perTenThousand: 5000, to: c)))

        #expect(alone.losses(at: 1).count == beside.losses(at: 1).count)
        #expect(alone.unseed != beside.unseed)
    }

    @Test func `a partition cuts both directions and nothing inside`() {
        var world = World.parrots(4)
        world.schedule(Fault(.partition([a, b])))

        world.send([0x31], from: 0)
        world.run(until: .seconds(1))
        world.send([0x32], from: 3)
        world.run(until: .seconds(2))

        #expect(world.losses(at: 0) == [.fault] && world.losses(at: 1) == [.fault])
        #expect(world.losses(at: 2) == [.fault] && world.losses(at: 3) == [.fault])
        #expect(world.takeTold(1) == ["h1"])
    }

    @Test func `a deaf node hears nothing and thinks the air is quiet`() {
        var world = World.parrots(2)
        world.schedule(Fault(.deafness(b), to: .seconds(2)))

        world.send([0x31], from: 0)
        world.run(until: .milliseconds(150))
        world.inject(.appBytes([3]), into: b)
        world.run(until: .seconds(3))
        world.send([0x32], from: 0)
        world.run(until: .seconds(4))

        #expect(world.takeTold(1) == ["q", "h2"])
        #expect(world.losses(at: 1) == [.deaf])
    }

    @Test func `a crashed board is dark until the end, and starts with its flash`() {
        var world = World.parrots(2)
        world.inject(.appBytes([2, 0x21]), into: b)
        world.schedule(Fault(.crash(b), from: .seconds(1), to: .seconds(10)))

        world.run(until: .seconds(11))
        #expect(!world.isUp(b))
        world.run(until: .seconds(12))

        #expect(world.isUp(b))
        #expect(world.flash(of: b)["/note"] == [0x21])
    }

    @Test func `a restart without flash makes another node`() throws {
        var world = World.mesh(3)
        let first = try #require(world.companion(a)?.publicKey)
        let repeater = try #require(world.repeater(b)?.publicKey)

        world.schedule(Fault(.reboot(a), from: .seconds(1)))
        world.schedule(Fault(.reboot(b, keepingFlash: false), from: .seconds(1)))
        world.run(until: .seconds(5))
        #expect(world.companion(a)?.publicKey == first)
        #expect(world.repeater(b)?.publicKey != repeater)
        world.schedule(Fault(.reboot(a, keepingFlash: false), from: .seconds(6)))
        world.run(until: .seconds(10))

        #expect(world.companion(a)?.publicKey != first)
    }

    @Test func `a clock jumps, for companions and repeaters`() throws {
        var world = World.mesh(3)
        world.run(until: .seconds(1))
        let before = try [#require(world.companion(a)?.unixTime), #require(world.repeater(b)?.unixTime)]

        world.schedule(Fault(.clockJump(a, seconds: -5000), from: .seconds(2)))
        world.schedule(Fault(.clockJump(b, seconds: 100_000), from: .seconds(2)))
        world.run(until: .seconds(3))

        let after = try [#require(world.companion(a)?.unixTime), #require(world.repeater(b)?.unixTime)]
        #expect((4990...5000).contains(before[0] - after[0]))
        #expect((100_000...100_010).contains(after[1] - before[1]))
    }

    @Test func `flash fails while the fault lasts`() throws {
        var world = World.mesh(2)
        world.schedule(Fault(.flashFailure(a), to: .seconds(10)))

        #expect(world.flash(of: a).failsToWrite)
        world.run(until: .seconds(11))

        #expect(!world.flash(of: a).failsToWrite)
    }

    @Test func `a corrupted frame is a wrong checksum to its listeners, or other bytes with a right one`() {
        var spoiled = run(Fault(.corruption(perTenThousand: 10_000, to: b)))
        var mangled = run(Fault(.corruption(perTenThousand: 10_000, to: b, passesChecksum: true)))

        #expect(spoiled.losses(at: 1) == Array(repeating: .corrupted, count: 300))
        #expect(spoiled.takeTold(1) == Array(repeating: "e", count: 300))
        #expect(mangled.losses(at: 1).isEmpty)
        #expect(mangled.takeTold(1).count { $0 == "h." } < 30)
    }

    @Test func `a frame that its sender spoils is the same other bytes to all who hear it`() {
        var world = run(Fault(.senderCorruption(perTenThousand: 5000, of: a)))
        // A world hands out what it has told once.
        var copy = world
        let (first, second) = (world.takeTold(1), copy.takeTold(2))

        #expect(first.count == 300 && first == second)
        #expect((110...190).contains(first.count { $0 == "h." }))
    }

    @Test func `what is replayed is heard by the neighbours of the place, and not sent by the node there`() {
        var world = World.parrots(3)
        world.links[b, a] = nil
        world.schedule(Fault(.replay(near: b, after: .seconds(5))))

        world.send([0x31], from: 0)
        world.run(until: .seconds(7))

        #expect(world.framesSent(by: b) == 0)
        #expect(world.takeTold(2) == ["h1", "h1"])
    }

    @Test func `a link is another one while the fault lasts`() {
        var world = World.parrots(2)
        world.schedule(Fault(.link(from: a, to: b, nil), from: .seconds(1), to: .seconds(2)))

        world.run(until: .seconds(1))
        #expect(world.links[a, b] == nil)
        world.run(until: .seconds(2))

        #expect(world.links[a, b] == .strong)
    }
}

@Suite struct InvariantTests {
    @Test(arguments: Array(UInt64(1)...40))
    func `no seed breaks a rule`(seed: UInt64) {
        var soak = Soak(seed: seed)

        soak.run(seconds: 300)

        #expect(soak.world.statistics.transmissions > 0)
        #expect(soak.world.invariants.violations.isEmpty)
    }

    @Test func `the airtime budget is looked at once a node has sent for half an hour`() {
        var world = World.mesh(3)
        for step in 0..<8000 {
            world.run(until: .seconds(step))
            world.sendChannelText(String(repeating: "long text ", count: 14), from: 0)
            _ = world.takeOutputs()
        }

        #expect(world.airtime(of: NodeID(index: 1)) > .seconds(1800))
        #expect(world.invariants.violations.isEmpty)
    }
}
