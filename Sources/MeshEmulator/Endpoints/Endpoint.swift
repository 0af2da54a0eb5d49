import MeshCapture

/// Where a client of a node connects.
public enum Endpoint: Hashable, Sendable {
    /// A TCP port as an ESP32 board with Wi-Fi has it. Port 0 asks the system for a free one.
    case tcp(host: String, port: Int)
    /// A pseudo-terminal as a board on USB has it, found under a symbolic link at this path.
    case pty(path: String)

    /// The address on which endpoints listen unless told otherwise: this machine alone.
    public static let defaultHost = "127.0.0.1"
    /// `TCP_PORT` of the firmware.
    public static let defaultPort = 5000

    /// Reads `tcp://HOST:PORT`, `tcp://[IPv6]:PORT`, `tcp://:PORT` (loopback) or `pty:PATH`.
    public init(_ text: some StringProtocol) throws(EmulatorError) {
        if text.hasPrefix("tcp://") {
            self = try Self.tcp(String(text.dropFirst(6)), in: String(text))
        } else if text.hasPrefix("pty:"), text.utf8.count > 4 {
            self = .pty(path: String(text.dropFirst(4)))
        } else {
            throw .badEndpoint(String(text), reason: "expected tcp://HOST:PORT or pty:PATH")
        }
    }

    private static func tcp(_ rest: String, in text: String) throws(EmulatorError) -> Endpoint {
        guard let colon = rest.lastIndex(of: ":"), rest.last != "]" else {
            throw .badEndpoint(text, reason: "the port is missing, as in tcp://127.0.0.1:5000")
        }
        guard let port = UInt16(rest[rest.index(after: colon)...]) else {
            throw .badEndpoint(text, reason: "the port is not a number from 0 to 65535")
        }
        var host = String(rest[..<colon])
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw .badEndpoint(text, reason: "an IPv6 address needs brackets, as in tcp://[::1]:5000")
        }
        return .tcp(host: host.isEmpty ? defaultHost : host, port: Int(port))
    }
}

extension Endpoint {
    /// What recordings call it.
    var link: RecordingLink {
        switch self {
        case .tcp: .tcp
        case .pty: .serial
        }
    }
}

extension Endpoint: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
        case .pty(let path): "pty:\(path)"
        }
    }
}

/// An endpoint and the node it leads to: `alice=tcp://127.0.0.1:5000`.
public struct NodeEndpoint: Hashable, Sendable, CustomStringConvertible {
    public let label: String
    public let endpoint: Endpoint

    public init(label: String, endpoint: Endpoint) {
        self.label = label
        self.endpoint = endpoint
    }

    public init(_ text: some StringProtocol) throws(EmulatorError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw .badEndpoint(String(text), reason: "expected NODE=ENDPOINT, as in alice=tcp://127.0.0.1:5000")
        }
        label = String(text[..<equals])
        endpoint = try Endpoint(text[text.index(after: equals)...])
    }

    public var description: String { "\(label)=\(endpoint)" }
}
