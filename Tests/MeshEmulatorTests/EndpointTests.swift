import MeshEmulator
import Testing

@Suite struct EndpointTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:5000", Endpoint.tcp(host: "127.0.0.1", port: 5000)),
        ("tcp://0.0.0.0:0", .tcp(host: "0.0.0.0", port: 0)),
        ("tcp://:5001", .tcp(host: "127.0.0.1", port: 5001)),
        ("tcp://[::1]:5000", .tcp(host: "::1", port: 5000)),
        ("tcp://localhost:65535", .tcp(host: "localhost", port: 65535)),
        ("pty:./bob.tty", .pty(path: "./bob.tty")),
        ("pty:/tmp/a b", .pty(path: "/tmp/a b")),
    ])
    func `an endpoint is read and printed`(text: String, endpoint: Endpoint) throws {
        #expect(try Endpoint(text) == endpoint)
        #expect(try Endpoint(endpoint.description) == endpoint)
    }

    @Test(arguments: [
        "", "tcp://", "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:-1",
        "tcp://::1:5000", "tcp://[::1]", "pty:", "udp://127.0.0.1:1", "127.0.0.1:5000", "ble:alice",
    ])
    func `what is no endpoint is refused with a reason`(text: String) {
        #expect(throws: EmulatorError.self) { try Endpoint(text) }
    }

    @Test(arguments: ["tcp://127.0.0.1:5000", "=tcp://127.0.0.1:5000", "alice", "alice=", ""])
    func `an endpoint without its node is refused`(text: String) {
        #expect(throws: EmulatorError.self) { try NodeEndpoint(text) }
    }

    @Test func `a node's endpoint is read at its first equals sign`() throws {
        let endpoint = try NodeEndpoint("bob=pty:./a=b")

        #expect(endpoint == NodeEndpoint(label: "bob", endpoint: .pty(path: "./a=b")))
        #expect(endpoint.description == "bob=pty:./a=b")
    }
}
