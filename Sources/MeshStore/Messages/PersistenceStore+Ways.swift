public import FoundationEssentials

private enum SQL {
    static let saveAttempt = MessageAttemptDTO.insert()
    static let attempts = MessageAttemptDTO.select("WHERE messageID = ?1 ORDER BY sendOrder")
    static let saveHeard = HeardPacketDTO.insert()
    static let heard = HeardPacketDTO.select("WHERE deviceID = ?1 ORDER BY heardOrder")
    static let forget = """
        DELETE FROM heardPacket WHERE deviceID = ?1 AND heardOrder <= (
            SELECT heardOrder FROM heardPacket WHERE deviceID = ?1 ORDER BY heardOrder DESC LIMIT 1 OFFSET ?2)
        """
}

// The ways of messages: the attempts of ours, and the packets of texts that were heard.
extension PersistenceStore {
    /// The number of heard packets that are kept for each radio; the oldest give way.
    public static let heardPacketLimit = 500

    /// Stores an attempt of a message; throws `messageNotFound` for one that is not stored.
    public func saveMessageAttempt(_ attempt: MessageAttemptDTO) throws(StackError) {
        try write { db in
            guard try db.value(Int.self, "SELECT 1 FROM message WHERE id = ?1", attempt.messageID) != nil else {
                throw StackError(.store, .messageNotFound)
            }
            try db.run(SQL.saveAttempt, row: attempt)
        }
    }

    /// The attempts of a message, in order.
    public func fetchMessageAttempts(messageID: UUID) throws(StackError) -> [MessageAttemptDTO] {
        try read { db in try db.rows(MessageAttemptDTO.self, SQL.attempts, messageID) }
    }

    /// Stores a packet with a text that the radio heard, and forgets the oldest beyond the limit.
    ///
    /// One that repeats a message of ours is counted in the same write. Returns the number of repeats of that message;
    /// `nil` when there is none, or when it is not stored any more.
    @discardableResult
    public func saveHeardPacket(_ packet: HeardPacketDTO, repeating messageID: UUID? = nil) throws(StackError) -> Int? {
        try write { db in
            try db.run(SQL.saveHeard, row: packet)
            try db.run(SQL.forget, packet.deviceID, Self.heardPacketLimit)
            return try messageID.flatMap { try Self.countRepeat(of: $0, db) }
        }
    }

    /// The packets with texts that the radio heard lately, in order.
    public func fetchHeardPackets(deviceID: UUID) throws(StackError) -> [HeardPacketDTO] {
        try read { db in try db.rows(HeardPacketDTO.self, SQL.heard, deviceID) }
    }
}
