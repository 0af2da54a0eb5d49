public import FoundationEssentials
public import MeshCompanion
import MeshCore
public import MeshPacket
import MeshWire

/// A node that a radio knows or has heard, with the user's own values.
public struct ContactDTO: Sendable, Hashable, Identifiable {
    /// The route of messages to a contact.
    public enum Routing: Sendable, Hashable {
        /// No path is known: messages are flooded.
        case unknown
        /// A path over this number of relays, each with this number of bytes of its key.
        case path(hashSize: Int, hops: Int)
    }

    /// See `StableIdentifier.contact`.
    public var id: UUID
    /// The radio to which it belongs.
    public var deviceID: UUID
    /// The Ed25519 key, 32 bytes.
    public var publicKey: Data
    /// The name from the node's last advert.
    public var name: String
    /// The node type of the advert; unknown values are kept.
    public var typeRawValue: UInt8
    /// Bit 0 favourite, bits 1 to 3 telemetry permissions; as the radio holds them.
    public var flags: UInt8
    /// The path length byte as the radio holds it; FF for no path.
    public var outPathLengthRaw: UInt8
    /// The path, at most 64 bytes, of which only those have a meaning that the length byte counts.
    public var outPath: Data
    /// The node's own clock in its last advert.
    public var lastAdvertTimestamp: UInt32
    /// The latitude in degrees, north positive; 0 with a longitude of 0 for nowhere.
    public var latitude: Double
    /// The longitude in degrees, east positive.
    public var longitude: Double
    /// The radio's clock at the last change.
    public var lastModified: UInt32
    /// The user's own name for the node; `nil` to show its advertised name.
    public var nickname: String?
    /// True when the user blocks the contact.
    public var isBlocked: Bool
    /// True when the user wants to see the contact first.
    public var isFavorite: Bool
    /// True for a node that was heard and not yet added by the user.
    public var isDiscovered: Bool
    /// `false`: the radio has dropped the contact; history and preferences stay here.
    public var onRadio: Bool
    /// The date of the last message. The operations on messages keep these two; saving a known contact leaves them
    /// alone.
    @WholeSeconds public var lastMessageDate: Date?
    /// Messages that are not read.
    public var unreadCount: Int

    public init(
        id: UUID? = nil, deviceID: UUID, publicKey: Data, name: String, typeRawValue: UInt8 = NodeType.chat.rawValue,
        flags: UInt8 = 0, outPathLengthRaw: UInt8 = PathLength.unknown.rawValue, outPath: Data = Data(),
        lastAdvertTimestamp: UInt32 = 0, latitude: Double = 0, longitude: Double = 0, lastModified: UInt32 = 0,
        nickname: String? = nil, isBlocked: Bool = false, isFavorite: Bool = false, isDiscovered: Bool = false,
        onRadio: Bool = true, lastMessageDate: Date? = nil, unreadCount: Int = 0
    ) {
        self.id = id ?? StableIdentifier.contact(deviceID: deviceID, publicKey: publicKey)
        self.deviceID = deviceID
        self.publicKey = publicKey
        self.name = name
        self.typeRawValue = typeRawValue
        self.flags = flags
        self.outPathLengthRaw = outPathLengthRaw
        self.outPath = outPath
        self.lastAdvertTimestamp = lastAdvertTimestamp
        self.latitude = latitude
        self.longitude = longitude
        self.lastModified = lastModified
        self.nickname = nickname
        self.isBlocked = isBlocked
        self.isFavorite = isFavorite
        self.isDiscovered = isDiscovered
        self.onRadio = onRadio
        self.lastMessageDate = lastMessageDate
        self.unreadCount = unreadCount
    }

    /// Makes a contact from a contact frame of the radio.
    public init(deviceID: UUID, record: ContactRecord) {
        let path = record.outPathLength
        self.init(
            deviceID: deviceID, publicKey: Data(record.publicKey.array),
            name: record.name.text.readable, typeRawValue: record.type.rawValue,
            flags: record.flags, outPathLengthRaw: path.rawValue,
            outPath: Data(record.outPath.prefix(path.bytesThatFollow)), lastAdvertTimestamp: record.lastAdvert,
            latitude: Double(record.latitude) / 1e6, longitude: Double(record.longitude) / 1e6,
            lastModified: record.lastModified, isFavorite: record.flags & 1 != 0)
    }

    /// The nickname if there is one, else the node's own name.
    public var displayName: String {
        if let nickname, !nickname.isEmpty { return nickname }
        return name
    }

    /// The first 6 bytes of the key.
    public var publicKeyPrefix: Data { publicKey.prefix(6) }
    /// The role that its last advert gave.
    public var type: NodeType { NodeType(rawValue: typeRawValue) }

    /// The route of messages to the contact.
    public var routing: Routing {
        let length = PathLength(rawValue: outPathLengthRaw)
        return length.isUnknown ? .unknown : .path(hashSize: length.hashSize, hops: length.hopCount)
    }

    /// The number of hops, -1 for an unknown path.
    public var outPathLength: Int {
        let length = PathLength(rawValue: outPathLengthRaw)
        return length.isUnknown ? -1 : length.hopCount
    }

    /// True when the node has sent its position.
    public var hasLocation: Bool { GeoPoint(stated: latitude, longitude) != nil }
}

extension ContactDTO: StoredRow {
    static let table = "contact"
    static let columns = walkedColumns()

    init() {
        self.init(id: UUID.none, deviceID: UUID.none, publicKey: Data(), name: "")
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("id", &id)
        w.column("deviceID", &deviceID)
        w.column("publicKey", &publicKey)
        w.column("name", &name)
        w.column("typeRaw", &typeRawValue)
        w.column("flags", &flags)
        w.column("outPathLength", &outPathLengthRaw)
        w.column("outPath", &outPath)
        w.column("lastAdvertTimestamp", &lastAdvertTimestamp)
        w.column("latitude", &latitude)
        w.column("longitude", &longitude)
        w.column("lastModified", &lastModified)
        w.column("nickname", &nickname)
        w.column("isBlocked", &isBlocked)
        w.column("isFavorite", &isFavorite)
        w.column("isDiscovered", &isDiscovered)
        w.column("onRadio", &onRadio)
        w.column("lastMessageDate", &lastMessageDate)
        w.column("unreadCount", &unreadCount)
    }
}
