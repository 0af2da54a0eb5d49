import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import Testing

@testable import meshbed

@Suite struct NodeLineTests {
    @Test func `a modem is printed with its board, its key and where its host connects`() throws {
        var world = World(seed: Seed(1))
        let node = world.add(NodeDescription("alice", .modem))
        let endpoint = try NodeEndpoint("alice=modem:pty:./alice.tty")
        let modem = try #require(world.modem(node))

        let line = NodeLine(node, in: world, endpoints: [endpoint])

        #expect(
            line.columns
                == ["alice", "modem", "Heltec V3", modem.publicKey.prefix(6).hex, "modem:pty:./alice.tty"])
    }

    @Test func `a companion radio without an endpoint says so`() {
        var world = World(seed: Seed(1))
        let node = world.add(NodeDescription("alice", .companion(.wifi)))

        #expect(NodeLine(node, in: world, endpoints: []).columns.last == "no endpoint")
    }
}
