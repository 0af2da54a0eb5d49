public import FoundationEssentials
public import MeshCompanion

/// The end of a contact synchronisation: the whole table was read, or a part.
public enum ContactSyncEnd: Sendable, Hashable {
    /// The stream broke off: received contacts are stored, the watermark stays.
    case interrupted
    case incremental
    /// The radio sent its whole table: contacts that it did not send are not on it any more.
    case full
}

/// A contact found by the beginning of its key.
public struct ContactMatch: Sendable, Hashable {
    /// The contact.
    public var contact: ContactDTO
    /// Other contacts have the same beginning; this is the one with the latest message, then the latest advert.
    public var isAmbiguous: Bool
}

private enum SQL {
    static let all = ContactDTO.select("WHERE deviceID = ?1 AND NOT isDiscovered ORDER BY name, id")
    static let conversations = ContactDTO.select(
        "WHERE deviceID = ?1 AND lastMessageDate IS NOT NULL AND NOT isBlocked ORDER BY lastMessageDate DESC, id")
    static let discovered = ContactDTO.select(
        "WHERE deviceID = ?1 AND isDiscovered ORDER BY lastAdvertTimestamp DESC, id")
    static let byID = ContactDTO.select("WHERE id = ?1")
    static let byKey = ContactDTO.select("WHERE deviceID = ?1 AND publicKey = ?2")
    // Blobs compare byte by byte, so the index of whole keys serves beginnings of any length.
    static let byPrefix = ContactDTO.select(
        """
        WHERE deviceID = ?1 AND publicKey >= ?2 AND publicKey <= ?3
        ORDER BY coalesce(lastMessageDate, 0) DESC, lastAdvertTimestamp DESC, id LIMIT 2
        """)
    private static let counted: Set = ["id", "lastMessageDate", "unreadCount"]
    private static let preferences: Set = ["nickname", "isBlocked", "isFavorite"]
    private static let standing: Set = ["isDiscovered", "onRadio"]
    private static let place: Set = ["latitude", "longitude"]
    static let save = upsert(counted)
    private static let frame = upsert(counted.union(preferences))
    private static let frameWithoutPlace = upsert(counted.union(preferences).union(place))
    private static let heard = upsert(counted.union(preferences).union(standing))
    private static let heardWithoutPlace = upsert(counted.union(preferences).union(standing).union(place))
    private static func upsert(_ kept: Set<String>) -> String {
        ContactDTO.upsert(on: ["deviceID", "publicKey"], keeping: kept)
    }

    // Most repeaters advertise 0, 0: that must not take away the place where somebody has put them.
    static func saveFrame(_ contact: ContactDTO) -> String { contact.hasLocation ? frame : frameWithoutPlace }
    static func saveHeard(_ contact: ContactDTO) -> String { contact.hasLocation ? heard : heardWithoutPlace }
    static let markRead = """
        UPDATE message SET isRead = 1 WHERE receivedOrder IN (
            SELECT m.receivedOrder FROM message m JOIN contact c ON c.id = ?1
            WHERE m.deviceID = c.deviceID AND m.contactID = ?1 AND m.direction = 0 AND NOT m.isRead
            ORDER BY m.receivedOrder DESC LIMIT coalesce((SELECT unreadCount FROM contact WHERE id = ?1), 0))
        """
    static let recount = """
        UPDATE contact SET
            unreadCount = (
                SELECT count(*) FROM message WHERE deviceID = contact.deviceID AND contactID = contact.id
                AND direction = 0 AND NOT isRead),
            lastMessageDate = (
                SELECT max(createdAt) FROM message WHERE deviceID = contact.deviceID AND contactID = contact.id)
        WHERE id = ?1
        """
    static let adopt = """
        UPDATE message SET contactID = ?3
        WHERE deviceID = ?1 AND senderKeyPrefix = ?2 AND contactID IS NULL AND senderKeyPrefix IS NOT NULL
        AND channelIndex IS NULL
        """
}

extension PersistenceStore {
    /// The contacts that were added, by name.
    public func fetchContacts(deviceID: UUID) throws(StackError) -> [ContactDTO] {
        try read { db in try db.rows(ContactDTO.self, SQL.all, deviceID) }
    }

    /// The contacts with messages, the latest first, without blocked ones.
    public func fetchConversations(deviceID: UUID) throws(StackError) -> [ContactDTO] {
        try read { db in try db.rows(ContactDTO.self, SQL.conversations, deviceID) }
    }

    /// Contacts that were heard and not added, the latest advert first.
    public func fetchDiscoveredContacts(deviceID: UUID) throws(StackError) -> [ContactDTO] {
        try read { db in try db.rows(ContactDTO.self, SQL.discovered, deviceID) }
    }

