import Glibc
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

/// The promises of every transport, kept by those that are made of sockets and terminals.
@Suite struct TransportConformanceSystemTests {
    @Test(.proves("SVC-047")) func `TCP is a transport`() async throws {
        let endpoint = NodeEndpoint(label: "alice", endpoint: .freePort)
        let emulator = try await Emulator.start(.init(world: .solo, seed: Seed(7), endpoints: [endpoint]))

        try await TransportConformanceTests.conform(
            StreamTransport(emulator.endpoints[0].endpoint))
        await emulator.stop()
    }

    @Test(.proves("SVC-047")) func `a serial line is a transport`() async throws {
        let path = "/tmp/meshbed-conform-\(getpid())"
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(7), endpoints: [NodeEndpoint(label: "alice", endpoint: .pty(path: path))]))

        try await TransportConformanceTests.conform(StreamTransport(serial: path))
        await emulator.stop()
    }

    @Test func `links that cannot be opened say why`() async throws {
        let line = StreamTransport(serial: "/dev/no-such-line")
        await #expect(throws: MeshTransportError.deviceNotFound("/dev/no-such-line")) { try await line.connect() }
        let file = StreamTransport(serial: "/dev/null")
        await #expect(throws: MeshTransportError.connectionFailed("/dev/null: is not a serial line")) {
            try await file.connect()
        }
        let slow = StreamTransport(serial: "/dev/null", baud: 300)
        await #expect(throws: MeshTransportError.self) { try await slow.connect() }
        let port = StreamTransport(host: "127.0.0.1", port: 1)
        let refused = await #expect(throws: MeshTransportError.self) { try await port.connect() }
        #expect(refused?.description.contains("127.0.0.1 port 1: ") == true)
        #expect(refused?.description.contains("refused") == true)
        #expect(await port.connectionState == .disconnected)
    }
}
