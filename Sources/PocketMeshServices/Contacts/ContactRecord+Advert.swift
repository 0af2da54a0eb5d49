import MeshCompanion
import MeshPacket
import MeshWire

extension ContactRecord {
    /// Makes a contact of a node's advert, as the radio does; `nil` for an advert without a name.
    ///
    /// `lastAdvert` stays 0, so that the radio accepts the node's next advert whatever its clock says.
    init?(_ advert: Advert) {
        guard let data = try? advert.data(), !data.name.isEmpty else { return nil }
        self.init()
        publicKey = advert.publicKey
        type = data.nodeType
        name = FixedBytes(text: data.name.cut(to: CompanionLimits.name - 1))
        latitude = data.location?.latitude ?? 0
        longitude = data.location?.longitude ?? 0
    }
}
