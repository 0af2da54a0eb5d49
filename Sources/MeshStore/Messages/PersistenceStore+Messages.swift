public import FoundationEssentials
import Synchronization

private enum SQL {
    static let byID = MessageDTO.select("WHERE id = ?1")
    static let byAck = MessageDTO.select(
        """
        WHERE deviceID = ?1 AND ackCode = ?2 AND ackCode IS NOT NULL AND direction = 1
        ORDER BY receivedOrder DESC LIMIT 1
        """)
    static let insert = MessageDTO.insert("ON CONFLICT DO NOTHING")
    /// Copies the date and unread count to the contact; returns whether it is blocked.
    static let countContact = """
        UPDATE contact SET lastMessageDate = max(coalesce(lastMessageDate, ?2), ?2),
            unreadCount = unreadCount + (?3 AND NOT isBlocked)
        WHERE id = ?1 RETURNING isBlocked
        """
    /// Counts in the same way where the contact has the date already and is not blocked: no index changes.
    static let countContactAgain = """
        UPDATE contact SET unreadCount = unreadCount + ?2 WHERE id = ?1
        """
    static let countChannel = """
        UPDATE channel SET lastMessageDate = max(coalesce(lastMessageDate, ?2), ?2), unreadCount = unreadCount + ?3
        WHERE id = ?1
        """
    static let channelInSlot = "SELECT id FROM channel WHERE deviceID = ?1 AND slot = ?2 AND NOT isArchived"
    /// The parts of a page that do not depend on the thread.
    static let page = "AND receivedOrder < ?3 ORDER BY receivedOrder DESC LIMIT ?4 OFFSET ?5"
}

extension PersistenceStore {
    /// Returns a page, oldest first: the newest `limit` messages after leaving out the newest `offset`.
    ///
    /// With `anchor` only messages that arrived before it (a `receivedOrder`) count. The order is that of arrival.
    /// Pages by anchor do not overlap when messages arrive between two of them.
    public func fetchMessages(
        deviceID: UUID, thread: MessageThread, limit: Int = 50, offset: Int = 0, before anchor: Int64? = nil
    ) throws(StackError) -> [MessageDTO] {
        try read { db in
            let newestFirst = try db.rows(
                MessageDTO.self, MessageDTO.select("WHERE \(thread.condition) \(SQL.page)"), deviceID, thread.value,
                anchor ?? .max, max(0, limit), max(0, offset))
            return newestFirst.reversed()
        }
    }

    /// Returns a page of the channel that a slot holds now, oldest first.
    ///
    /// While the channel is unknown, the page has the messages that came for the slot.
    public func fetchMessages(
        deviceID: UUID, channelIndex: UInt8, limit: Int = 50, offset: Int = 0, before anchor: Int64? = nil
    ) throws(StackError) -> [MessageDTO] {
        let channel = try fetchChannel(deviceID: deviceID, index: channelIndex)
        return try fetchMessages(
            deviceID: deviceID, thread: channel.map { .channel($0.id) } ?? .unknownChannel(channelIndex),
            limit: limit, offset: offset, before: anchor)
    }

    /// The message of a row, either way; `nil` for an unknown id.
    public func fetchMessage(id: UUID) throws(StackError) -> MessageDTO? {
        try read { db in try db.row(MessageDTO.self, SQL.byID, id) }
    }

    /// Returns the newest outgoing message whose last attempt is confirmed by this code.
    public func fetchMessage(deviceID: UUID, ackCode: UInt32) throws(StackError) -> MessageDTO? {
        try read { db in try db.row(MessageDTO.self, SQL.byAck, deviceID, ackCode) }
    }

    /// Returns whether a message of the radio is stored with this key (see `DeduplicationKey`).
    public func isDuplicateMessage(
        deviceID: UUID, deduplicationKey: String
    ) throws(StackError) -> Bool {
        try read { db in
            try db.value(
                Int.self,
                """
                SELECT 1 FROM message
                WHERE deviceID = ?1 AND deduplicationKey = ?2 AND deduplicationKey IS NOT NULL
                """, deviceID, deduplicationKey) != nil
        }
    }

    /// Returns the place of the newest message; read before a drain of the radio's queue begins.
    public func arrivalMark() throws(StackError) -> Int64 {
        try read { db in try db.value(Int64.self, "SELECT coalesce(max(receivedOrder), 0) FROM message") ?? 0 }
    }

    /// Stores a message and, in the same transaction, the last message date and unread count of its conversation.
    ///
    /// Messages of blocked contacts are stored as read. With the mark of a drain, the messages of one sender in that
    /// drain stand in the order of the sender's own clock.
    @discardableResult
    public func saveMessage(
        _ message: MessageDTO, drainedAfter mark: Int64? = nil
    ) throws(StackError) -> SaveResult {
        try write(isDrain: true) { db in try insert(message, drainedAfter: mark, in: db) }
    }

    /// The same for many messages in one transaction: all are stored, or none.
    @discardableResult
    public func saveMessages(
        _ messages: [MessageDTO], drainedAfter mark: Int64? = nil
    ) throws(StackError) -> [SaveResult] {
        try write(isDrain: true) { db in try messages.map { try insert($0, drainedAfter: mark, in: db) } }
    }

