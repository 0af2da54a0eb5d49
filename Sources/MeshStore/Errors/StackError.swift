public import FoundationEssentials
public import MeshCore

/// The failure of an operation of the service stack: the operation, the reason, and the error of a lower layer.
///
/// The reason decides text, code and remedy (``StackError/Reason``). No error holds a password.
public struct StackError: Error, Hashable, Sendable {
    /// The operation that failed.
    public var operation: Operation
    /// The reason for the failure; decides text, code, remedy and whether the same may work later.
    public var reason: Reason
    /// The error of a lower layer, where the reason comes from there.
    public var underlying: Underlying?

    /// Makes an error; without an underlying error it has the one that the reason names, if it names one.
    public init(_ operation: Operation, _ reason: Reason, underlying: Underlying? = nil) {
        self.operation = operation
        self.reason = reason
        self.underlying = underlying ?? reason.sessionError.map(Underlying.session)
    }

    /// The part of the stack that was at work.
    public enum Operation: String, CaseIterable, Sendable {
        case store, credentials, connection, sync, polling, messages, pictures, contacts, channels, adverts
        /// Sessions with repeaters, rooms and sensors.
        case nodes
        /// Posts in rooms.
        case rooms
        /// Questions to nodes without a session.
        case requests
        case settings, notifications
    }

    /// An error of a layer below the stack.
    public enum Underlying: Hashable, Sendable {
        /// The conversation with the radio: a refusal, a time-out, an answer that cannot be read.
        case session(SessionError)
        /// The link to the radio, which could not be opened or did not carry a frame.
        case transport(MeshTransportError)
        /// The given key of a node is none: it has no hexadecimal digits, or too few bytes.
        case destination(DestinationError)
        /// SQLite's extended result code, and its message.
        case database(code: Int32, message: String)
        /// The system's error number.
        case system(Int32)
    }
}

extension StackError.Operation: CustomStringConvertible {
    /// The failure, as a sentence that a cause can follow.
    public var description: String {
        switch self {
        case .store: "the database was not used"
        case .credentials: "the passwords were not used"
        case .connection: "the radio was not reached"
        case .sync: "the synchronisation failed"
        case .polling: "the radio's queue was not emptied"
        case .messages: "the message was not sent"
        case .pictures: "the picture was not sent"
        case .contacts, .channels, .adverts: "the command could not be sent"
        case .nodes: "not sent"
        case .rooms: "not posted"
        case .requests: "not asked"
        case .settings: "the setting was not sent"
        case .notifications: "the notification was not shown"
        }
    }
}

extension StackError: CustomStringConvertible, LocalizedError {
    /// The description of the reason, for people.
    public var description: String { row.text }
    public var errorDescription: String? { description }
    /// The same as `recovery`, under the name by which Foundation asks; never `nil`.
    public var recoverySuggestion: String? { recovery }

    /// A word for programs, which stays when the text changes.
    public var code: String { row.code }

    /// The remedy that a user can try.
    public var recovery: String { row.recovery }

    /// True when the same may work a moment later.
    public var isRetryable: Bool { row.isRetryable }
}

extension Error {
    /// The reason of an error of the stack; `nil` for any other error.
    public var stackReason: StackError.Reason? { (self as? StackError)?.reason }
}
