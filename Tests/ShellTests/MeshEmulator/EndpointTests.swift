import MeshSimulator
import MeshTransports
import Testing

@testable import MeshEmulator

@Suite struct EndpointTests {
    @Test(arguments: ["tcp://127.0.0.1:5000", "=tcp://127.0.0.1:5000", "alice", "alice=", ""])
    func `an endpoint without its node is refused`(text: String) {
        #expect(throws: LinkError.self) { try NodeEndpoint(text) }
    }

    @Test func `a node's endpoint is read at its first equals sign`() throws {
        let endpoint = try NodeEndpoint("bob=pty:./a=b")

        #expect(endpoint == NodeEndpoint(label: "bob", endpoint: .pty(path: "./a=b")))
        #expect(endpoint.description == "bob=pty:./a=b")
    }

    @Test(arguments: [
        ("alice=modem:tcp://:0", LinkAddress.freePort, "alice=modem:tcp://127.0.0.1:0"),
        ("alice=modem:pty:./modem:tcp", .pty(path: "./modem:tcp"), "alice=modem:pty:./modem:tcp"),
    ])
    func `an endpoint of a modem is read, and written again`(text: String, endpoint: LinkAddress, written: String)
        throws
    {
        let read = try NodeEndpoint(text)

        #expect(read == NodeEndpoint(label: "alice", endpoint: endpoint, service: .modem))
        #expect(read.description == written)
        #expect(try NodeEndpoint(written) == read)
    }

    @Test(arguments: ["modem:", "modem:5000", "modem:ble:hci0?mode=exact", "modem:modem:pty:x", "Modem:pty:x"])
    func `a modem is reached by a port or a terminal only`(place: String) {
        #expect(throws: LinkError.self) { try NodeEndpoint("alice=\(place)") }
    }

    @Test(arguments: [
        ("tcp://radio.local", RadioAddress.link(.tcp(host: "radio.local", port: 5000)), "tcp://radio.local:5000"),
        ("serial:/dev/ttyUSB0", .link(.serial(path: "/dev/ttyUSB0")), "serial:/dev/ttyUSB0?baud=115200"),
        ("loopback:pair/alice", .loopback(world: "pair", node: "alice", seed: 1), "loopback:pair/alice?seed=1"),
        ("loopback:grid:4x4/bob", .loopback(world: "grid:4x4", node: "bob", seed: 1), "loopback:grid:4x4/bob?seed=1"),
        (
            "loopback:./maps/valley.json/alice", .loopback(world: "./maps/valley.json", node: "alice", seed: 1),
            "loopback:./maps/valley.json/alice?seed=1"
        ),
        (
            "loopback:solo/alice?seed=42", .loopback(world: "solo", node: "alice", seed: 42),
            "loopback:solo/alice?seed=42"
        ),
        (
            "loopback:solo/alice?link=ble-nrf52",
            .loopback(world: "solo", node: "alice", seed: 1, link: .bluetoothNRF52),
            "loopback:solo/alice?seed=1&link=ble-nrf52"
        ),
    ])
    func `a radio's address is read, and written again`(text: String, address: RadioAddress, canonical: String) throws {
        #expect(try RadioAddress(text) == address)
        #expect(address.description == canonical)
        #expect(try RadioAddress(canonical) == address)
    }

    @Test(arguments: [
        ("192.168.1.20", "tcp://192.168.1.20:5000"), (" 192.168.1.20:6000 ", "tcp://192.168.1.20:6000"),
        ("radio.local", "tcp://radio.local:5000"), ("radio:5001", "tcp://radio:5001"),
        ("localhost", "tcp://localhost:5000"), ("[::1]", "tcp://[::1]:5000"), ("fe80::1", "tcp://[fe80::1]:5000"),
        ("/dev/ttyUSB0", "serial:/dev/ttyUSB0?baud=115200"), ("C0:11:22:33:44:55", "ble:C0:11:22:33:44:55"),
        ("MeshCore-alice", "ble:MeshCore-alice"),
    ])
    func `an address without its scheme is completed where it can be one thing only`(text: String, whole: String)
        throws
    {
        #expect(try RadioAddress(text).description == whole)
    }

    private static let forms =
        "expected tcp://HOST:PORT, serial:PATH, rfc2217://HOST:PORT, socket://HOST:PORT, ble:RADIO[?via=CONTROLLER] or "
        + "loopback:WORLD/NODE"

    @Test(arguments: [
        ("radio:5000x", Self.forms),
        ("192.168.1.20:99999", "the port is not a number from 1 to 65535"),
    ])
    func `an address that is still none says what is missing`(text: String, reason: String) {
        let error = #expect(throws: LinkError.self) { try RadioAddress(text) }

        #expect(error?.reason == reason)
    }

    @Test(arguments: [
        ("radio", Self.forms),
        ("", Self.forms),
        ("pty:./alice.tty", Self.forms),
        ("tcp://radio:0", "the port is not a number from 1 to 65535"),
        ("loopback:pair", "expected loopback:WORLD/NODE, as in loopback:pair/alice"),
        ("loopback:pair/", "expected loopback:WORLD/NODE, as in loopback:pair/alice"),
        (
            "loopback:nowhere/alice",
            "\"nowhere\" is no shape of a mesh; known are \(TopologyName.Shape.allCases.map(\.rawValue).joined(separator: ", "))"
        ),
        ("loopback:pair/alice?seed=-1", "the seed is not a whole number"),
        ("loopback:pair/alice?sead=1", "\"sead=1\" is no option, expected seed=NUMBER or link=LINK"),
        ("loopback:pair/alice?seed=1&", "\"\" is no option, expected seed=NUMBER or link=LINK"),
        ("loopback:pair/alice?link=ble", "there is no link \"ble\", only direct, ble-esp32, ble-nrf52"),
    ])
    func `a wrong address of a radio is refused with its text and the reason`(text: String, reason: String) {
        let error = #expect(throws: LinkError.self) { try RadioAddress(text) }

        #expect(error?.description == "address \"\(text)\": \(reason)")
    }
}
