import Glibc

/// A listening TCP socket with nothing in between; every wait has a limit.
package final class TestServer {
    private let descriptor: Int32

    /// Opens a free port of this machine; a server that does not listen holds its port, and connections to it are
    /// refused.
    package init(isListening: Bool = true) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, !isListening || listen(descriptor, 8) == 0 else {
            throw TestClient.Failure(reason: "listen: \(String(cString: strerror(errno)))")
        }
    }

    package var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The next client.
    package func accept(within milliseconds: Int32 = 5000) throws -> TestClient {
        guard TestClient.waits(for: POLLIN, of: descriptor, within: milliseconds) else {
            throw TestClient.Failure(reason: "nobody connected")
        }
        let client = Glibc.accept(descriptor, nil, nil)
        guard client >= 0 else { throw TestClient.Failure(reason: "accept: \(String(cString: strerror(errno)))") }
        return TestClient(descriptor: client)
    }

    deinit {
        close(descriptor)
    }
}
