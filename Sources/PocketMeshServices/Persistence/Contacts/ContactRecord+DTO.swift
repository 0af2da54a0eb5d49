import Foundation
public import MeshCompanion
import MeshPacket
import MeshWire

extension ContactRecord {
    /// What is written to a radio to give it this contact.
    public init(_ contact: ContactDTO) {
        self.init()
        publicKey = FixedBytes(contact.publicKey)
        type = contact.type
        flags = contact.isFavorite ? contact.flags | 1 : contact.flags & ~1
        outPathLength = PathLength(rawValue: contact.outPathLengthRaw)
        outPath = FixedBytes(contact.outPath)
        name = FixedBytes(text: ByteText(contact.name))
        lastAdvert = contact.lastAdvertTimestamp
        latitude = Int32(clamping: Int64((contact.latitude * 1e6).rounded()))
        longitude = Int32(clamping: Int64((contact.longitude * 1e6).rounded()))
        lastModified = contact.lastModified
    }
}
