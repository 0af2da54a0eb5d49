import FoundationEssentials
public import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

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
        latitude = Self.microdegrees(contact.latitude, limit: 90)
        longitude = Self.microdegrees(contact.longitude, limit: 180)
        lastModified = contact.lastModified
    }

    private static func microdegrees(_ degrees: Double, limit: Double) -> Int32 {
        guard degrees.isFinite else { return 0 }
        return Int32(nearest: min(max(degrees, -limit), limit) * 1e6)
    }
}

extension Data {
    /// A whole public key. Throws `invalidKey` for anything else.
    package func publicKeyBytes() throws(StackError) -> FixedBytes<32> {
        guard count == CompanionLimits.publicKey else { throw StackError(.contacts, .invalidKey(count: count)) }
        return FixedBytes(self)
    }
}
