public import FoundationEssentials

extension MessageStatus {
    /// Returns the states for an `IN` list.
    static func list(_ states: [MessageStatus]) -> String { states.map { "\($0.rawValue)" }.joined(separator: ", ") }
}

private let unconfirmed = MessageDTO.select(
    """
    WHERE deviceID = ?1 AND status <> 3 AND status = 2 AND direction = 1 AND channelIndex IS NULL AND kind = 0
    ORDER BY receivedOrder
    """)

extension PersistenceStore {
    /// Changes the status if the message is in the state `from` (`nil`: any) and may leave it for `to`.
    @discardableResult
    public func updateMessageStatus(
        id: UUID, from: MessageStatus? = nil, to: MessageStatus
    ) throws(StackError) -> StatusChange {
        try write { db in try Self.changeStatus(id: id, from: from, to: to, in: db) }
    }

    /// Changes the status and counts the attempts.
    @discardableResult
    public func updateMessageRetryStatus(
        id: UUID, to: MessageStatus, retryAttempt: Int, maxRetryAttempts: Int
    ) throws(StackError) -> StatusChange {
        try write { db in
            let change = try Self.changeStatus(id: id, from: nil, to: to, in: db)
            guard change == .changed else { return change }
            try db.run(
                "UPDATE message SET retryAttempt = ?2, maxRetryAttempts = ?3 WHERE id = ?1", id, retryAttempt,
                maxRetryAttempts)
            return change
        }
    }

    /// Changes the status and notes the code that will confirm this attempt, with the retry's number if it is one.
    @discardableResult
    public func updateMessageAck(
        id: UUID, ackCode: UInt32, to: MessageStatus, retryAttempt: Int? = nil
    ) throws(StackError) -> StatusChange {
        try write { db in
            let change = try Self.changeStatus(id: id, from: nil, to: to, in: db)
            guard change == .changed else { return change }
            try db.run(
                "UPDATE message SET ackCode = ?2, retryAttempt = coalesce(?3, retryAttempt) WHERE id = ?1", id, ackCode,
                retryAttempt)
            return change
        }
    }

    /// Returns direct messages that the radio accepted and no node has confirmed, oldest first.
    public func fetchUnconfirmedMessages(deviceID: UUID) throws(StackError) -> [MessageDTO] {
        try read { db in try db.rows(MessageDTO.self, unconfirmed, deviceID) }
    }

    /// Marks a message as delivered.
    @discardableResult
    public func markMessageDelivered(
        id: UUID, roundTripTime: UInt32?
    ) throws(StackError) -> StatusChange {
        try write { db in try Self.settle(id: id, to: .delivered, roundTripTime: roundTripTime, in: db) }
    }

    /// Changes the status of the newest message with this code; its id if there was one.
    @discardableResult
    public func updateMessageByAckCode(
        deviceID: UUID, ackCode: UInt32, to: MessageStatus, roundTripTime: UInt32? = nil
    ) throws(StackError) -> (id: UUID, change: StatusChange)? {
        try write { db in
            let newest = try db.value(
                UUID.self,
                """
                SELECT id FROM message
                WHERE deviceID = ?1 AND ackCode = ?2 AND ackCode IS NOT NULL AND direction = 1
                ORDER BY receivedOrder DESC LIMIT 1
                """, deviceID, ackCode)
            guard let newest else { return nil }
            return (newest, try Self.settle(id: newest, to: to, roundTripTime: roundTripTime, in: db))
        }
    }

    private static func settle(
        id: UUID, to: MessageStatus, roundTripTime: UInt32?, in db: Database
    ) throws -> StatusChange {
        let change = try changeStatus(id: id, from: nil, to: to, in: db)
        if change == .changed, let roundTripTime {
            try db.run("UPDATE message SET roundTripTime = ?2 WHERE id = ?1", id, roundTripTime)
        }
        return change
    }

    /// Compares and sets in one statement: changes of another task in between are never overwritten.
    static func changeStatus(
        id: UUID, from: MessageStatus?, to: MessageStatus, in db: Database
    ) throws -> StatusChange {
        let sources = MessageStatus.sources(of: to).filter { from == nil || $0 == from }
        let changed = try db.run(
            "UPDATE message SET status = ?2 WHERE id = ?1 AND status IN (\(MessageStatus.list(sources)))", id, to)
        if changed > 0 { return .changed }
        let current = try db.value(MessageStatus.self, "SELECT status FROM message WHERE id = ?1", id)
        guard let current else { throw StackError(.store, .messageNotFound) }
        return .refused(current)
    }

