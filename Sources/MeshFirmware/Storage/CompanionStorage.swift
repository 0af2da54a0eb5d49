import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

/// The files that a companion radio keeps in flash, read and written in the firmware's own formats.
///
/// Source: CompanionStatements, CMP-082, CMP-102 and CMP-156; `DataStore` and `IdentityStore` of the firmware.
public enum CompanionStorage {
    package static let identityPath = "/_main.id"
    package static let contactsPath = "/contacts3"
    package static let channelsPath = "/channels2"
    private static let identitySize = 96

    // MARK: Judging

    /// Checks every file that a companion reads at boot and throws the first fault.
    ///
    /// The radio itself boots from the readable part, as the firmware does. A program that starts radios asks here
    /// first, so that a damaged file is reported and does not become factory settings.
    public static func validate(_ flash: Flash) throws(StorageError) {
        if let content = flash[CompanionPreferences.path] { try validatePreferences(content) }
        if let content = flash[identityPath] { try validateIdentity(content, in: identityPath) }
        try validateRecords(flash, Self.contactsPath, size: StoredContact.size)
        try validateRecords(flash, Self.channelsPath, size: StoredChannel.size)
    }

    private static func validatePreferences(_ content: [UInt8]) throws(StorageError) {
        var scratch = CompanionPreferences(board: .heltecV3)
        guard let fault = scratch.load(content) else { return }
        throw StorageError(
            file: CompanionPreferences.path, field: fault.key, reason: "\(fault.reason) at byte \(fault.offset)")
    }

    /// An identity is stored alike by all roles: 32 bytes of public key, 64 of private key.
    static func validateIdentity(_ content: [UInt8], in file: String) throws(StorageError) {
        guard content.count >= identitySize else {
            throw StorageError(
                file: file, field: content.count < 32 ? "public key" : "private key",
                reason: "\(content.count) bytes instead of \(identitySize)")
        }
        guard let identity = identity(in: content), identity.publicKey.array == [UInt8](content[..<32]) else {
            throw StorageError(
                file: file, field: "public key", reason: "does not belong to the private key behind it")
        }
    }

    private static func validateRecords(_ flash: Flash, _ path: String, size: Int) throws(StorageError) {
        guard let content = flash[path], !content.count.isMultiple(of: size) else { return }
        throw StorageError(
            file: path, field: "record \(content.count / size)",
            reason: "\(content.count % size) bytes instead of \(size)")
    }

    // MARK: Identity

    /// The identity in a file: public key, then private key. The public key is derived again.
    static func identity(in content: [UInt8]) -> LocalIdentity? {
        guard content.count >= identitySize else { return nil }
        return LocalIdentity(privateKey: FixedBytes(content[32..<identitySize]))
    }

    static func fileContent(of identity: LocalIdentity) -> [UInt8] {
        identity.publicKey.array + identity.privateKey.array
    }

    // MARK: Contacts and channels

    /// The flash of a radio that has these contacts, and these channels in its slots from 0 on; the rest is as fresh.
    public static func flash(contacts: [Contact], channels: [GroupChannel]) -> Flash {
        var slots = ChannelTable(count: channels.count)
        for (index, channel) in channels.enumerated() { _ = slots.set(channel, at: index) }
        var known = ContactSlots(capacity: contacts.count)
        for contact in contacts { _ = known.restore(contact) }
        return Flash(files: [
            (Self.contactsPath, fileContent(of: known)), (Self.channelsPath, fileContent(of: slots)),
        ])
    }

    static func loadContacts(from flash: Flash, into table: inout ContactSlots) {
        table.reset()
        guard let content = flash[Self.contactsPath] else { return }
        for record in records(in: content, size: StoredContact.size, as: StoredContact.self) {
            if !table.restore(record.contact) { break }
        }
    }

    /// All contacts that are kept, transient area included; entries of type 0 are left out where they are transient.
    static func fileContent(of table: ContactSlots) -> [UInt8] {
        var writer = FieldWriter(reserving: table.slots.count * StoredContact.size)
        for contact in table.slots where contact.type != .none || table.transients == .refused {
            var record = StoredContact(contact: contact)
            record.walk(&writer)
        }
        return writer.output
    }

    static func loadChannels(from flash: Flash, into table: inout ChannelTable) {
        guard let content = flash[Self.channelsPath] else { return }
        for (index, record) in records(in: content, size: StoredChannel.size, as: StoredChannel.self).enumerated() {
            if !table.set(GroupChannel(name: record.name.text, secret: record.secret), at: index) { break }
        }
    }

    static func fileContent(of table: ChannelTable) -> [UInt8] {
        var writer = FieldWriter(reserving: table.count * StoredChannel.size)
        for channel in table.slots {
            var record = StoredChannel(name: channel.name, secret: channel.secret)
            record.walk(&writer)
        }
        return writer.output
    }
}

extension ContactSlots {
    /// Adds a contact from storage; `false` when there is no room.
    mutating func restore(_ contact: Contact) -> Bool {
        let isTransient = contact.type == .none && transients != .refused
        if isTransient, transients == .hidden || isFull {
            guard let index = transientSlot() else { return false }
            self[index] = contact
            return true
        }
        guard case .free(let index) = allocate(overwriting: false) else { return false }
        self[index] = contact
        return true
    }
}
