import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshSimulator

/// Two valleys that no radio joins, each with a companion and a repeater.
@Suite struct BridgedWorldTests {
    private static func world(
        _ kind: BridgeKind, joined: Bool = true, _ change: (inout ServerSetup, Int) -> Void = { _, _ in }
    ) -> World {
        var world = World(seed: Seed(5), traceCapacity: 10_000)
        var board = BoardProfile.heltecV3
        board.bridge = kind
        for (index, label) in ["alice", "west", "east", "bob"].enumerated() {
            guard index == 1 || index == 2 else {
                world.add(NodeDescription(label, .companion(.serial)))
                continue
            }
            var setup = ServerSetup(.repeater, board: board)
            setup.silenceAdverts()
            change(&setup, index)
            world.add(NodeDescription(label, .repeater, board: board, setup: setup))
        }
        let link = AirLink(Signal(snrHundredths: 800, rssiHundredths: -8000))
        world.links.connect(NodeID(index: 0), NodeID(index: 1), link)
        world.links.connect(NodeID(index: 2), NodeID(index: 3), link)
        if joined { world.join(WorldBridge([1, 2], kind: kind)) }
        world.run(until: .seconds(20))
        return world
    }

    private static func received(_ world: World) -> Int { world.companion(NodeID(index: 3))?.offlineQueue.count ?? 0 }

    @Test(arguments: [BridgeKind.rs232, .espNow])
    func `a text goes over the bridge although no radio hears the other side`(kind: BridgeKind) {
        var world = Self.world(kind)
        world.sendChannelText("over the hill", from: 0)
        world.run(until: .seconds(40))

        #expect(Self.received(world) == 1)
        let bridged = world.trace.records.filter { if case .bridged = $0.event { true } else { false } }
        #expect(bridged.map(\.node.index).contains(1))
        // What came over it does not go back.
        #expect(!bridged.map(\.node.index).contains(2))
    }

    @Test func `without a bridge, with one that is off, and at different speeds it does not`() {
        var apart = Self.world(.rs232, joined: false)
        var off = Self.world(.rs232) { setup, index in if index == 1 { setup.preferences.bridgeEnabled = 0 } }
        var speeds = Self.world(.rs232) { setup, index in if index == 2 { setup.preferences.bridgeBaud = 9600 } }
        for count in 0..<3 {
            apart.sendChannelText("\(count)", from: 0)
            off.sendChannelText("\(count)", from: 0)
            speeds.sendChannelText("\(count)", from: 0)
        }
        for var world in [apart, off, speeds] {
            world.run(until: .seconds(60))
            #expect(Self.received(world) == 0)
        }
    }

    @Test func `bytes need their time on a line, one write after the other, and a board that is down loses them`() {
        var world = Self.world(.rs232) { setup, _ in
            setup.preferences.bridgeBaud = 9600
            setup.preferences.bridgeDelay = 0
        }
        let start = world.now
        world.carry([UInt8](repeating: 0, count: 96), tuning: 9600, from: 1)
        world.carry([UInt8](repeating: 0, count: 96), tuning: 9600, from: 1)
        #expect(world.bridgeWrites.count == 2)
        world.run(until: start + .milliseconds(150))
        #expect(world.bridgeWrites.count == 1)
        world.run(until: start + .milliseconds(201))
        #expect(world.bridgeWrites.isEmpty)

        world.powerOff(NodeID(index: 2))
        world.sendChannelText("lost", from: 0)
        world.run(until: .seconds(60))
        world.powerOn(NodeID(index: 2))
        world.run(until: .seconds(90))
        #expect(Self.received(world) == 0)
    }

    @Test func `the same seed gives the same run`() {
        let digests = (0..<2).map { _ in
            var world = Self.world(.espNow)
            world.sendChannelText("twice", from: 0)
            world.run(until: .seconds(60))
            return world.digest
        }

        #expect(digests[0] == digests[1])
    }
}
