import MeshEmulator
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import PocketMeshServices
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

    @Test func `a radio with several endpoints is printed with all of them`() throws {
        var world = World(seed: Seed(1))
        let node = world.add(NodeDescription("alice", .companion(.wifi)))
        let endpoints = try ["alice=tcp://127.0.0.1:5000", "alice=pty:./alice.tty"].map { try NodeEndpoint($0) }

        let line = NodeLine(node, in: world, endpoints: endpoints)
        let provenance = Provenance(version: MeshbedVersion(number: "1.2.3"), date: "2026-11-22T18:52:56Z")
        let ready = ReadyLine(provenance, [line]).text

        #expect(line.columns.last == "tcp://127.0.0.1:5000, pty:./alice.tty")
        #expect(
            ready.contains(#""endpoint":"tcp://127.0.0.1:5000","endpoints":["tcp://127.0.0.1:5000","pty:./alice.tty"]"#)
        )
    }

    @Test(arguments: [
        ("alice=tcp://0.0.0.0:5000", true), ("alice=tcp://192.0.2.7:5000", true), ("alice=tcp://[::]:5000", true),
        ("alice=ble:hci0", true), ("alice=ble:hci0?mode=exact", true), ("alice=tcp://127.0.0.1:5000", false),
        ("alice=tcp://[::1]:5000", false), ("alice=pty:./alice.tty", false),
        ("alice=ble:hci:tcp=127.0.0.1:6402", false),
        ("bob=tcp://0.0.0.0:5000", false),
    ])
    func `a contact is shown where a phone can reach its radio`(text: String, isShown: Bool) throws {
        var world = World(seed: Seed(1))
        let nodes = [
            world.add(NodeDescription("alice", .companion(.wifi))), world.add(NodeDescription("bob", .modem)),
        ]
        let endpoint = try NodeEndpoint(text)
        let companion = try #require(world.companion(nodes[0]))

        let shown = nodes.map { NodeLine($0, in: world, endpoints: [endpoint]) }.reached(at: [endpoint])

        #expect(shown.map(\.label) == (isShown ? ["alice"] : []))
        #expect(
            shown.allSatisfy {
                $0.contact?.description
                    == "meshcore://contact/add?name=\(companion.name)&public_key=\(companion.publicKey.hex)&type=1"
            })
    }
}
