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
        guard Self.isAdvert([UInt8](cardData)) else { throw StackError(.contacts, .invalidContactLink) }
        try await inTerms(of: .contacts) {
            try await session.importContact(ContactCard(packet: [UInt8](cardData)))
        }
    }

    private static func isAdvert(_ packet: [UInt8]) -> Bool {
        guard let view = try? PacketView(packet), view.type == .advert else { return false }
        let advert = view.withPayload { try? Advert(reading: $0) }
        return advert?.isSignatureValid == true
    }

    /// Imports a contact from a link, or sends the card in one to the radio; returns the contact if the link describes
    /// it.
    ///
    /// A contact that the radio has already receives name and type, and keeps its flags and its path.
    @discardableResult
    public func importContact(uri: String, deviceID: UUID) async throws -> ContactDTO? {
        guard let link = ContactLink(uri) else {
            guard let card = ContactCard(uri) else { throw StackError(.contacts, .invalidContactLink) }
            try await importContact(cardData: Data(card.packet))
            return nil
        }
        let key = try link.publicKey.publicKeyBytes()
        var record = try await recordOnRadio(key) ?? ContactRecord()
        record.publicKey = key
        record.type = NodeType(rawValue: link.type)
        record.name = FixedBytes(text: ByteText(link.name).cut(to: CompanionLimits.name - 1))
        let written = record
        let id = try await inTerms(of: .contacts) {
            try await session.updateContact(written)
            return try await store.saveContact(deviceID: deviceID, from: written)
        }
        await changed(deviceID)
        return try await getContactByID(id)
    }
}
