public import FoundationEssentials
import MeshWire

/// A post in a room.
public struct RoomMessageDTO: Sendable, Hashable, Identifiable {
    public var id: UUID
    /// The session with the room.
    public var sessionID: UUID
    /// The first 4 bytes of the author's key.
    public var authorKeyPrefix: Data
    /// `nil` where no contact, or more than one, has that prefix.
    public var authorName: String?
    /// The text of the post.
    public var text: String
    /// The room server's clock.
    public var timestamp: UInt32
    /// The date at which it was stored here.
    @WholeSeconds public var createdAt: Date
    /// The order of arrival, given by the store. 0 before the post is stored.
    public var receivedOrder: Int64
    /// True for a post of our own.
    public var isFromSelf: Bool
    /// The delivery of an own post; `delivered` for those of others.
    public var status: MessageStatus
    /// See `DeduplicationKey.room`.
    public var deduplicationKey: String

    public init(
        id: UUID, sessionID: UUID, authorKeyPrefix: Data, authorName: String? = nil, text: String, timestamp: UInt32,
        createdAt: Date, receivedOrder: Int64 = 0, isFromSelf: Bool = false, status: MessageStatus = .delivered,
        deduplicationKey: String? = nil
    ) {
        self.id = id
        self.sessionID = sessionID
        self.authorKeyPrefix = authorKeyPrefix
        self.authorName = authorName
        self.text = text
        self.timestamp = timestamp
        self.createdAt = createdAt
        self.receivedOrder = receivedOrder
        self.isFromSelf = isFromSelf
        self.status = status
        self.deduplicationKey =
            deduplicationKey
            ?? DeduplicationKey.room(timestamp: timestamp, authorKeyPrefix: authorKeyPrefix, text: text)
    }

    /// The name, or the prefix in hex.
    public var authorDisplayName: String { authorName ?? authorKeyPrefix.hex.uppercased() }
    /// The room server's clock as a date.
    public var date: Date { Date(timeIntervalSince1970: TimeInterval(timestamp)) }
}

extension RoomMessageDTO: StoredRow {
    static let table = "roomMessage"
    static let columns = walkedColumns()

    init() {
        self.init(
            id: .none, sessionID: .none, authorKeyPrefix: Data(), text: "", timestamp: 0,
            createdAt: Date(timeIntervalSince1970: 0), deduplicationKey: "")
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("id", &id)
        w.column("sessionID", &sessionID)
        w.column("authorKeyPrefix", &authorKeyPrefix)
        w.column("authorName", &authorName)
        w.column("text", &text)
        w.column("timestamp", &timestamp)
        w.column("createdAt", &createdAt)
        w.assigned("receivedOrder", &receivedOrder)
        w.column("isFromSelf", &isFromSelf)
        w.column("status", &status)
        w.column("deduplicationKey", &deduplicationKey)
    }
}
