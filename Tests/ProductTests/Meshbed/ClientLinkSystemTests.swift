import MeshTestSupport
import MeshTransports
import Testing

/// Radios that a client cannot reach.
@Suite struct ClientLinkSystemTests {
    @Test func `a radio that is not there is missed in the words of the system`() async throws {
        let radio = try TestServer(isListening: false)

        let error = await #expect(throws: (any Error).self) {
            try await StreamTransport(host: "127.0.0.1", port: UInt16(radio.port)).connect()
        }

        #expect(
            error.map { "\($0)" }
                == "the connection could not be opened: 127.0.0.1 port \(radio.port): Connection refused")
    }
}
