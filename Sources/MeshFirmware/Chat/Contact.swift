public import MeshCrypto
public import MeshPacket
public import MeshWire

/// A node that this one knows: its own data, the path to it, and the app's settings for it.
///
/// Source: `ContactInfo` in the firmware; CompanionStatements, CMP-084.
public struct Contact: Hashable, Sendable {
    /// The key that identifies the node.
    public var publicKey: PublicKey
    /// Stored as given: an app may set 32 bytes without a NUL.
    public var name: FixedBytes<32>
    /// The role that its last advert gave.
    public var type: NodeType
    /// Bit 0 favourite, bits 1 to 3 telemetry permissions; the rest is kept and means nothing.
    public var flags: UInt8
    /// Number and size of the hashes in the path to it; `unknown` when there is none.
    public var outPathLength: PathLength
    /// Bytes behind the path are whatever was stored.
    public var outPath: FixedBytes<64>
    /// Timestamp of the last accepted advert, by the sender's clock.
    public var lastAdvert: UInt32
    /// The time of the last change by this node's clock, or the app's value.
    public var lastModified: UInt32
    /// In microdegrees.
    public var latitude: Int32
    /// Longitude in millionths of a degree, east positive; 0 when it is unknown.
    public var longitude: Int32
    /// Newest post received from a room server.
    public var syncSince: UInt32
    /// The secret shared with this contact, once it was needed.
    var cachedSecret: SharedSecret?

    /// An unused transient slot: everything zero, even the key.
    public init() {
        publicKey = PublicKey()
        name = FixedBytes()
        type = .none
        flags = 0
        outPathLength = .empty
        outPath = FixedBytes()
        lastAdvert = 0
        lastModified = 0
        latitude = 0
        longitude = 0
        syncSince = 0
    }

    /// Protected from being overwritten when the table is full.
    public var isFavourite: Bool { flags & 1 != 0 }

    /// The name as the radio reports it: up to its first NUL, never more than 31 bytes.
    public var displayName: ByteText { name.text.prefix(31) }
}
