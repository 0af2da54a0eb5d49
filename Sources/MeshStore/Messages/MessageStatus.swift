/// The state of a message on its way. The raw values are stored.
///
/// There is no "read" for outgoing messages: the protocol has no read receipt.
public enum MessageStatus: Int, Sendable, Hashable, CaseIterable {
    /// Composed; nothing was written to the radio.
    case pending = 0
    /// Being written to the radio.
    case sending = 1
    /// The radio accepted it. For a channel message that is the end.
    case sent = 2
    /// Confirmed by the recipient. Also the state of everything received.
    case delivered = 3
    case failed = 4
    /// The message was not confirmed in time; another attempt follows.
    case retrying = 5

    /// Returns whether a message may go from this state to another by an event of its way.
    ///
    ///     pending ──> sending ──> sent <──> retrying
    ///        ^           │         │           │
    ///        └───────────┤         ├───────────┤
    ///                    v         v           v
    ///                  failed ─> delivered <───┘
    ///
    /// `delivered` is final. `failed` to `delivered` is a confirmation that came late. Leaving `failed` by hand is no
    /// event of the way: the message begins anew, see `prepareResend`.
    public func mayBecome(_ next: MessageStatus) -> Bool { Self.sources(of: next).contains(self) }

    /// The states from which `next` may be reached.
    static func sources(of next: MessageStatus) -> [MessageStatus] {
        switch next {
        // A write that never happened puts the message back in the queue.
        case .pending: [.sending]
        case .sending: [.pending]
        case .sent: [.sending, .retrying]
        case .retrying: [.sent]
        case .delivered: [.sent, .retrying, .failed]
        case .failed: [.pending, .sending, .sent, .retrying]
        }
    }
}

/// The direction of a message.
public enum MessageDirection: Int, Sendable, Hashable {
    case incoming = 0
    case outgoing = 1
}

/// The content that a message carries.
public enum MessageKind: Int, Sendable, Hashable {
    case text = 0
    case image = 1
}

/// The result of a wish to change a message's status.
public enum StatusChange: Sendable, Hashable {
    case changed
    /// The message was in another state, from which this one is not reached; nothing was changed.
    case refused(MessageStatus)
}

extension MessageStatus: ColumnValue {}
extension MessageDirection: ColumnValue {}
extension MessageKind: ColumnValue {}
