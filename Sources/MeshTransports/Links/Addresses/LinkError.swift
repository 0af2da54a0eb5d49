/// The reason why a text is no address, or why no link is made there.
public enum LinkError: Error, Hashable, Sendable {
    /// A text that is no address of the wanted kind.
    case badAddress(String, reason: String)
    /// The path has no serial line.
    case noLine(path: String)
    /// The address does not answer, or the line cannot be used.
    case unreachable(LinkAddress, reason: String)
    /// The link needs an action of the user first, which the reason names: a wrong PIN, no such adapter.
    case impossible(LinkAddress, reason: String)
    /// Something else listens there.
    case portInUse(host: String, port: UInt16)
    /// The system refuses to listen there, with its reason.
    case cannotListen(host: String, port: UInt16, reason: String)
    /// Something else is where the link to a terminal should be; it was not touched.
    case pathOccupied(path: String)
    /// No terminal could be made at this path, with the system's reason.
    case noTerminal(path: String, reason: String)
}

extension LinkError {
    /// Makes the error for an address that cannot be listened on.
    package static func noListener(_ address: LinkAddress) -> LinkError {
        .badAddress("\(address)", reason: "expected \(AddressReader.Purpose.listener.forms)")
    }

    /// The description of the error, without the address.
    public var reason: String {
        switch self {
        case .badAddress(_, let reason), .unreachable(_, let reason), .impossible(_, let reason),
            .cannotListen(_, _, let reason), .noTerminal(_, let reason):
            reason
        case .noLine: "there is no such line"
        case .portInUse: "the port is in use"
        case .pathOccupied: "the path exists"
        }
    }

    /// Asking again does not change it.
    package var isFinal: Bool {
        if case .impossible = self { true } else { false }
    }
}

extension LinkError: CustomStringConvertible {
    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .badAddress(let text, let reason): "address \"\(text)\": \(reason)"
        case .noLine(let path): "\(path): \(reason)"
        case .impossible(let address, let reason): "\(LinkError.unreachable(address, reason: reason))"
        case .unreachable(.tcp(let host, let port), let reason): "\(host) port \(port): \(reason)"
        case .unreachable(.remote(let line), let reason):
            "serial line at \(line.host) port \(line.port): \(reason)"
        case .unreachable(.controller(.tcp(let host, let port)), let reason):
            "Bluetooth controller at \(host) port \(port): \(reason)"
        case .unreachable(.controller(.desktop(nil)), let reason): "Bluetooth: \(reason)"
        case .unreachable(.controller(.androidNetsim), let reason): "Bluetooth of the Android emulator: \(reason)"
        case .unreachable(.controller(let controller), let reason): "Bluetooth adapter \(controller): \(reason)"
        case .unreachable(.bluetooth(let radio), let reason): "\(radio.peer) over Bluetooth: \(reason)"
        case .unreachable(.serial(let path, _), let reason), .unreachable(.pty(let path), let reason):
            "\(path): \(reason)"
        case .portInUse(let host, let port):
            "port \(port) on \(host) is in use; choose another one, or port 0 for any free one"
        case .cannotListen(let host, let port, let reason): "cannot listen on \(host) port \(port): \(reason)"
        case .pathOccupied(let path): "\(path) exists and is not a left-over link to a terminal; it was not touched"
        case .noTerminal(let path, let reason): "cannot make a pseudo-terminal at \(path): \(reason)"
        }
    }
}
