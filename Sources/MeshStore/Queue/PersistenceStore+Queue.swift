public import FoundationEssentials

private enum SQL {
    static let insert = PendingSendDTO.insert()
    static let byMessage = PendingSendDTO.select("WHERE messageID = ?1")
    static let queue = PendingSendDTO.select("WHERE deviceID = ?1 ORDER BY sendOrder")
    static let message = MessageDTO.select("WHERE id = ?1")
    static let count = "SELECT count(*) FROM pendingSend WHERE deviceID = ?1"
    static let remove = "DELETE FROM pendingSend WHERE messageID = ?1"
}

extension PersistenceStore {
    /// Stores a message as pending together with its place in the queue.
    ///
    /// Throws `queueFull` when `limit` messages of the radio wait already; 0 is no limit.
    @discardableResult
    public func enqueueMessage(
        _ message: MessageDTO, limit: Int = 0
    ) throws(StackError) -> PendingSendDTO {
        try write { db in
            if limit > 0, try db.value(Int.self, SQL.count, message.deviceID) ?? 0 >= limit {
                throw StackError(.store, .queueFull(limit: limit))
            }
            var message = message
            message.status = .pending
            message.direction = .outgoing
            guard try insert(message, drainedAfter: nil, in: db) != .duplicate else {
                throw StackError(.store, .saveFailed("a message with this id or key is there already"))
            }
            return try Self.enqueue(message.id, in: db)
        }
    }

    /// Puts a message that is in the store, and pending, back in the queue.
    @discardableResult
    public func requeueMessage(id: UUID) throws(StackError) -> PendingSendDTO {
        try write { db in try Self.enqueue(id, in: db) }
    }

    /// Makes an entry for a message in the store, as the row says.
    private static func enqueue(_ id: UUID, in db: Database) throws -> PendingSendDTO {
        guard let message = try db.row(MessageDTO.self, SQL.message, id) else {
            throw StackError(.store, .messageNotFound)
        }
        guard message.status == .pending && message.isOutgoing else {
            throw StackError(.store, .saveFailed("only a pending message can be queued"))
        }
        if message.isChannelMessage && message.channelID == nil { throw StackError(.store, .channelNotFound) }
        guard let target = message.channelID ?? message.contactID else { throw StackError(.store, .contactNotFound) }
        let entry = PendingSendDTO(
            messageID: id, deviceID: message.deviceID, kind: message.isChannelMessage ? .channel : .direct,
            target: target, text: message.text, createdAt: message.createdAt)
        try db.run(SQL.insert, row: entry)
        return try Self.entry(of: id, in: db)
    }

    private static func entry(of messageID: UUID, in db: Database) throws -> PendingSendDTO {
        guard let entry = try db.row(PendingSendDTO.self, SQL.byMessage, messageID) else {
            throw StackError(.store, .messageNotFound)
        }
        return entry
    }

    /// The queue of a radio, in order.
    public func fetchPendingSends(deviceID: UUID) throws(StackError) -> [PendingSendDTO] {
        try read { db in try db.rows(PendingSendDTO.self, SQL.queue, deviceID) }
    }

    /// Returns the number of messages of a radio that wait.
    public func countPendingMessages(deviceID: UUID) throws(StackError) -> Int {
        try read { db in try db.value(Int.self, SQL.count, deviceID) ?? 0 }
    }

    /// Notes that a drain is about to write an entry; returns the entry as it is now.
    ///
    /// The first timestamp stays, also that of the message. Later drains send the same, so that a receiver can drop the
    /// copy.
    @discardableResult
    public func recordSendAttempt(
        messageID: UUID, timestamp: UInt32
    ) throws(StackError) -> PendingSendDTO {
        try write { db in
            try db.run(
                """
                UPDATE pendingSend SET timestamp = coalesce(timestamp, ?2), attemptCount = attemptCount + 1
                WHERE messageID = ?1
                """, messageID, timestamp)
            let entry = try Self.entry(of: messageID, in: db)
            try db.run(
                "UPDATE message SET timestamp = ?2 WHERE id = ?1", messageID, entry.timestamp ?? timestamp)
            return entry
        }
    }

    /// Notes why an entry stays in the queue.
    public func recordSendError(messageID: UUID, error: String) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE pendingSend SET lastError = ?2 WHERE messageID = ?1", messageID, error,
                orThrow: .messageNotFound)
        }
    }

    /// Marks the message as sent, with its code, and removes its entry: both or neither.
    @discardableResult
    public func completePendingSend(
        messageID: UUID, ackCode: UInt32?
    ) throws(StackError) -> StatusChange {
        try write { db in
            let change = try Self.changeStatus(id: messageID, from: nil, to: .sent, in: db)
            guard change == .changed else { return change }
            try db.run("UPDATE message SET ackCode = ?2 WHERE id = ?1", messageID, ackCode)
            try db.run(SQL.remove, messageID)
            return change
        }
    }

    /// Marks the message as failed and removes its entry.
    @discardableResult
    public func failPendingSend(messageID: UUID) throws(StackError) -> StatusChange {
        try write { db in
            let change = try Self.changeStatus(id: messageID, from: nil, to: .failed, in: db)
            if change == .changed { try db.run(SQL.remove, messageID) }
            return change
        }
    }

    /// Deletes a message that waits, with its entry; refused for one on its way.
    @discardableResult
    public func deleteQueuedMessage(id: UUID) throws(StackError) -> StatusChange {
        try write { db in
            guard let message = try db.row(MessageDTO.self, SQL.message, id) else {
                throw StackError(.store, .messageNotFound)
            }
            guard message.status == .pending && message.isOutgoing else { return .refused(message.status) }
            try db.run("DELETE FROM message WHERE id = ?1", id)
            try Self.redateConversation(of: message, in: db)
            return .changed
        }
    }
}
