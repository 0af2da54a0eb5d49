/// Why an emulator does not start, or stops.
public enum EmulatorError: Error, Hashable, Sendable {
    case badEndpoint(String, reason: String)
    /// A number of a board is out of its bounds.
    case badBoard(String)
    case unknownNode(String, known: [String])
    /// Two endpoints lead to one node, which has one interface only.
    case secondEndpoint(label: String)
    case portInUse(host: String, port: Int)
    case cannotListen(host: String, port: Int, reason: String)
    case pathOccupied(path: String)
    case noTerminal(path: String, reason: String)
    /// The state directory cannot be read or written.
    case stateUnusable(path: String, reason: String)
    /// Another emulator works on the state directory.
    case stateInUse(path: String)
    /// A file of a node's state does not hold what it should; nothing was changed.
    case stateDamaged(path: String, field: String, reason: String)
    /// The emulator stopped in the middle of a run because a change could not be made durable.
    case stateNotWritten(path: String, reason: String)
    /// The emulator stopped in the middle of a run because its recording could not go on.
    case notRecorded(reason: String)
}

extension EmulatorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badEndpoint(let text, let reason): "endpoint \"\(text)\": \(reason)"
        case .badBoard(let reason): reason
        case .unknownNode(let label, let known):
            "there is no node \"\(label)\" in this world, it has \(known.joined(separator: ", "))"
        case .secondEndpoint(let label): "node \"\(label)\" has one interface and can have one endpoint only"
        case .portInUse(let host, let port):
            "port \(port) on \(host) is in use; choose another one, or port 0 for any free one"
        case .cannotListen(let host, let port, let reason): "cannot listen on \(host) port \(port): \(reason)"
        case .pathOccupied(let path): "\(path) exists and is not a left-over link to a terminal; it was not touched"
        case .noTerminal(let path, let reason): "cannot make a pseudo-terminal at \(path): \(reason)"
        case .stateUnusable(let path, let reason): "state directory: \(path): \(reason)"
        case .stateInUse(let path): "state directory: \(path) is in use by another emulator"
        case .stateDamaged(let path, let field, let reason):
            "damaged state: \(path)\(field.isEmpty ? "" : ", field \"\(field)\""): \(reason). The file was kept; "
                + "--reset-state moves the old files aside and starts from factory settings"
        case .stateNotWritten(let path, let reason): "state could not be written, stopped: \(path): \(reason)"
        case .notRecorded(let reason): "the recording could not go on, stopped: \(reason)"
        }
    }
}
