import FoundationEssentials

/// The facts that the store remembers from one message to the next.
struct ArrivalMemory {
    var drains = DrainMemory()
    var conversations = ConversationMemory()

    /// Notes a message that was inserted. Whether nothing that came before in its drain, from its sender, is later.
    mutating func note(_ message: MessageDTO, isUnread: Bool, at order: Int64, mark: Int64?) -> Bool {
        conversations.note(message, isUnread: isUnread)
        return drains.note(message, at: order, mark: mark)
    }

    mutating func forget() {
        drains.forget()
        conversations.forget()
    }
}

/// The senders and channels of recent messages, so that not every message has to look them up.
///
/// The rows are those of the database, or there are none. Any change to the database ends the memory, except for
/// inserted messages, which it counts itself. It is of one radio.
struct ConversationMemory {
    /// Senders that are remembered at most; more than any radio keeps.
    private static let limit = 1000

    private var deviceID: UUID?
    /// The number by which SQLite shows the changes of other connections.
    private var version: Int64?
    /// Contacts by the first 6 bytes of their keys, where no other contact has the same.
    private var senders: [Data: ContactDTO] = [:]
    private var slots: [UInt8: ChannelDTO] = [:]
    private var blockedNames: Set<[UInt8]>?

    /// Looks whether it may still be believed; called at the beginning of a transaction.
    mutating func begin(_ deviceID: UUID, version: Int64?) {
        guard deviceID != self.deviceID || version != self.version else { return }
        self = ConversationMemory()
        self.deviceID = deviceID
        self.version = version
    }

    /// A transaction was undone, or something else than messages has changed.
    mutating func forget() {
        guard deviceID != nil else { return }
        self = ConversationMemory()
    }

    /// Counts a message that was inserted, as the database does.
    mutating func note(_ message: MessageDTO, isUnread: Bool) {
        guard message.deviceID == deviceID else { return forget() }
        if let slot = message.channelIndex {
            if slots[slot]?.id == message.channelID {
                slots[slot]?.count(message.createdAt, isUnread: isUnread)
            } else {
                slots = [:]
            }
        } else if let contactID = message.contactID {
            // Without a beginning of the key it could be any of them.
            guard let prefix = message.senderKeyPrefix else { return senders = [:] }
            guard let known = senders[prefix] else { return }
            guard known.id == contactID else { return senders = [:] }
            senders[prefix]?.count(message.createdAt, isUnread: isUnread)
        }
    }

    /// Returns whether a message is of a contact that is not blocked, and whose last message is no older.
    func knowsDate(of message: MessageDTO) -> Bool {
        guard message.deviceID == deviceID, let prefix = message.senderKeyPrefix, let known = senders[prefix],
            let date = known.lastMessageDate
        else { return false }
        return known.id == message.contactID && !known.isBlocked && date >= message.createdAt
    }

    // MARK: Looking up

    /// Returns the contact whose key begins so; `find` looks it up.
    mutating func sender(_ prefix: Data, find: () throws -> ContactMatch?) rethrows -> ContactMatch? {
        if let contact = senders[prefix] { return ContactMatch(contact: contact, isAmbiguous: false) }
        let match = try find()
        if let match, !match.isAmbiguous {
            if senders.count == Self.limit { senders = [:] }
            senders[prefix] = match.contact
        }
        return match
    }

    mutating func channel(_ slot: UInt8, find: () throws -> ChannelDTO?) rethrows -> ChannelDTO? {
        if let channel = slots[slot] { return channel }
        let channel = try find()
        slots[slot] = channel
        return channel
    }

    /// Returns whether a blocked contact has this name, byte by byte, as the database compares names.
    mutating func isBlocked(_ name: String, find: () throws -> [String]) rethrows -> Bool {
        if blockedNames == nil { blockedNames = Set(try find().map { Array($0.utf8) }) }
        guard let blockedNames, !blockedNames.isEmpty else { return false }
        return blockedNames.contains(Array(name.utf8))
    }
}

extension ContactDTO {
    fileprivate mutating func count(_ date: Date, isUnread: Bool) {
        lastMessageDate = max(lastMessageDate ?? date, date)
        if isUnread && !isBlocked { unreadCount += 1 }
    }
}

extension ChannelDTO {
    fileprivate mutating func count(_ date: Date, isUnread: Bool) {
        lastMessageDate = max(lastMessageDate ?? date, date)
        if isUnread { unreadCount += 1 }
    }
}
