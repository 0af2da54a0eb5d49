public import FoundationEssentials

/// The unread messages of a radio's conversations: without repeaters, blocked contacts and channels switched off.
public struct UnreadCounts: Sendable, Hashable {
    /// Messages with contacts.
    public var contacts: Int
    /// Messages on channels.
    public var channels: Int
    /// Posts in rooms.
    public var rooms: Int

    public init(contacts: Int = 0, channels: Int = 0, rooms: Int = 0) {
        self.contacts = contacts
        self.channels = channels
        self.rooms = rooms
    }

    /// All of them.
    public var total: Int { contacts + channels + rooms }
}

extension PersistenceStore {
    /// The unread messages and posts of a radio; all 0 for an unknown one.
    public func getTotalUnreadCounts(deviceID: UUID) throws(StackError) -> UnreadCounts {
        try read { db in
            func sum(_ from: String) throws -> Int {
                try db.value(Int.self, "SELECT coalesce(sum(unreadCount), 0) FROM \(from)", deviceID) ?? 0
            }
            return UnreadCounts(
                contacts: try sum("contact WHERE deviceID = ?1 AND NOT isBlocked AND typeRaw <> 2"),
                channels: try sum("channel WHERE deviceID = ?1 AND isEnabled AND NOT isArchived"),
                rooms: try sum("remoteNodeSession WHERE deviceID = ?1 AND role = 3"))
        }
    }
}
