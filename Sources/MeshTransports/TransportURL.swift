import MeshCompanion
public import MeshCore
import MeshSimulator
import MeshTime

/// Where a radio is, as text: `tcp://HOST:PORT`, `serial:PATH?baud=RATE` or `loopback:WORLD/NODE?seed=NUMBER`.
public enum TransportURL: Hashable, Sendable {
    /// A radio on the network; port 5000 unless given.
    case tcp(host: String, port: Int)
    /// A radio on a serial line; 115200 baud unless given.
    case serial(path: String, baud: Int)
    /// A radio of a world of its own in this process; seed 1 unless given.
    case loopback(world: String, node: String, seed: UInt64)

    public init(_ text: some StringProtocol) throws(TransportURLError) {
        let text = String(text)
        guard let colon = text.firstIndex(of: ":") else { throw .init(text, "the kind of link is missing, as in tcp:") }
        let rest = text[text.index(after: colon)...]
        switch text[..<colon] {
        case "tcp": self = try Self.tcp(rest, in: text)
        case "serial": self = try Self.serial(rest, in: text)
        case "loopback": self = try Self.loopback(rest, in: text)
        default: throw .init(text, "\"\(text[..<colon]):\" is none of tcp:, serial: and loopback:")
        }
    }

    private static func tcp(_ rest: Substring, in text: String) throws(TransportURLError) -> TransportURL {
        guard rest.hasPrefix("//") else { throw .init(text, "expected tcp://HOST:PORT") }
        var host = rest.dropFirst(2)
        var port = Int(CompanionLimits.tcpPort)
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            guard let number = Int(host[host.index(after: colon)...]), (1...65_535).contains(number) else {
                throw .init(text, "the port is not a number from 1 to 65535")
            }
            port = number
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw .init(text, "an IPv6 address needs brackets, as in tcp://[::1]:5000")
        }
        guard !host.isEmpty else { throw .init(text, "the host is missing, as in tcp://127.0.0.1:5000") }
        return .tcp(host: String(host), port: port)
    }

    private static func serial(_ rest: Substring, in text: String) throws(TransportURLError) -> TransportURL {
        let (path, options) = try split(rest, in: text, options: ["baud"])
        guard !path.isEmpty else { throw .init(text, "the line is missing, as in serial:/dev/ttyUSB0") }
        guard let baud = options["baud"].map(Int.init) ?? SerialLine.defaultBaud, SerialLine.bauds.contains(baud) else {
            throw .init(text, "the baud rate is none of \(SerialLine.bauds)")
        }
        return .serial(path: path, baud: baud)
    }

    private static func loopback(_ rest: Substring, in text: String) throws(TransportURLError) -> TransportURL {
        let (path, options) = try split(rest, in: text, options: ["seed"])
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw .init(text, "expected loopback:WORLD/NODE, as in loopback:pair/alice")
        }
        guard WorldDescription.all.contains(where: { $0.name == parts[0] }) else {
            throw .init(
                text, "there is no world \"\(parts[0])\", only \(WorldDescription.all.map(\.name))")
        }
        guard let seed = options["seed"].map(UInt64.init) ?? 1 else {
            throw .init(text, "the seed is not a whole number")
        }
        return .loopback(world: parts[0], node: parts[1], seed: seed)
    }

    /// Splits at the question mark, and reads `name=value` pairs behind it.
    private static func split(
        _ rest: Substring, in text: String, options known: [String]
    ) throws(TransportURLError) -> (path: String, options: [String: String]) {
        guard let mark = rest.lastIndex(of: "?") else { return (String(rest), [:]) }
        var options: [String: String] = [:]
        for pair in rest[rest.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, known.contains(parts[0]), options[parts[0]] == nil else {
                throw .init(text, "\"\(pair)\" is no option, expected \(known[0])=VALUE")
            }
            options[parts[0]] = parts[1]
        }
        return (String(rest[..<mark]), options)
    }

    /// A transport to the radio there, not yet connected.
    ///
    /// A world that a loopback needs is made for it and runs on the clock. Other links are on real time, and throw when
    /// they are connected.
    public func transport(clock: any Clock<Duration>) async throws(MeshTransportError) -> any MeshTransport {
        switch self {
        case .tcp(let host, let port): return StreamTransport(host: host, port: port)
        case .serial(let path, let baud): return StreamTransport(serial: path, baud: baud)
        case .loopback(let name, let node, let seed):
            guard let description = WorldDescription.all.first(where: { $0.name == name }) else {
                throw .deviceNotFound("world \(name)")
            }
            let world = LoopbackWorld(World(description, seed: Seed(seed)), clock: clock)
            return try await world.transport(to: node)
        }
    }
}

extension TransportURL: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
        case .serial(let path, let baud): "serial:\(path)?baud=\(baud)"
        case .loopback(let world, let node, let seed): "loopback:\(world)/\(node)?seed=\(seed)"
        }
    }
}

/// What is wrong with the text of a transport's address.
public struct TransportURLError: Error, Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public let reason: String

    init(_ text: String, _ reason: String) {
        self.text = text
        self.reason = reason
    }

    public var description: String { "target \"\(text)\": \(reason)" }
}
