public import FoundationEssentials
import MeshCompanion
public import MeshCore
import MeshPacket
import MeshWire

// Passing contacts on.
extension ContactService {
    /// Sends a contact's advert to the nodes in reach.
    public func shareContact(publicKey: Data) async throws {
        let key = try publicKey.publicKeyBytes()
        try await inTerms(of: .contacts) { try await session.shareContact(key) }
    }

    /// The card of a contact, or our own without a key: its advert packet, signed by the node.
    public func exportContact(publicKey: Data? = nil) async throws -> ContactCard {
        let key = try publicKey?.publicKeyBytes()
        return try await inTerms(of: .contacts) { try await session.exportContact(key) }
    }

    /// The link of a contact, or of our own node without a key.
    public func exportContactURI(deviceID: UUID, publicKey: Data? = nil) async throws -> String {
        guard let publicKey else {
            guard let own = await session.currentSelfInfo else { throw StackError(.contacts, .notConnected) }
            return "\(ContactLink(name: own.name.readable, publicKey: Data(own.publicKey.array)))"
        }
        guard let contact = try await getContact(deviceID: deviceID, publicKey: publicKey) else {
            throw StackError(.contacts, .contactNotFound)
        }
        return "\(ContactLink(name: contact.name, publicKey: contact.publicKey, type: contact.typeRawValue))"
    }

    /// Sends an advert packet to the radio, which handles it as if it had been heard.
    ///
    /// A packet that is no advert, or has a wrong signature, is not sent: the radio would accept it and report nothing.
    /// The radio checks the time of the advert afterwards. It reports by a push when it has made a contact of it.
    public func importContact(cardData: Data) async throws {
        _ = try Self.advert([UInt8](cardData))
        try await inTerms(of: .contacts) {
            try await session.importContact(ContactCard(packet: [UInt8](cardData)))
        }
    }

    /// The advert of a card. Throws `invalidContactLink` for a packet that is none, or is not signed by its node.
    private static func advert(_ packet: [UInt8]) throws(StackError) -> Advert {
        guard let advert = ContactCard(packet: packet).advert, advert.isSignatureValid else {
            throw StackError(.contacts, .invalidContactLink)
        }
        return advert
    }

    /// Sends a card to the radio, and returns the contact that the radio made of it.
    ///
    /// A radio whose rules exclude the node, or that adds none by itself, is told to add it: the user wants it.
    private func importCard(_ packet: [UInt8], deviceID: UUID) async throws -> ContactDTO? {
        let advert = try Self.advert(packet)
        try await importContact(cardData: Data(packet))
        for pause in profile.contacts.cardPauses {
            try await dependencies.clock.sleep(for: pause)
            if let record = try await recordOnRadio(advert.publicKey) {
                return try await imported(record, deviceID)
            }
        }
        guard let record = ContactRecord(advert) else { throw StackError(.contacts, .invalidContactLink) }
        try await inTerms(of: .contacts) { try await session.updateContact(record) }
        return try await imported(record, deviceID)
    }

    /// Stores a contact that the radio has.
    private func imported(_ record: ContactRecord, _ deviceID: UUID) async throws -> ContactDTO? {
        let id = try await inTerms(of: .contacts) { try await store.saveContact(deviceID: deviceID, from: record) }
        await changed(deviceID)
        return try await getContactByID(id)
    }

    /// Imports the contact of a link or of a card, and returns it as the radio has it.
    ///
    /// A contact that the radio has already receives name and type, and keeps its flags and its path.
    @discardableResult
    public func importContact(uri: String, deviceID: UUID) async throws -> ContactDTO? {
        guard let link = ContactLink(uri) else {
            guard let card = ContactCard(uri) else { throw StackError(.contacts, .invalidContactLink) }
            return try await importCard(card.packet, deviceID: deviceID)
        }
        let key = try link.publicKey.publicKeyBytes()
        var record = try await recordOnRadio(key) ?? ContactRecord()
        record.publicKey = key
        record.type = NodeType(rawValue: link.type)
        record.name = FixedBytes(text: ByteText(link.name).cut(to: CompanionLimits.name - 1))
        let written = record
        try await inTerms(of: .contacts) { try await session.updateContact(written) }
        return try await imported(written, deviceID)
    }
}
