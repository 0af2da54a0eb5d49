public import FoundationEssentials

private enum SQL {
    static let insert = RoomMessageDTO.insert("ON CONFLICT DO NOTHING")
    static let page = RoomMessageDTO.select(
        "WHERE sessionID = ?1 ORDER BY timestamp DESC, receivedOrder DESC LIMIT ?2 OFFSET ?3")
}

extension PersistenceStore {
    /// Returns whether a post with this key is stored for the session.
    public func isDuplicateRoomMessage(
        sessionID: UUID, deduplicationKey: String
    ) throws(StackError) -> Bool {
        try read { db in
            try db.value(
                Int.self, "SELECT 1 FROM roomMessage WHERE sessionID = ?1 AND deduplicationKey = ?2", sessionID,
                deduplicationKey) != nil
        }
    }

    /// Stores a post and, for another member's, one more unread and the room's sync time, in one transaction.
    ///
    /// An own post changes neither: posts of others before it may not have come yet.
    @discardableResult
    public func saveRoomMessage(_ message: RoomMessageDTO) throws(StackError) -> SaveResult {
        try write { db in
            // The session first: the database would call a missing one a missing radio.
            let isOthers = !message.isFromSelf
            try db.changeOne(
                """
                UPDATE remoteNodeSession SET lastSyncTimestamp = max(lastSyncTimestamp, iif(?2, ?3, 0)) WHERE id = ?1
                """, message.sessionID, isOthers, message.timestamp, orThrow: .sessionNotFound)
            guard try db.run(SQL.insert, row: message) > 0 else { return .duplicate }
            let order = db.lastInsertedRowID
            if isOthers {
                try db.run(
                    """
                    UPDATE remoteNodeSession SET unreadCount = unreadCount + 1, unsyncedCount = max(unsyncedCount - 1, 0)
                    WHERE id = ?1
                    """, message.sessionID)
            }
            return .inserted(receivedOrder: order)
        }
    }

    /// A page by server time, then arrival, oldest first: the newest `limit` after leaving out the newest `offset`.
    public func fetchRoomMessages(
        sessionID: UUID, limit: Int = 50, offset: Int = 0
    ) throws(StackError) -> [RoomMessageDTO] {
        try read { db in
            try db.rows(RoomMessageDTO.self, SQL.page, sessionID, max(0, limit), max(0, offset)).reversed()
        }
    }

    /// Changes the status of a post if it may leave its present one for `to`; throws `messageNotFound`.
    @discardableResult
    public func updateRoomMessageStatus(
        id: UUID, to: MessageStatus
    ) throws(StackError) -> StatusChange {
        try write { db in
            let sources = MessageStatus.list(MessageStatus.sources(of: to))
            let changed = try db.run(
                "UPDATE roomMessage SET status = ?2 WHERE id = ?1 AND status IN (\(sources))", id, to)
            if changed > 0 { return .changed }
            let current = try db.value(MessageStatus.self, "SELECT status FROM roomMessage WHERE id = ?1", id)
            guard let current else { throw StackError(.store, .messageNotFound) }
            return .refused(current)
        }
    }

    /// Counts one more. Saving a post has done that already.
    public func incrementRoomUnreadCount(sessionID: UUID) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE remoteNodeSession SET unreadCount = unreadCount + 1 WHERE id = ?1", sessionID,
                orThrow: .sessionNotFound)
        }
    }

    /// Sets the session's unread count to 0; throws `sessionNotFound`.
    public func resetRoomUnreadCount(sessionID: UUID) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE remoteNodeSession SET unreadCount = 0 WHERE id = ?1", sessionID,
                orThrow: .sessionNotFound)
        }
    }
}
