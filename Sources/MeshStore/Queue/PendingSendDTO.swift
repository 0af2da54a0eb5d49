public import FoundationEssentials

/// The kind of conversation that a queued message goes to.
public enum PendingSendKind: Int, Sendable, Hashable {
    case direct = 0
    case channel = 1
}

extension PendingSendKind: ColumnValue {}

/// A place in the offline queue: a message composed while it could not be sent.
public struct PendingSendDTO: Sendable, Hashable, Identifiable {
    /// The place in the queue, given by the store. 0 before the entry is stored.
    public var order: Int64
    /// The message that waits.
    public var messageID: UUID
    /// The radio over which it goes.
    public var deviceID: UUID
    /// The kind of destination: a contact or a channel.
    public var kind: PendingSendKind
    /// The contact or the channel.
    public var target: UUID
    /// The text of the message.
    public var text: String
    /// The timestamp of the first drain; a repeated one sends the same, so that receivers can drop the copy.
    public var timestamp: UInt32?
    /// The number of tries so far.
    public var attemptCount: Int
    /// The date at which it was written.
    @WholeSeconds public var createdAt: Date
    /// The error of the last attempt; `nil` before the first failure.
    public var lastError: String?

    public var id: UUID { messageID }

    public init(
        order: Int64 = 0, messageID: UUID, deviceID: UUID, kind: PendingSendKind, target: UUID, text: String,
        timestamp: UInt32? = nil, attemptCount: Int = 0, createdAt: Date, lastError: String? = nil
    ) {
        self.order = order
        self.messageID = messageID
        self.deviceID = deviceID
        self.kind = kind
        self.target = target
        self.text = text
        self.timestamp = timestamp
        self.attemptCount = attemptCount
        self.createdAt = createdAt
        self.lastError = lastError
    }
}

extension PendingSendDTO: StoredRow {
    static let table = "pendingSend"
    static let columns = walkedColumns()

    init() {
        self.init(
            messageID: .none, deviceID: .none, kind: .direct, target: .none, text: "",
            createdAt: Date(timeIntervalSince1970: 0))
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.assigned("sendOrder", &order)
        w.column("messageID", &messageID)
        w.column("deviceID", &deviceID)
        w.column("kind", &kind)
        w.column("target", &target)
        w.column("text", &text)
        w.column("timestamp", &timestamp)
        w.column("attemptCount", &attemptCount)
        w.column("createdAt", &createdAt)
        w.column("lastError", &lastError)
    }
}
