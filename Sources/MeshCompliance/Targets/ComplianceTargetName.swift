import MeshTime

/// Which radio to hold against the protocol, as the user names it.
public struct ComplianceTargetName: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case emulator
        /// The emulated radio behind a real socket or terminal, on a rig of the run's own.
        case ownRig(Interface)
        case stream(StreamTarget.Address)
        /// The address of a radio on a bench that makes no sense.
        case unreadable(String)
    }

    let kind: Kind
    /// What steers the bench around a real radio, where there is one.
    public var rig: RigAddress?
    /// What a bench calls the radio.
    let label: String?
    public let description: String

    /// The emulated radio in this process.
    public static let emulator = ComplianceTargetName(.emulator, description: "emulator")

    init(_ kind: Kind, rig: RigAddress? = nil, label: String? = nil, description: String) {
        self.kind = kind
        self.rig = rig
        self.label = label
        self.description = description
    }

    /// Reads `emulator`, `emulator+tcp`, `emulator+pty`, `tcp://HOST:PORT` or `serial:PATH?baud=RATE`; what is left out
    /// is port 5000 and 115200 baud.
    public init?(_ text: String) {
        switch text {
        case "emulator": self.init(.emulator, description: text)
        case "emulator+tcp": self.init(.ownRig(.wifi), description: text)
        case "emulator+pty": self.init(.ownRig(.serial), description: text)
        default:
            guard let address = StreamTarget.Address(text) else { return nil }
            self.init(.stream(address), description: text)
        }
    }

    /// The words of a command line that mean the same radio.
    var arguments: [String] {
        let name =
            switch kind {
            case .emulator: "emulator"
            case .ownRig(.serial): "emulator+pty"
            case .ownRig: "emulator+tcp"
            case .stream(let address): label == nil ? description : "\(address)"
            case .unreadable(let text): text
            }
        return ["--target", name] + (rig.map { ["--rig", "\($0)"] } ?? [])
    }

    /// Whether a rig may be named with it: the others have their own, or need none.
    public var takesRig: Bool { isReal }

    /// Whether it is a radio at a socket or a serial line, which others can hear.
    public var isReal: Bool { if case .stream = kind { true } else { false } }
}

/// Where a rig is steered: what `meshbed emulate --rig` listens on.
public struct RigAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name, or an address without brackets.
    public var host: String
    /// From 1 to 65535.
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `tcp://HOST:PORT`; the port cannot be left out.
    public init?(_ text: String) {
        guard case .tcp(let host, let port)? = StreamTarget.Address(text, defaultPort: nil) else { return nil }
        self.init(host: host, port: port)
    }

    public var description: String { host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)" }
}

extension StreamTarget.Address: CustomStringConvertible {
    /// Reads `tcp://HOST:PORT` or `serial:PATH?baud=RATE`; a port that is left out is `defaultPort`.
    init?(_ text: String, defaultPort: UInt16? = 5000) {
        if text.hasPrefix("tcp://") {
            guard let (host, port) = Self.hostAndPort(text.dropFirst(6), defaultPort) else { return nil }
            self = .tcp(host: host, port: port)
        } else if text.hasPrefix("serial:"), text.count > 7 {
            let parts = text.dropFirst(7).split(separator: "?baud=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let path = parts.first, !path.isEmpty, let baud = parts.count == 1 ? 115_200 : Int(parts[1]) else {
                return nil
            }
            self = .serial(path: String(path), baud: baud)
        } else {
            return nil
        }
    }

    /// Reads an address as a rig gives it: `tcp://HOST:PORT` or `pty:PATH`.
    init?(rigAddress text: String) {
        self.init(text.hasPrefix("pty:") ? "serial:" + text.dropFirst(4) : text)
    }

    /// `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`.
    private static func hostAndPort(_ text: Substring, _ defaultPort: UInt16?) -> (String, UInt16)? {
        let isBracketed = text.first == "["
        let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex
        guard let end else { return nil }
        let host = isBracketed ? text[..<end].dropFirst() : text[..<end]
        let rest = isBracketed ? text[end...].dropFirst() : text[end...]
        guard !host.isEmpty else { return nil }
        if rest.isEmpty { return defaultPort.map { (String(host), $0) } }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), port)
    }

    var description: String {
        switch self {
        case .tcp(let host, let port): RigAddress(host: host, port: port).description
        case .serial(let path, 115_200): "serial:\(path)"
        case .serial(let path, let baud): "serial:\(path)?baud=\(baud)"
        }
    }

    /// The interface of a radio that is reached this way.
    var interface: Interface {
        switch self {
        case .tcp: .wifi
        case .serial: .serial
        }
    }

    func open(within span: TimeSpan) throws(TargetError) -> StreamDescriptor {
        switch self {
        case .tcp(let host, let port): try .tcp(host: host, port: port, within: span)
        case .serial(let path, let baud): try .serial(path: path, baud: baud)
        }
    }
}
