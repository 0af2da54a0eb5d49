import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware
@testable import MeshSimulator

/// The stand-ins that count for the repeaters of a world without reports; with invariants on every frame is a pass.
@Suite struct `Stand-ins` {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `a repeater is the same whether somebody counted for it or not`(seed: UInt64) throws {
        var visited = Soak(seed: seed)
        var spared = Soak(seed: seed, checks: false)

        visited.run(seconds: 300)
        spared.run(seconds: 300)

        #expect(spared.world.digest == visited.world.digest)
        #expect(spared.world.unseed == visited.world.unseed)
        for node in visited.world.nodes {
            guard let one = visited.world.repeater(node), let other = spared.world.repeater(node) else { continue }
            #expect(one.core.statistics == other.core.statistics, "\(node)")
            #expect(one.core.seen.floodDuplicates == other.core.seen.floodDuplicates)
            #expect(one.core.lastSignal == other.core.lastSignal)
            #expect(one.core.errorFlags == other.core.errorFlags)
            #expect(one.core.budget == other.core.budget)
            #expect(one.unixTime == other.unixTime && one.core.now == other.core.now)
        }
    }

    @Test func `on a busy air most frames that are known are counted by somebody else`() throws {
        var world = World.mesh(5, 5, checks: false)
        world.run(until: .seconds(10))

        for number in 0..<10 {
            world.sendChannelText("number \(number)", from: 0)
            world.run(until: world.now + .seconds(20))
        }

        let unsettled = world.states.count { !$0.deferredCounts.isSettled }
        #expect(unsettled > 10)
        let middle = try #require(world.repeater(NodeID(index: 12)))
        #expect(middle.core.seen.floodDuplicates >= 5)
        #expect(middle.core.statistics.receivedFlood > middle.core.seen.floodDuplicates)
    }

    @Test func `a repeater that delays what it hears weakly is not stood in for`() {
        var world = World(seed: Seed(1), checks: false)
        var setup = ServerSetup(.repeater, board: .heltecV3)
        setup.preferences.receiveDelayBase = 10
        world.add(NodeDescription("alice", .companion(.serial)))
        for label in ["one", "two", "three"] { world.add(NodeDescription(label, .repeater, setup: setup)) }
        for one in world.nodes {
            for other in world.nodes where one < other { world.links.connect(one, other, AirLink(.strong)) }
        }
        world.run(until: .seconds(60))

        world.sendChannelText("hello", from: 0)
        world.run(until: .seconds(90))

        #expect(world.states.allSatisfy { $0.deferredCounts.isSettled })
    }

    @Test func `a repeater that prints every packet is not stood in for`() {
        var world = World(seed: Seed(1), checks: false)
        world.add(NodeDescription("alice", .companion(.serial)))
        for label in ["one", "two", "three"] {
            var node = NodeDescription(label, .repeater)
            node.board.logsPackets = true
            world.add(node)
        }
        for one in world.nodes {
            for other in world.nodes where one < other { world.links.connect(one, other, AirLink(.strong)) }
        }
        world.run(until: .seconds(60))

        world.sendChannelText("hello", from: 0)
        world.run(until: .seconds(90))

        #expect(world.states.allSatisfy { $0.deferredCounts.isSettled })
    }
}
