import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import Testing

@Suite struct PowerTests {
    private let repeater = NodeID(index: 0)
    private let room = NodeID(index: 1)

    /// A repeater that a room hears with −8 dB at factory power.
    private func world() -> World {
        var world = World(seed: Seed(3))
        world.add(NodeDescription("repeater", .repeater))
        world.add(NodeDescription("room", .roomServer))
        world.links[repeater, room] = Signal(snrHundredths: -800, rssiHundredths: -11_800)
        return world
    }

    private func type(_ line: String, into world: inout World) -> String {
        _ = world.takeOutputs()
        world.inject(.appBytes([UInt8]((line + "\r").utf8)), into: repeater)
        return world.takeOutputs().reduce(into: "") { text, output in
            if case .appBytes(let bytes) = output.kind { text += String(decoding: bytes, as: UTF8.self) }
        }
    }

    @Test func `a node that sends with less power is heard less far, until its power is raised again`() {
        var world = world()
        #expect(type("advert.zerohop", into: &world).hasSuffix("  -> OK - zerohop advert sent\r\n"))
        world.run(until: .seconds(10))
        #expect(world.statistics.receptions == 1)

        #expect(type("set tx 10", into: &world).hasSuffix("  -> OK\r\n"))
        _ = type("advert.zerohop", into: &world)
        world.run(until: .seconds(14))
        #expect(world.statistics.receptions == 1)

        _ = type("reboot", into: &world)
        world.run(until: .seconds(18))
        _ = type("advert.zerohop", into: &world)
        world.run(until: .seconds(24))
        #expect(world.statistics.receptions == 1)
        #expect(type("get tx", into: &world).hasSuffix("  -> > 10\r\n"))

        _ = type("set tx 22", into: &world)
        _ = type("advert.zerohop", into: &world)
        world.run(until: .seconds(30))
        #expect(world.statistics.receptions == 2)
    }
}