    /// The contact of a row, added or only heard; `nil` for an unknown id.
    public func fetchContact(id: UUID) throws(StackError) -> ContactDTO? {
        try read { db in try db.row(ContactDTO.self, SQL.byID, id) }
    }

    /// Returns the contact with this whole key, 32 bytes, added or only heard; `nil` for an unknown one.
    public func fetchContact(deviceID: UUID, publicKey: Data) throws(StackError) -> ContactDTO? {
        try read { db in try db.row(ContactDTO.self, SQL.byKey, deviceID, publicKey) }
    }

    /// Returns the contact whose key begins with this prefix, 1 to 32 bytes.
    public func fetchContact(deviceID: UUID, publicKeyPrefix: Data) throws(StackError) -> ContactMatch? {
        try read { db in try Self.match(db, deviceID, publicKeyPrefix) }
    }

    /// Returns the display name of the one contact whose key begins so; `nil` for none and for several.
    public func findContactNameByKeyPrefix(deviceID: UUID, prefix: Data) throws(StackError) -> String? {
        guard let match = try fetchContact(deviceID: deviceID, publicKeyPrefix: prefix), !match.isAmbiguous
        else { return nil }
        return match.contact.displayName
    }

    /// Returns whether a blocked contact has this name. Channels know their senders by name only.
    public func isNameBlocked(_ name: String, deviceID: UUID) throws(StackError) -> Bool {
        try read { db in
            try db.value(
                Int.self, "SELECT 1 FROM contact WHERE deviceID = ?1 AND isBlocked AND name = ?2 LIMIT 1", deviceID,
                name) != nil
        }
    }

    static func match(_ db: Database, _ deviceID: UUID, _ prefix: Data) throws -> ContactMatch? {
        guard 1...32 ~= prefix.count else { throw StackError(.store, .invalidData) }
        let last = prefix + Data(repeating: 0xFF, count: 32 - prefix.count)
        let found = try db.rows(ContactDTO.self, SQL.byPrefix, deviceID, prefix, last)
        return found.first.map { ContactMatch(contact: $0, isAmbiguous: found.count > 1) }
    }
}

extension PersistenceStore {
    /// Stores a contact frame of the radio; returns its id.
    ///
    /// Nickname, blocked and favourite of a known contact stay, and its place where the frame has none.
    @discardableResult
    public func saveContact(deviceID: UUID, from record: ContactRecord) throws(StackError) -> UUID {
        try write { db in
            let contact = ContactDTO(deviceID: deviceID, record: record)
            return try Self.save(contact, with: SQL.saveFrame(contact), in: db).id
        }
    }

    /// Stores a contact; unread count and last message date of a known one stay. Its id.
    @discardableResult
    public func saveContact(_ contact: ContactDTO) throws(StackError) -> UUID {
        try write { db in try Self.save(contact, with: SQL.save, in: db).id }
    }

    /// Stores a synchronisation in one transaction; returns the watermark after it.
    ///
    /// The watermark is the largest change time received. Times of more than a day after `now` do not count: a radio
    /// with a wrong clock would hide all later changes.
    @discardableResult
    public func saveContacts(
        _ records: [ContactRecord], deviceID: UUID, end: ContactSyncEnd, now: Date
    ) throws(StackError) -> UInt32 {
        let limit = now.wholeSecondsSince1970 + 86_400
        return try write { db in
            if end == .full {
                try db.run("UPDATE contact SET onRadio = 0 WHERE deviceID = ?1 AND onRadio", deviceID)
                try db.run("UPDATE device SET lastFullContactSync = ?2 WHERE id = ?1", deviceID, now)
            }
            for record in records {
                let contact = ContactDTO(deviceID: deviceID, record: record)
                _ = try Self.save(contact, with: SQL.saveFrame(contact), in: db)
            }
            let times = records.map(\.lastModified).filter { Int64($0) <= limit }
            let newest = end == .interrupted ? 0 : times.max() ?? 0
            try db.changeOne(
                "UPDATE device SET lastContactSync = max(lastContactSync, ?2) WHERE id = ?1", deviceID, newest,
                orThrow: .deviceNotFound)
            return try db.value(UInt32.self, "SELECT lastContactSync FROM device WHERE id = ?1", deviceID) ?? 0
        }
    }

    /// Stores a contact that was heard; its id, and whether it is new.
    public func saveDiscoveredContact(
        deviceID: UUID, from record: ContactRecord
    ) throws(StackError) -> (id: UUID, isNew: Bool) {
        try write { db in
            var contact = ContactDTO(deviceID: deviceID, record: record)
            contact.isDiscovered = true
            contact.onRadio = false
            return try Self.save(contact, with: SQL.saveHeard(contact), in: db)
        }
    }

