public import FoundationEssentials

/// The answer of a radio for one of its channel slots.
public struct ChannelSlot: Sendable, Hashable {
    /// The slot, counted from 0.
    public var index: UInt8
    /// The channel's name.
    public var name: String
    /// 16 bytes.
    public var secret: Data

    public init(index: UInt8, name: String, secret: Data) {
        self.index = index
        self.name = name
        self.secret = secret
    }
}

private enum SQL {
    static let all = ChannelDTO.select("WHERE deviceID = ?1 AND NOT isArchived ORDER BY slot")
    static let archived = ChannelDTO.select(
        "WHERE deviceID = ?1 AND isArchived ORDER BY coalesce(lastMessageDate, 0) DESC, id")
    static let inSlot = ChannelDTO.select("WHERE deviceID = ?1 AND slot = ?2 AND NOT isArchived")
    static let byID = ChannelDTO.select("WHERE id = ?1")
    static let archivedSecret = ChannelDTO.select("WHERE deviceID = ?1 AND secret = ?2 AND isArchived LIMIT 1")
    static let save = ChannelDTO.upsert(on: ["id"], keeping: ["lastMessageDate", "unreadCount", "regionScope"])
    static let markRead = """
        UPDATE message SET isRead = 1 WHERE receivedOrder IN (
            SELECT m.receivedOrder FROM message m JOIN channel c ON c.id = ?1
            WHERE m.deviceID = c.deviceID AND m.channelID = ?1 AND m.channelID IS NOT NULL AND m.direction = 0
            AND NOT m.isRead ORDER BY m.receivedOrder DESC
            LIMIT coalesce((SELECT unreadCount FROM channel WHERE id = ?1), 0))
        """
}

extension PersistenceStore {
    /// The channels in the radio's slots, by slot.
    public func fetchChannels(deviceID: UUID) throws(StackError) -> [ChannelDTO] {
        try read { db in try db.rows(ChannelDTO.self, SQL.all, deviceID) }
    }

    /// The channels that no slot holds any more and whose messages are still here, the latest first.
    public func fetchArchivedChannels(deviceID: UUID) throws(StackError) -> [ChannelDTO] {
        try read { db in try db.rows(ChannelDTO.self, SQL.archived, deviceID) }
    }

    /// The channel in a slot, counted from 0; `nil` for an empty one.
    public func fetchChannel(deviceID: UUID, index: UInt8) throws(StackError) -> ChannelDTO? {
        try read { db in try Self.channel(deviceID, index, in: db) }
    }

    /// Returns the channel in a slot; `nil` for an empty one.
    static func channel(_ deviceID: UUID, _ slot: UInt8, in db: Database) throws -> ChannelDTO? {
        try db.row(ChannelDTO.self, SQL.inSlot, deviceID, slot)
    }

    /// The channel of a row, archived or not; `nil` for an unknown id.
    public func fetchChannel(id: UUID) throws(StackError) -> ChannelDTO? {
        try read { db in try db.row(ChannelDTO.self, SQL.byID, id) }
    }

    /// Puts a channel in its slot; the row as it is now, `nil` for an empty slot.
    ///
    /// Another secret than before is another channel: the old one is archived if it has messages, else removed. A
    /// secret that was archived comes back with its history. Unread count, last message date and region of a known
    /// channel stay.
    @discardableResult
    public func saveChannel(_ channel: ChannelDTO) throws(StackError) -> ChannelDTO? {
        try write { db in
            try Self.clearSlot(of: channel, in: db)
            return try Self.place(channel, in: db)
        }
    }

    /// Stores a synchronisation in one transaction. Slots that did not answer are not in the list and stay as they are.
    public func replaceChannels(_ slots: [ChannelSlot], deviceID: UUID) throws(StackError) {
        try write { db in
            let known = try db.rows(ChannelDTO.self, SQL.all, deviceID)
            let channels = slots.map { slot in
                var channel = ChannelDTO(deviceID: deviceID, index: slot.index, name: slot.name, secret: slot.secret)
                channel.isEnabled = known.first { $0.index == slot.index }?.isEnabled ?? true
                channel.regionScope = known.first { $0.secret == slot.secret }?.regionScope
                return channel
            }
            // All slots are cleared first, so that a channel that moved to another slot is found archived there.
            for channel in channels { try Self.clearSlot(of: channel, in: db) }
            for channel in channels { _ = try Self.place(channel, in: db) }
        }
    }

