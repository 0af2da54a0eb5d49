import FoundationEssentials
public import MeshCompanion
import MeshCore
import MeshPacket
package import MeshWire

extension ContactRecord {
    /// Makes the contact in the form that the radio receives.
    ///
    /// The favourite mark is the row's own; the other flags are the radio's. `lastAdvert` stays 0: the radio ignores
    /// adverts that are not newer, and the time in a row may be the host's.
    public init(_ contact: ContactDTO) {
        self.init()
        publicKey = FixedBytes(contact.publicKey)
        type = contact.type
        flags = contact.flags & ~1 | (contact.isFavorite ? 1 : 0)
        outPathLength = PathLength(rawValue: contact.outPathLengthRaw)
        outPath = FixedBytes(contact.outPath)
        name = FixedBytes(text: ByteText(contact.name).cut(to: CompanionLimits.name - 1))
        // Coordinates that are no place would make one of their nearest: the pole.
        (latitude, longitude) = GeoPoint(stated: contact.latitude, contact.longitude)?.microdegrees ?? (0, 0)
        lastModified = contact.lastModified
    }
}

extension Data {
    /// A whole public key. Throws `invalidKey` for anything else.
    package func publicKeyBytes() throws(StackError) -> FixedBytes<32> {
        guard count == CompanionLimits.publicKey else { throw StackError(.contacts, .invalidKey(count: count)) }
        return FixedBytes(self)
    }
}
