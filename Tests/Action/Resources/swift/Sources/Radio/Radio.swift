import Glibc

/// Stands for a package in Swift: asks a companion radio on a port of this machine for its name.
public struct Radio {
    private let descriptor: Int32

    public struct Unreachable: Error {}

    public init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else { throw Unreachable() }
    }

    /// The name stands behind 58 bytes of SELF_INFO.
    public func name() throws -> String {
        let frame: [UInt8] = [0x01, 1, 0, 0, 0, 0, 0, 0] + Array("app".utf8)
        let bytes = [0x3C, UInt8(frame.count), 0] + frame
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Unreachable() }
        let head = try read(3)
        let answer = try read(Int(head[1]) | Int(head[2]) << 8)
        return String(decoding: answer.dropFirst(58), as: UTF8.self)
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var more = [UInt8](repeating: 0, count: count - bytes.count)
            let read = Glibc.read(descriptor, &more, more.count)
            guard read > 0 else { throw Unreachable() }
            bytes += more[..<read]
        }
        return bytes
    }
}
