import MeshPacket
import MeshWire

/// One contact in `/contacts3`: 152 bytes.
struct StoredContact: FieldGroup {
    static let size = 152

    var contact = Contact()

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        var unused: UInt8 = 0
        w.fixed("pub_key", &contact.publicKey)
        w.fixed("name", &contact.name)
        w.raw("type", &contact.type)
        w.u8("flags", &contact.flags, unit: .hex)
        w.u8("unused", &unused)
        w.u32("sync_since", &contact.syncSince, unit: .unixTime)
        w.raw("out_path_len", &contact.outPathLength)
        w.u32("last_advert", &contact.lastAdvert, unit: .unixTime)
        w.fixed("out_path", &contact.outPath)
        w.u32("lastmod", &contact.lastModified, unit: .unixTime)
        w.i32("lat", &contact.latitude, unit: .microdegrees)
        w.i32("lon", &contact.longitude, unit: .microdegrees)
    }
}

/// One channel in `/channels2`: 68 bytes.
struct StoredChannel: FieldGroup {
    static let size = 68

    var name = FixedBytes<32>()
    var secret = FixedBytes<32>()

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        var unused: UInt32 = 0
        w.u32("unused", &unused)
        w.fixed("name", &name)
        w.fixed("secret", &secret)
    }
}

/// Records of one size, one behind the other; a piece at the end that is no whole record is left out.
func records<Record: FieldGroup>(in bytes: [UInt8], size: Int, as type: Record.Type) -> [Record] {
    bytes.withUnsafeBytes { memory in
        stride(from: 0, to: memory.count / size * size, by: size).compactMap { try? Record(reading: memory, from: $0) }
    }
}
