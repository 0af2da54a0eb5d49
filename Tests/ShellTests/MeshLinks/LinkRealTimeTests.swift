import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

/// The behaviour of a link when time passes without bytes.
@Suite struct LinkRealTimeTests {
    @Test func `a host that does not answer is given up`() throws {
        let server = try TestServer()
        let address = LinkAddress.tcp(host: "127.0.0.1", port: UInt16(server.port))
        var clients: [TestClient] = []

        // The system answers for a server that does not accept until its queue is full.
        let error = #expect(throws: LinkError.self) {
            for _ in 0..<64 {
                let descriptor = try LinkDialer.descriptor(to: address, within: .seconds(1))
                clients.append(TestClient(descriptor: descriptor))
            }
        }

        #expect(error == .unreachable(address, reason: "no answer within 1 s"))
        #expect(clients.count >= 8)
    }
}