    /// Removes a channel from its slot; with its messages, or archived for their sake.
    public func deleteChannel(id: UUID, deletingMessages: Bool = false) throws(StackError) {
        try write { db in
            guard let channel = try db.row(ChannelDTO.self, SQL.byID, id) else {
                throw StackError(.store, .channelNotFound)
            }
            if deletingMessages {
                try db.run(
                    "DELETE FROM message WHERE deviceID = ?1 AND channelID = ?2 AND channelID IS NOT NULL",
                    channel.deviceID, id)
            }
            try Self.retire(channel, in: db)
        }
    }

    /// Archives or removes the channel in a slot, unless it is the one to be placed there.
    private static func clearSlot(of channel: ChannelDTO, in db: Database) throws {
        guard channel.secret.count == 16 else { throw StackError(.store, .invalidData) }
        guard let old = try db.row(ChannelDTO.self, SQL.inSlot, channel.deviceID, channel.index),
            !channel.isConfigured || old.secret != channel.secret
        else { return }
        try retire(old, in: db)
    }

    /// Archives a channel for the sake of its messages, or removes it if it has none.
    private static func retire(_ channel: ChannelDTO, in db: Database) throws {
        let hasMessages = try db.value(
            Int.self, "SELECT 1 FROM message WHERE deviceID = ?1 AND channelID = ?2 AND channelID IS NOT NULL LIMIT 1",
            channel.deviceID, channel.id)
        let sql =
            hasMessages == nil
            ? "DELETE FROM channel WHERE id = ?1" : "UPDATE channel SET isArchived = 1 WHERE id = ?1"
        try db.run(sql, channel.id)
    }

    /// Puts a channel in its slot, where nothing or the same channel stands.
    private static func place(_ channel: ChannelDTO, in db: Database) throws -> ChannelDTO? {
        guard channel.isConfigured else { return nil }
        var channel = channel
        channel.isArchived = false
        let present = try db.row(ChannelDTO.self, SQL.inSlot, channel.deviceID, channel.index)
        if let known = try present ?? db.row(ChannelDTO.self, SQL.archivedSecret, channel.deviceID, channel.secret) {
            channel.id = known.id
        } else if try db.row(ChannelDTO.self, SQL.byID, channel.id) != nil {
            // Two slots with one secret are one channel on the air, but two rows of the radio's table.
            channel.id = StableIdentifier.channel(
                deviceID: channel.deviceID, secret: channel.secret, slot: channel.index)
        }
        try db.run(SQL.save, row: channel)
        return try db.row(ChannelDTO.self, SQL.byID, channel.id)
    }

    /// Notes whether the user has the channel switched on; throws `channelNotFound`.
    public func setChannelEnabled(id: UUID, _ isEnabled: Bool) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE channel SET isEnabled = ?2 WHERE id = ?1", id, isEnabled, orThrow: .channelNotFound)
        }
    }

    /// Sets the region in which our messages on the channel are relayed, or none; throws `channelNotFound`.
    public func setChannelScope(id: UUID, _ regionScope: String?) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE channel SET regionScope = ?2 WHERE id = ?1", id, regionScope, orThrow: .channelNotFound)
        }
    }

    /// Moves the date forward. Saving a message has done that already.
    public func updateChannelLastMessage(channelID: UUID, date: Date) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE channel SET lastMessageDate = max(coalesce(lastMessageDate, ?2), ?2) WHERE id = ?1",
                channelID, date, orThrow: .channelNotFound)
        }
    }

    /// Counts one more. Saving a message has done that already.
    public func incrementChannelUnreadCount(channelID: UUID) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE channel SET unreadCount = unreadCount + 1 WHERE id = ?1", channelID,
                orThrow: .channelNotFound)
        }
    }

    /// Marks all messages of the channel as read.
    public func clearChannelUnreadCount(channelID: UUID) throws(StackError) {
        try write { db in
            try db.run(SQL.markRead, channelID)
            try db.changeOne(
                "UPDATE channel SET unreadCount = 0 WHERE id = ?1", channelID, orThrow: .channelNotFound)
        }
    }
}
