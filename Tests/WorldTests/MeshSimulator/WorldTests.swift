import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@Suite struct WorldTests {
    let a = NodeID(index: 0)
    let b = NodeID(index: 1)

    @Test func `the same seed and the same inputs give the same digest and the same trace`() {
        var worlds = [World.parrots(4), World.parrots(4)]

        for index in worlds.indices { worlds[index].babble() }

        #expect(worlds[0].digest == worlds[1].digest)
        #expect(worlds[0].trace.records == worlds[1].trace.records)
        #expect(worlds[0].digest.description == Self.knownDigest, "differs from the digest of another process")
    }

    /// The digest of a run in another process.
    static let knownDigest = "2263d1a175a87e36"

    @Test func `another order of events gives another digest`() {
        var first = World.parrots(3)
        var second = World.parrots(3)

        first.send([1], from: 0)
        first.send([1], from: 2)
        second.send([1], from: 2)
        second.send([1], from: 0)
        first.run(until: .seconds(1))
        second.run(until: .seconds(1))

        #expect(first.digest != second.digest)
    }

    @Test func `events of one moment happen in the order in which they were scheduled`() {
        var world = World.parrots(4)
        for sender in world.nodes { for listener in world.nodes { world.links[sender, listener] = nil } }

        for node in [2, 0, 3, 1] { world.inject(.appBytes([5, 0x2E]), into: NodeID(index: node)) }
        world.run(until: .seconds(1))

        let begun = world.trace.records.filter { if case .txBegin = $0.event { true } else { false } }
        #expect(begun.map(\.node.index) == [2, 0, 3, 1])
        #expect(Set(begun.map(\.time)) == [.milliseconds(10)])
    }

    @Test func `the way to a moment does not matter: many small steps are one large step`() {
        var whole = World.parrots(3)
        var stepped = whole

        for node in 0..<3 { whole.inject(.appBytes([5, UInt8(node)]), into: NodeID(index: node)) }
        for node in 0..<3 { stepped.inject(.appBytes([5, UInt8(node)]), into: NodeID(index: node)) }
        whole.run(until: .seconds(1))
        for step in 1...1000 { stepped.run(until: .milliseconds(step)) }

        #expect(whole.digest == stepped.digest)
        #expect(whole.now == stepped.now)
    }

    @Test func `a copy of a world is a snapshot`() {
        var world = World.parrots(2)
        world.send([1], from: 0)

        var copy = world
        copy.run(until: .seconds(1))
        #expect(world.now == .start)
        world.run(until: .seconds(1))

        #expect(world.digest == copy.digest)
    }

    @Test func `a reboot cuts the frame on the air, shuts the node for its boot delay and keeps its flash`() {
        var world = World.parrots(2)
        world.inject(.appBytes([2] + Array("kept".utf8)), into: a)

        world.send([UInt8](repeating: 1, count: 100), from: 0)
        world.run(until: .milliseconds(100))
        world.inject(.appBytes([1]), into: a)
        #expect(!world.isUp(a))
        world.run(until: .milliseconds(100) + world.board(of: a).bootDelay)

        #expect(world.isUp(a))
        #expect(world.losses(at: 1) == [.senderCut])
        #expect(world.flash(of: a)["/note"] == Array("kept".utf8))
        #expect(world.takeTold(1) == [])
    }

    @Test func `a frame for a board that is starting is lost`() {
        var world = World.parrots(2)

        world.inject(.appBytes([1]), into: b)
        world.send([1], from: 0)
        world.run(until: .seconds(3))

        #expect(world.takeTold(1) == [])
        #expect(world.losses(at: 1) == [.off])
    }

    @Test func `what a client sends to a starting board waits for it, within a socket buffer`() {
        var world = World.parrots(1)

        world.inject(.appBytes([1]), into: a)
        world.inject(.appConnected, into: a)
        world.inject(.appBytes([3]), into: a)
        for _ in 0..<100 { world.inject(.appBytes([3] + [UInt8](repeating: 0, count: 999)), into: a) }
        world.run(until: .seconds(3))

        #expect(world.takeTold(0) == ["c"] + [String](repeating: "q", count: 6))
    }

    @Test func `a node that always wants another pass does not stop the time`() {
        var world = World.parrots(2)

        world.inject(.appBytes([6]), into: a)
        world.run(until: .milliseconds(2))

        #expect(world.now == .milliseconds(2))
    }

    @Test func `the trace keeps the newest records and counts what it forgets`() {
        var world = World(seed: Seed(1), traceCapacity: 3)
        world.add(NodeDescription("a", .guest { Parrot($0) }))

        for byte in UInt8(0)..<5 { world.send([byte], from: 0) }

        #expect(world.trace.records.count == 3)
        #expect(world.trace.forgotten == 2)
        guard case .txBegin(_, let bytes, _) = world.trace.records.last?.event else {
            Issue.record("the newest record is missing")
            return
        }
        #expect(bytes == [4])
    }
}

extension World {
    /// Traffic drawn from the world's own seed: collisions, restarts, questions.
    fileprivate mutating func babble() {
        var randomness = seed.stream("babble")
        for step in 1...300 {
            run(until: .milliseconds(step * 40))
            let node = NodeID(index: Int(randomness.draw(0, UInt32(nodes.count))))
            let command: UInt8 = randomness.draw(0, 40) == 0 ? 1 : [0, 3, 5][Int(randomness.draw(0, 3))]
            inject(.appBytes([command] + (0..<randomness.draw(0, 30)).map { _ in randomness.nextByte() }), into: node)
        }
        run(until: .seconds(60))
    }
}
