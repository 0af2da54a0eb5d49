public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

// The radio's table, and the rows.
extension ContactService {
    // MARK: Reading

    /// A contact of a radio by its key, as the store has it.
    public func getContact(deviceID: UUID, publicKey: Data) async throws -> ContactDTO? {
        try await inTerms(of: .contacts) {
            try await store.fetchContact(deviceID: deviceID, publicKey: publicKey)
        }
    }

    /// A contact by its row, as the store has it.
    public func getContactByID(_ id: UUID) async throws -> ContactDTO? {
        try await inTerms(of: .contacts) { try await store.fetchContact(id: id) }
    }

    /// The contacts that were added, by name.
    public func getContacts(deviceID: UUID) async throws -> [ContactDTO] {
        try await inTerms(of: .contacts) { try await store.fetchContacts(deviceID: deviceID) }
    }

    /// The contacts with messages, the latest first, without blocked ones.
    public func getConversations(deviceID: UUID) async throws -> [ContactDTO] {
        try await inTerms(of: .contacts) { try await store.fetchConversations(deviceID: deviceID) }
    }

    /// Contacts that were heard and not added, the latest advert first.
    public func getDiscoveredContacts(deviceID: UUID) async throws -> [ContactDTO] {
        try await inTerms(of: .contacts) {
            try await store.fetchDiscoveredContacts(deviceID: deviceID)
        }
    }

    // MARK: Adding

    /// Writes a contact to the radio, new or known, and stores it when the radio has accepted it.
    @discardableResult
    public func addOrUpdateContact(_ contact: ContactDTO) async throws -> ContactDTO {
        let key = try contact.publicKey.publicKeyBytes()
        var record = ContactRecord(contact)
        let row = try await getContact(deviceID: contact.deviceID, publicKey: contact.publicKey)
        if row?.onRadio == true, let known = try await recordOnRadio(key) { record.lastAdvert = known.lastAdvert }
        if row?.isDiscovered == true { record.lastAdvert = contact.lastAdvertTimestamp }
        try await inTerms(of: .contacts) { try await session.updateContact(record) }
        var stored = contact
        stored.name = record.name.text.readable
        stored.flags = record.flags
        stored.isDiscovered = false
        stored.onRadio = true
        stored.id = try await inTerms(of: .contacts) { try await store.saveContact(stored) }
        await changed(contact.deviceID)
        return stored
    }

    /// Adds a discovered contact to the radio.
    @discardableResult
    public func confirmContact(id: UUID) async throws -> ContactDTO {
        guard let contact = try await getContactByID(id) else { throw StackError(.contacts, .contactNotFound) }
        return contact.onRadio && !contact.isDiscovered ? contact : try await addOrUpdateContact(contact)
    }

    /// Restores a contact that the radio has dropped by itself; does nothing for one that is on it.
    ///
    /// A radio sends to its contacts only. So this comes before a message to one that is not on it any more.
    public func restoreContact(id: UUID) async throws {
        guard let contact = try await getContactByID(id) else { throw StackError(.contacts, .contactNotFound) }
        if !contact.onRadio { try await addOrUpdateContact(contact) }
    }

    /// Returns the radio's record of a node; `nil` for a node that is no contact of it.
    func recordOnRadio(_ key: FixedBytes<32>) async throws -> ContactRecord? {
        do {
            let record = try await inTerms(of: .contacts) {
                try await session.getContact(publicKey: key)
            }
            // The radio keeps nodes without a type for requests to strangers; they are in no listing.
            return record.type == .none ? nil : record
        } catch let error where error.stackReason == .contactNotFound {
            return nil
        }
    }

    // MARK: Removing

    /// Removes a contact from the radio, then its row, and ends a session with the node.
    ///
    /// Where the radio does not know the contact, the row is removed as well. `contactNotFound` then says that the
    /// radio had dropped it before. Messages stay and are found again when the contact comes back, unless they are
    /// deleted too.
    public func removeContact(deviceID: UUID, publicKey: Data, deletingMessages: Bool = false) async throws {
        let key = try publicKey.publicKeyBytes()
        let row = try await getContact(deviceID: deviceID, publicKey: publicKey)
        var isMissed = false
        if row?.isDiscovered != true {
            do {
                try await inTerms(of: .contacts) { try await session.removeContact(key) }
            } catch let error where error.stackReason == .contactNotFound {
                isMissed = row?.onRadio != false
            }
        }
        try await forget(row, publicKey, of: deviceID, deletingMessages: deletingMessages)
        if isMissed { throw StackError(.contacts, .contactNotFound) }
    }

    private func forget(
        _ row: ContactDTO?, _ publicKey: Data, of deviceID: UUID, deletingMessages: Bool
    ) async throws {
        let date = dependencies.now()
        try await inTerms(of: .contacts) {
            let session = try await store.fetchRemoteNodeSession(deviceID: deviceID, publicKey: publicKey)
            if let session, session.isConnected {
                try await store.updateRemoteNodeSessionConnection(
                    id: session.id, isConnected: false, permissionLevel: session.permissionLevel, at: date)
                events.emit(.sessionStateChanged(sessionID: session.id, .disconnected))
            }
            if let row { try await store.deleteContact(id: row.id, deletingMessages: deletingMessages) }
        }
        events.emit(.contactRemoved(deviceID: deviceID, publicKey: publicKey))
        await changed(deviceID)
    }

    // MARK: Preferences

    /// Changes the user's own values of a contact.
    ///
    /// The favourite mark is a flag of the radio too, which then never overwrites the contact. A change of it is
    /// written there first. Firmware that refuses the command keeps the mark here only.
    public func updateContactPreferences(
        id: UUID, nickname: String?, isBlocked: Bool, isFavorite: Bool
    ) async throws {
        guard let contact = try await getContactByID(id) else { throw StackError(.contacts, .contactNotFound) }
        if contact.onRadio, contact.isFavorite != isFavorite { try await markFavorite(contact, isFavorite) }
        try await inTerms(of: .contacts) {
            try await store.updateContactPreferences(
                id: id, nickname: nickname, isBlocked: isBlocked, isFavorite: isFavorite)
        }
        await changed(contact.deviceID)
    }

    private func markFavorite(_ contact: ContactDTO, _ isFavorite: Bool) async throws {
        let key = try contact.publicKey.publicKeyBytes()
        do {
            var record = try await session.getContact(publicKey: key)
            record.flags = record.flags & ~1 | (isFavorite ? 1 : 0)
            try await session.updateContact(record)
            _ = try await store.saveContact(deviceID: contact.deviceID, from: record)
        } catch SessionError.refused(_, let code) where code == .unsupportedCmd || code == .notFound {
            dependencies.log.notice("the radio does not keep the favourite mark: \(code.map { "\($0)" } ?? "")")
        } catch {
            throw StackError.meaning(of: error, in: .contacts)
        }
    }
}