    /// Inserts one message and counts it in its conversation.
    ///
    /// `isRecalled` says that the memory of conversations was compared with the database in this transaction.
    nonisolated func insert(
        _ message: MessageDTO, drainedAfter mark: Int64?, isRecalled: Bool = false, in db: Database
    ) throws -> SaveResult {
        var message = message
        if message.channelID == nil, let slot = message.channelIndex {
            message.channelID = try db.value(UUID.self, SQL.channelInSlot, message.deviceID, slot)
        }
        guard try db.run(SQL.insert, row: message) > 0 else { return .duplicate }
        let order = db.lastInsertedRowID
        let isUnread = message.direction == .incoming && !message.isRead
        if let channel = message.channelID {
            try db.run(SQL.countChannel, channel, message.createdAt, isUnread)
        } else if let contact = message.contactID {
            if isRecalled, memory.withLock({ $0.conversations.knowsDate(of: message) }) {
                try db.run(SQL.countContactAgain, contact, isUnread)
            } else {
                try Self.count(contact, message, isUnread, at: order, in: db)
            }
        }
        let isLatest = memory.withLock { $0.note(message, isUnread: isUnread, at: order, mark: mark) }
        guard let mark, message.direction == .incoming, !isLatest else { return .inserted(receivedOrder: order) }
        return .inserted(receivedOrder: try Self.moveBack(message, from: order, noFurtherThan: mark, in: db))
    }

    private static func count(
        _ contact: UUID, _ message: MessageDTO, _ isUnread: Bool, at order: Int64, in db: Database
    ) throws {
        let isBlocked = try db.value(Bool.self, SQL.countContact, contact, message.createdAt, isUnread)
        if isBlocked == true && isUnread {
            try db.run("UPDATE message SET isRead = 1 WHERE receivedOrder = ?1", order)
        }
    }

    /// Moves a message before later ones of its sender in the same drain, by the sender's clock.
    ///
    /// Only the places of that sender's messages are assigned anew: no other message moves.
    private static func moveBack(
        _ message: MessageDTO, from order: Int64, noFurtherThan mark: Int64, in db: Database
    ) throws -> Int64 {
        guard let thread = MessageThread(message) else { return order }
        let sql = """
            SELECT receivedOrder FROM message
            WHERE \(thread.condition) AND receivedOrder < ?3 AND receivedOrder > ?4 AND direction = 0
            AND senderNodeName IS ?5 ORDER BY receivedOrder DESC LIMIT 1
            """
        var freed = order
        while let earlier = try db.value(
            Int64.self, sql, message.deviceID, thread.value, freed, mark, message.senderNodeName)
        {
            let time = try db.value(
                UInt32.self, "SELECT timestamp FROM message WHERE receivedOrder = ?1", earlier)
            guard let time, time > message.timestamp else { break }
            // Place 0 is nobody's: it holds the message while its place is given away.
            if freed == order { try db.run("UPDATE message SET receivedOrder = 0 WHERE receivedOrder = ?1", order) }
            try db.run("UPDATE message SET receivedOrder = ?2 WHERE receivedOrder = ?1", earlier, freed)
            freed = earlier
        }
        if freed != order { try db.run("UPDATE message SET receivedOrder = ?1 WHERE receivedOrder = 0", freed) }
        return freed
    }

    /// Marks a received message, once, and subtracts it from the unread count; throws `messageNotFound`.
    public func markMessageAsRead(id: UUID) throws(StackError) {
        try write { db in
            guard let message = try db.row(MessageDTO.self, SQL.byID, id) else {
                throw StackError(.store, .messageNotFound)
            }
            guard message.direction == .incoming && !message.isRead else { return }
            try db.run("UPDATE message SET isRead = 1 WHERE receivedOrder = ?1", message.receivedOrder)
            try Self.forgetUnread(message, in: db)
        }
    }

    /// Deletes a message, and sets its conversation's unread count and date right; throws `messageNotFound`.
    public func deleteMessage(id: UUID) throws(StackError) {
        try write { db in
            guard let message = try db.row(MessageDTO.self, SQL.byID, id) else {
                throw StackError(.store, .messageNotFound)
            }
            try db.run("DELETE FROM message WHERE receivedOrder = ?1", message.receivedOrder)
            if message.direction == .incoming && !message.isRead { try Self.forgetUnread(message, in: db) }
            try Self.redateConversation(of: message, in: db)
        }
    }

    private static func forgetUnread(_ message: MessageDTO, in db: Database) throws {
        if let channel = message.channelID {
            try db.run("UPDATE channel SET unreadCount = max(unreadCount - 1, 0) WHERE id = ?1", channel)
        } else if let contact = message.contactID {
            try db.run("UPDATE contact SET unreadCount = max(unreadCount - 1, 0) WHERE id = ?1", contact)
        }
    }

    /// Sets the date of the conversation from the remaining messages.
    static func redateConversation(of message: MessageDTO, in db: Database) throws {
        if let channel = message.channelID {
            try db.run(
                """
                UPDATE channel SET lastMessageDate = (
                    SELECT max(createdAt) FROM message WHERE deviceID = ?2 AND channelID = ?1 AND channelID IS NOT NULL)
                WHERE id = ?1
                """, channel, message.deviceID)
        } else if let contact = message.contactID {
            try db.run(
                """
                UPDATE contact SET lastMessageDate = (
                    SELECT max(createdAt) FROM message WHERE deviceID = ?2 AND contactID = ?1)
                WHERE id = ?1
                """, contact, message.deviceID)
        }
    }
}
