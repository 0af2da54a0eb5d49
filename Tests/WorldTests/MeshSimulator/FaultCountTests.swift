import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

/// Faults count what they did, and nothing that others did.
@Suite struct FaultCountTests {
    private let a = NodeID(index: 0)
    private let b = NodeID(index: 1)

    /// Sends a frame of two bytes from `a` every second, 100 times, to two nodes that hear it.
    private func run(_ faults: Fault..., change: (inout World) -> Void = { _ in }) -> World {
        var world = World.parrots(3)
        change(&world)
        for fault in faults { world.schedule(fault) }
        for second in 0..<100 {
            world.run(until: .seconds(second))
            world.send([0x2E, 0x2E], from: 0)
        }
        world.run(until: .seconds(101))
        return world
    }

    @Test func `lost frames are counted with their bytes, their listeners and their times`() {
        let world = run(Fault(.loss(perTenThousand: 5000, to: b), from: .seconds(10), to: .seconds(90)))
        let count = world.effect(ofFault: 0)

        #expect(count.frames == world.losses(at: 1).count && count.times == count.frames)
        #expect(count.bytes == 2 * count.frames && count.nodes == [1])
        #expect(count.first ?? .start >= .seconds(10) && count.last ?? .never <= .seconds(91))
        #expect(world.idleFaults.isEmpty)
    }

    @Test func `a partition, a deaf node and a node without power count the frames that they lose`() {
        let whole: Fault.Kind = .partition([NodeID(index: 0)])
        for (kind, frames) in [(whole, 200), (.deafness(b), 100), (.crash(b), 100)] as [(Fault.Kind, Int)] {
            let count = run(Fault(kind)).effect(ofFault: 0)
            #expect(count.frames == frames, "\(kind)")
        }
        #expect(run(Fault(.crash(b))).effect(ofFault: 0).times == 101, "the cut of the power is one more")
    }

    @Test func `spoiled and repeated frames are counted`() {
        let kinds: [(Fault.Kind, frames: Int)] = [
            (.corruption(perTenThousand: 10_000, to: b), 100),
            (.corruption(perTenThousand: 10_000, to: b, passesChecksum: true), 100),
            (.senderCorruption(perTenThousand: 10_000, of: a), 100), (.replay(near: b, after: .milliseconds(500)), 100),
        ]
        for (kind, frames) in kinds {
            #expect(run(Fault(kind)).effect(ofFault: 0).frames == frames, "\(kind)")
        }
    }

    @Test func `a link counts the frames that it did not carry`() {
        let count = run(Fault(.link(from: a, to: b, nil), from: .milliseconds(9500), to: .milliseconds(29_500)))
            .effect(ofFault: 0)

        #expect(count.frames == 20 && count.nodes == [1])
        let lasting = run(Fault(.link(from: a, to: b, nil))).effect(ofFault: 0)
        #expect(lasting.frames == 100, "one that lasts is counted, too")
    }

    @Test func `what cannot take effect counts nothing, and is idle unless it may do nothing`() {
        let kinds: [Fault.Kind] = [
            .loss(perTenThousand: 0), .loss(perTenThousand: 10_000, from: b),
            .partition((0..<3).map(NodeID.init(index:))),
            .corruption(perTenThousand: 0), .corruption(perTenThousand: 10_000, from: b),
            .senderCorruption(perTenThousand: 10_000, of: b), .replay(near: a, after: .seconds(1)),
            .link(from: b, to: a, nil), .flashFailure(a), .tornWrite(a, bytes: 1), .clockJump(a, seconds: 5),
        ]
        for kind in kinds {
            let world = run(Fault(kind))
            #expect(!world.effect(ofFault: 0).hasFired && world.idleFaults == [0], "\(kind)")
            var willing = Fault(kind)
            willing.mayNotFire = true
            #expect(run(willing).idleFaults.isEmpty, "\(kind)")
        }
        let absent = run(Fault(.link(from: a, to: b, nil))) { $0.links[link: a, b] = nil }
        #expect(absent.idleFaults == [0], "there was no link to lose")
        #expect(run(Fault(.crash(b), from: .seconds(200))).idleFaults == [0], "the run was over before")
    }

    @Test func `of two faults that lose the same frames the second has nothing to lose`() {
        let world = run(Fault(.loss(perTenThousand: 10_000)), Fault(.partition([a])))

        #expect(world.effect(ofFault: 0).frames == 200)
        #expect(world.idleFaults == [1])
    }

    @Test func `boards count restarts, clocks, refused writes and torn ones`() {
        var world = World.mesh(2)
        world.run(until: .seconds(30))
        world.schedule(Fault(.clockJump(b, seconds: 86_400), from: world.now))
        world.schedule(Fault(.clockJump(b, seconds: 0), from: world.now))
        world.schedule(Fault(.reboot(a), from: world.now))
        world.run(until: .seconds(40))

        #expect(world.effect(ofFault: 0).nodes == [1] && world.effect(ofFault: 0).times == 1)
        #expect(world.effect(ofFault: 2).nodes == [0])
        #expect(world.idleFaults == [1], "a clock that jumps by nothing stays")

        var flash = Flash()
        flash.failsToWrite = true
        let isWritten = flash.write([1], to: "/a")
        #expect(!isWritten && flash.refusals == 1)
    }

    @Test func `a copy of a world counts for itself`() {
        var world = World.parrots(2)
        world.schedule(Fault(.loss(perTenThousand: 10_000)))
        let before = world
        world.send([1], from: 0)
        world.run(until: .seconds(1))

        #expect(world.effect(ofFault: 0).frames == 1 && !before.effect(ofFault: 0).hasFired)
    }
}