    /// Saves by one of the upserts. A new contact adopts the messages that its key has sent before.
    private static func save(
        _ contact: ContactDTO, with sql: String, in db: Database
    ) throws -> (id: UUID, isNew: Bool) {
        let known = try db.value(
            UUID.self, "SELECT id FROM contact WHERE deviceID = ?1 AND publicKey = ?2", contact.deviceID,
            contact.publicKey)
        try db.run(sql, row: contact)
        if let known { return (known, false) }
        let prefix = contact.publicKeyPrefix
        var adopted = 0
        if try match(db, contact.deviceID, prefix)?.isAmbiguous == false {
            adopted = try db.run(SQL.adopt, contact.deviceID, prefix, contact.id)
        }
        let hasHistory =
            try adopted > 0
            || db.value(
                Int.self, "SELECT 1 FROM message WHERE deviceID = ?1 AND contactID = ?2 LIMIT 1", contact.deviceID,
                contact.id) != nil
        if hasHistory { try db.run(SQL.recount, contact.id) }
        return (contact.id, true)
    }

    /// Adds a discovered contact.
    public func confirmContact(id: UUID) throws(StackError) {
        try write { db in
            try db.changeOne("UPDATE contact SET isDiscovered = 0 WHERE id = ?1", id, orThrow: .contactNotFound)
        }
    }

    /// The messages stay, and are found again when the contact comes back, unless they are deleted with it.
    public func deleteContact(id: UUID, deletingMessages: Bool = false) throws(StackError) {
        try write { db in
            guard let contact = try db.row(ContactDTO.self, SQL.byID, id) else {
                throw StackError(.store, .contactNotFound)
            }
            try db.run("DELETE FROM contact WHERE id = ?1", id)
            guard deletingMessages else { return }
            try db.run("DELETE FROM message WHERE deviceID = ?1 AND contactID = ?2", contact.deviceID, id)
        }
    }
}

extension PersistenceStore {
    /// Notes that the radio's table lacks the contact; row and messages stay. Throws `contactNotFound`.
    public func markContactOffRadio(deviceID: UUID, publicKey: Data) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE contact SET onRadio = 0 WHERE deviceID = ?1 AND publicKey = ?2", deviceID, publicKey,
                orThrow: .contactNotFound)
        }
    }

    /// Stores a path as the radio holds it: length byte (FF for none), at most 64 bytes; throws `contactNotFound`.
    public func updateContactPath(id: UUID, lengthRaw: UInt8, path: Data) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE contact SET outPathLength = ?2, outPath = ?3 WHERE id = ?1", id, lengthRaw, path,
                orThrow: .contactNotFound)
        }
    }

    /// Moves the last advert forward, in seconds by the node's clock; throws `contactNotFound`.
    public func updateContactLastAdvert(
        deviceID: UUID, publicKey: Data, timestamp: UInt32
    ) throws(StackError) {
        try write { db in
            try db.changeOne(
                """
                UPDATE contact SET lastAdvertTimestamp = max(lastAdvertTimestamp, ?3)
                WHERE deviceID = ?1 AND publicKey = ?2
                """, deviceID, publicKey, timestamp, orThrow: .contactNotFound)
        }
    }

    /// Stores the user's own values of a contact, all three; a nickname of `nil` is none.
    ///
    /// Throws `contactNotFound`.
    public func updateContactPreferences(
        id: UUID, nickname: String?, isBlocked: Bool, isFavorite: Bool
    ) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE contact SET nickname = ?2, isBlocked = ?3, isFavorite = ?4 WHERE id = ?1", id, nickname,
                isBlocked, isFavorite, orThrow: .contactNotFound)
        }
    }

    /// Moves the date forward. Saving a message has done that already.
    public func updateContactLastMessage(contactID: UUID, date: Date) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE contact SET lastMessageDate = max(coalesce(lastMessageDate, ?2), ?2) WHERE id = ?1",
                contactID, date, orThrow: .contactNotFound)
        }
    }

    /// Counts one more. Saving a message has done that already.
    public func incrementUnreadCount(contactID: UUID) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE contact SET unreadCount = unreadCount + 1 WHERE id = ?1", contactID,
                orThrow: .contactNotFound)
        }
    }

    /// Marks all messages of the contact as read.
    public func clearUnreadCount(contactID: UUID) throws(StackError) {
        try write { db in
            try db.run(SQL.markRead, contactID)
            try db.changeOne(
                "UPDATE contact SET unreadCount = 0 WHERE id = ?1", contactID, orThrow: .contactNotFound)
        }
    }
}
