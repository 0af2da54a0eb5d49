import FoundationEssentials
import Synchronization

/// A direct message as it was stored, with its sender.
public struct DirectReceipt: Sendable, Hashable {
    /// The message as it is stored.
    public var message: MessageDTO
    /// The result of the store: the row was new, or there before.
    public var result: SaveResult
    /// The sender as the store had it before the message; `nil` for a sender who is no contact.
    public var sender: ContactMatch?
}

/// A message on a channel as it was stored, and where it belongs.
public struct ChannelReceipt: Sendable, Hashable {
    /// The message as it is stored.
    public var message: MessageDTO
    /// The result of the store: the row was new, or there before.
    public var result: SaveResult
    /// The channel as the store had it before the message; `nil` for an unknown slot.
    public var channel: ChannelDTO?
    /// True when a blocked contact has the sender's name.
    public var isBlocked: Bool
}

// Messages off a radio's queue: whose they are is looked up in the transaction that stores them.
extension PersistenceStore {
    /// Stores a direct message of a radio's queue as `saveMessage` does, in its sender's conversation.
    ///
    /// `senderKeyPrefix` names the sender; the contact is found in the same transaction. The caller blocks instead of
    /// waiting for its turn, because many messages come this way.
    @discardableResult
    public nonisolated func receiveMessage(
        _ message: MessageDTO, drainedAfter mark: Int64?
    ) throws(StackError) -> DirectReceipt {
        try write(isDrain: true) { db in
            try recall(message.deviceID, in: db)
            var message = message
            let sender = try message.senderKeyPrefix.flatMap { prefix in
                try memory.withLock { memory in
                    try memory.conversations.sender(prefix) { try Self.match(db, message.deviceID, prefix) }
                }
            }
            message.contactID = sender?.contact.id
            message.isRead = sender?.contact.isBlocked == true
            let result = try insert(message, drainedAfter: mark, isRecalled: true, in: db)
            return DirectReceipt(message: message, result: result, sender: sender)
        }
    }

    /// Stores a message on a channel in the same way, with its channel and its deduplication key.
    ///
    /// One whose sender has a blocked contact's name is stored as read.
    @discardableResult
    public nonisolated func receiveChannelMessage(
        _ message: MessageDTO, slot: UInt8, drainedAfter mark: Int64?
    ) throws(StackError) -> ChannelReceipt {
        try write(isDrain: true) { db in
            try recall(message.deviceID, in: db)
            var message = message
            let (channel, isBlocked) = try memory.withLock { memory in
                let channel = try memory.conversations.channel(slot) {
                    try Self.channel(message.deviceID, slot, in: db)
                }
                let isBlocked = try message.senderNodeName.map { name in
                    try memory.conversations.isBlocked(name) { try Self.blockedNames(message.deviceID, in: db) }
                }
                return (channel, isBlocked ?? false)
            }
            message.channelIndex = slot
            message.channelID = channel?.id
            message.isRead = isBlocked
            message.deduplicationKey = DeduplicationKey.channel(
                deviceID: message.deviceID, channelIndex: slot, channelID: channel?.id,
                senderNodeName: message.senderNodeName, timestamp: message.timestamp, text: message.text)
            let result = try insert(message, drainedAfter: mark, isRecalled: true, in: db)
            return ChannelReceipt(message: message, result: result, channel: channel, isBlocked: isBlocked)
        }
    }

    /// Returns the names of blocked contacts.
    private static func blockedNames(_ deviceID: UUID, in db: Database) throws -> [String] {
        try db.values(String.self, "SELECT name FROM contact WHERE deviceID = ?1 AND isBlocked", deviceID)
    }

    /// Brings the memory of a radio's conversations up to date with the database.
    private nonisolated func recall(_ deviceID: UUID, in db: Database) throws {
        // Only others' transactions change this number.
        let version = try db.value(Int64.self, "PRAGMA data_version")
        memory.withLock { $0.conversations.begin(deviceID, version: version) }
    }
}
