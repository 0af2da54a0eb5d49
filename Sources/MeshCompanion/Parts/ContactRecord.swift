public import MeshPacket
public import MeshWire

/// The fields of a contact in a frame: the layout shared by CONTACT and NEW_ADVERT.
///
/// Source: CompanionStatements, CMP-084, CMP-220.
public struct ContactRecord: FieldGroup, Hashable {
    /// The key that identifies the contact.
    public var publicKey: FixedBytes<32> = FixedBytes()
    /// The role that the contact's last advert gave; unknown roles are kept.
    public var type = NodeType.chat
    /// Bit 0 favourite, bits 1 to 3 telemetry permissions (base, location, environment).
    public var flags: UInt8 = 0
    /// `unknown`: no path, messages are flooded.
    public var outPathLength = PathLength.unknown
    /// The path; only the first bytes, by `outPathLength`, have a meaning.
    public var outPath: FixedBytes<64> = FixedBytes()
    /// Name of the contact: UTF-8 up to the first NUL.
    public var name: FixedBytes<32> = FixedBytes()
    /// The node's own clock in its last accepted advert.
    public var lastAdvert: UInt32 = 0
    /// Latitude in millionths of a degree, north positive.
    public var latitude: Int32 = 0
    /// Longitude in millionths of a degree, east positive.
    public var longitude: Int32 = 0
    /// The radio's clock at the last change.
    public var lastModified: UInt32 = 0

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("public_key", &publicKey)
        w.raw("type", &type)
        w.u8("flags", &flags, unit: .hex)
        w.raw("out_path_len", &outPathLength)
        w.fixed("out_path", &outPath)
        w.text("name", &name)
        w.u32("last_advert", &lastAdvert, unit: .unixTime)
        w.i32("lat", &latitude, unit: .microdegrees)
        w.i32("lon", &longitude, unit: .microdegrees)
        w.u32("lastmod", &lastModified, unit: .unixTime)
    }
}
