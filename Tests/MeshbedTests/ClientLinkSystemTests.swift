import Foundation
import MeshTransports
import Testing

/// Radios that a client cannot reach.
@Suite struct ClientLinkSystemTests {
    @Test func `a radio that is not there is missed in the words of the system`() async throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        // A port that is taken, at which nobody listens.
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(descriptor, $0, length) == 0)
                #expect(getsockname(descriptor, $0, &length) == 0)
            }
        }
        let port = Int(UInt16(bigEndian: address.sin_port))

        let error = await #expect(throws: (any Error).self) {
            try await StreamTransport(host: "127.0.0.1", port: port).connect()
        }

        #expect(
            error.map { "\($0)" }
                == "the connection could not be opened: 127.0.0.1 port \(port): Connection refused")
    }
}