    /// Returns a failed message, or a channel message that was sent, to `pending` for a new start.
    ///
    /// It has a fresh timestamp, and no code, round trip time, repeats and attempts.
    @discardableResult
    public func prepareResend(id: UUID, timestamp: UInt32) throws(StackError) -> StatusChange {
        try write { db in
            let begun = try db.run(
                """
                UPDATE message SET status = 0, timestamp = ?2, ackCode = NULL, roundTripTime = NULL, heardRepeats = 0,
                    retryAttempt = 0
                WHERE id = ?1 AND direction = 1 AND (status = 4 OR (status = 2 AND channelIndex IS NOT NULL))
                """, id, timestamp)
            if begun > 0 { return .changed }
            let current = try db.value(MessageStatus.self, "SELECT status FROM message WHERE id = ?1", id)
            guard let current else { throw StackError(.store, .messageNotFound) }
            return .refused(current)
        }
    }

    /// Marks every outgoing message of the radio that is on its way as failed; which they were.
    public func failAllPendingMessages(deviceID: UUID) throws(StackError) -> [UUID] {
        try write { db in
            // A channel message that was sent has arrived where it can.
            let failed = try db.values(
                UUID.self,
                """
                UPDATE message SET status = 4
                WHERE deviceID = ?1 AND status <> 3 AND direction = 1
                AND (status IN (0, 1, 5) OR (status = 2 AND channelIndex IS NULL)) RETURNING id
                """, deviceID)
            try db.run("DELETE FROM pendingSend WHERE deviceID = ?1", deviceID)
            return failed
        }
    }

    /// Returns messages that a crash left in the middle of a write to the queue, at the start of the process.
    ///
    /// They count as sent where the radio had answered. Returns the number of these messages.
    @discardableResult
    public func failStaleSending() throws(StackError) -> Int {
        try write { db in
            let answered = try db.run(
                """
                UPDATE message SET status = 2
                WHERE status <> 3 AND direction = 1 AND (status = 5 OR (status = 1 AND ackCode IS NOT NULL))
                """)
            let unanswered = try db.run(
                "UPDATE message SET status = 0 WHERE status <> 3 AND status = 1 AND direction = 1")
            // The same timestamp: if the radio had taken it after all, receivers drop the copy.
            try db.run(
                """
                INSERT INTO pendingSend (
                    messageID, deviceID, kind, target, text, timestamp, attemptCount, createdAt, lastError)
                SELECT id, deviceID, channelIndex IS NOT NULL, coalesce(channelID, contactID), text, timestamp, 0,
                    createdAt, NULL
                FROM message INDEXED BY messageUnfinished
                WHERE status <> 3 AND status = 0 AND direction = 1 AND kind = 0
                AND coalesce(channelID, contactID) IS NOT NULL AND id NOT IN (SELECT messageID FROM pendingSend)
                ORDER BY receivedOrder
                """)
            return answered + unanswered
        }
    }

    /// Stores how many repeats were heard, in place of the earlier count; throws `messageNotFound`.
    public func updateMessageHeardRepeats(id: UUID, heardRepeats: Int) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE message SET heardRepeats = ?2 WHERE id = ?1", id, heardRepeats, orThrow: .messageNotFound)
        }
    }

    /// Counts one more repeat; how many there are now.
    @discardableResult
    public func incrementMessageHeardRepeats(id: UUID) throws(StackError) -> Int {
        try write { db in
            guard let count = try Self.countRepeat(of: id, db) else { throw StackError(.store, .messageNotFound) }
            return count
        }
    }

    /// Counts one more repeat of a message; returns `nil` for one that is not stored.
    static func countRepeat(of id: UUID, _ db: Database) throws -> Int? {
        try db.value(
            Int.self, "UPDATE message SET heardRepeats = heardRepeats + 1 WHERE id = ?1 RETURNING heardRepeats", id)
    }
}
