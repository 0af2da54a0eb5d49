import MeshSimulator
import MeshTransports
import Testing

@Suite struct TransportURLTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:5001", TransportURL.tcp(host: "127.0.0.1", port: 5001), "tcp://127.0.0.1:5001"),
        ("tcp://radio.local", .tcp(host: "radio.local", port: 5000), "tcp://radio.local:5000"),
        ("tcp://[::1]:5000", .tcp(host: "::1", port: 5000), "tcp://[::1]:5000"),
        ("tcp://[fe80::1]", .tcp(host: "fe80::1", port: 5000), "tcp://[fe80::1]:5000"),
        ("serial:/dev/ttyUSB0", .serial(path: "/dev/ttyUSB0", baud: 115_200), "serial:/dev/ttyUSB0?baud=115200"),
        ("serial:/dev/ttyUSB0?baud=9600", .serial(path: "/dev/ttyUSB0", baud: 9600), "serial:/dev/ttyUSB0?baud=9600"),
        ("loopback:pair/alice", .loopback(world: "pair", node: "alice", seed: 1), "loopback:pair/alice?seed=1"),
        (
            "loopback:solo/alice?seed=42", .loopback(world: "solo", node: "alice", seed: 42),
            "loopback:solo/alice?seed=42"
        ),
    ])
    func `an address is read, and written again`(text: String, url: TransportURL, canonical: String) throws {
        #expect(try TransportURL(text) == url)
        #expect(url.description == canonical)
        #expect(try TransportURL(canonical) == url)
    }

    @Test(arguments: [
        ("radio", "the kind of link is missing, as in tcp:"), ("", "the kind of link is missing, as in tcp:"),
        ("ble:AA:BB", "\"ble:\" is none of tcp:, serial: and loopback:"), ("tcp:radio", "expected tcp://HOST:PORT"),
        ("tcp://radio:0", "the port is not a number from 1 to 65535"),
        ("tcp://radio:65536", "the port is not a number from 1 to 65535"),
        ("tcp://radio:x", "the port is not a number from 1 to 65535"),
        ("tcp://::1:5000", "an IPv6 address needs brackets, as in tcp://[::1]:5000"),
        ("tcp://:5000", "the host is missing, as in tcp://127.0.0.1:5000"),
        ("serial:", "the line is missing, as in serial:/dev/ttyUSB0"),
        ("serial:/dev/x?baud=300", "the baud rate is none of \(SerialLine.bauds)"),
        ("serial:/dev/x?baud=fast", "the baud rate is none of \(SerialLine.bauds)"),
        ("serial:/dev/x?speed=9600", "\"speed=9600\" is no option, expected baud=VALUE"),
        ("serial:/dev/x?baud=9600&baud=9600", "\"baud=9600\" is no option, expected baud=VALUE"),
        ("loopback:pair", "expected loopback:WORLD/NODE, as in loopback:pair/alice"),
        ("loopback:nowhere/alice", "there is no world \"nowhere\", only \(WorldDescription.all.map(\.name))"),
        ("loopback:pair/alice?seed=-1", "the seed is not a whole number"),
    ])
    func `a wrong address is refused with its text and the reason`(text: String, reason: String) {
        let error = #expect(throws: TransportURLError.self) { try TransportURL(text) }

        #expect(error?.description == "target \"\(text)\": \(reason)")
    }
}
