public import FoundationEssentials

/// The role of a remote node for its users. The raw values are those of the adverts.
public enum RemoteNodeRole: UInt8, Sendable, Hashable {
    case repeater = 2
    case roomServer = 3
    case sensor = 4
}

/// The rights that a login grants.
public enum RoomPermissionLevel: UInt8, Sendable, Hashable, Comparable {
    case guest = 0
    case readWrite = 1
    case admin = 2

    public static func < (a: RoomPermissionLevel, b: RoomPermissionLevel) -> Bool { a.rawValue < b.rawValue }
}

extension RemoteNodeRole: ColumnValue {}
extension RoomPermissionLevel: ColumnValue {}

/// A session with a room server, a repeater or a sensor. Its password is elsewhere: see `CredentialStore`.
public struct RemoteNodeSessionDTO: Sendable, Hashable, Identifiable {
    /// See `StableIdentifier.session`.
    public var id: UUID
    /// The companion radio by which the node is reached.
    public var deviceID: UUID
    /// The node's Ed25519 key, 32 bytes.
    public var publicKey: Data
    /// The name of the node.
    public var name: String
    /// The role of the node.
    public var role: RemoteNodeRole
    /// The latitude in degrees, north positive; 0 with a longitude of 0 for nowhere.
    public var latitude: Double
    /// The longitude in degrees, east positive.
    public var longitude: Double
    /// True when the node has accepted our login and the session stands.
    public var isConnected: Bool
    /// The rights that the node grants.
    public var permissionLevel: RoomPermissionLevel
    /// The date of the last login that was accepted; `nil` for never.
    @WholeSeconds public var lastConnectedDate: Date?
    /// Battery voltage of its last status, in millivolts.
    public var lastBatteryMillivolts: UInt16?
    /// Uptime of its last status, in seconds.
    public var lastUptimeSeconds: UInt32?
    /// The noise floor in dBm.
    public var lastNoiseFloor: Int16?
    /// The number of unread posts. The operations on room messages keep it; saving a known session leaves it alone.
    public var unreadCount: Int
    /// Time spent receiving in its last status, in seconds.
    public var lastRxAirtimeSeconds: UInt32?
    /// The number of neighbours in its last report.
    public var neighborCount: Int
    /// The largest server time of a post of others; it never goes back.
    public var lastSyncTimestamp: UInt32
    /// The number of posts that the room has and we have not; `nil` where it has not reported it.
    ///
    /// Posts that came since its report are subtracted. The operations on room messages count it, as the two above.
    public var unsyncedCount: Int?

    public init(
        id: UUID? = nil, deviceID: UUID, publicKey: Data, name: String, role: RemoteNodeRole, latitude: Double = 0,
        longitude: Double = 0, isConnected: Bool = false, permissionLevel: RoomPermissionLevel = .guest,
        lastConnectedDate: Date? = nil, lastBatteryMillivolts: UInt16? = nil, lastUptimeSeconds: UInt32? = nil,
        lastNoiseFloor: Int16? = nil, unreadCount: Int = 0, lastRxAirtimeSeconds: UInt32? = nil,
        neighborCount: Int = 0, lastSyncTimestamp: UInt32 = 0, unsyncedCount: Int? = nil
    ) {
        self.id = id ?? StableIdentifier.session(deviceID: deviceID, publicKey: publicKey)
        self.deviceID = deviceID
        self.publicKey = publicKey
        self.name = name
        self.role = role
        self.latitude = latitude
        self.longitude = longitude
        self.isConnected = isConnected
        self.permissionLevel = permissionLevel
        self.lastConnectedDate = lastConnectedDate
        self.lastBatteryMillivolts = lastBatteryMillivolts
        self.lastUptimeSeconds = lastUptimeSeconds
        self.lastNoiseFloor = lastNoiseFloor
        self.unreadCount = unreadCount
        self.lastRxAirtimeSeconds = lastRxAirtimeSeconds
        self.neighborCount = neighborCount
        self.lastSyncTimestamp = lastSyncTimestamp
        self.unsyncedCount = unsyncedCount
    }

    /// The first 6 bytes of the key.
    public var publicKeyPrefix: Data { publicKey.prefix(6) }
    /// True when the node is a room server.
    public var isRoom: Bool { role == .roomServer }
    /// True when the node is a repeater.
    public var isRepeater: Bool { role == .repeater }
    /// True when we may write into the room.
    public var canPost: Bool { isRoom && permissionLevel >= .readWrite }
    /// True when the node grants all rights.
    public var isAdmin: Bool { permissionLevel == .admin }
}

extension RemoteNodeSessionDTO: StoredRow {
    static let table = "remoteNodeSession"
    static let columns = walkedColumns()

    init() {
        self.init(id: UUID.none, deviceID: UUID.none, publicKey: Data(), name: "", role: .repeater)
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("id", &id)
        w.column("deviceID", &deviceID)
        w.column("publicKey", &publicKey)
        w.column("name", &name)
        w.column("role", &role)
        w.column("latitude", &latitude)
        w.column("longitude", &longitude)
        w.column("isConnected", &isConnected)
        w.column("permissionLevel", &permissionLevel)
        w.column("lastConnectedDate", &lastConnectedDate)
        w.column("lastBatteryMillivolts", &lastBatteryMillivolts)
        w.column("lastUptimeSeconds", &lastUptimeSeconds)
        w.column("lastNoiseFloor", &lastNoiseFloor)
        w.column("unreadCount", &unreadCount)
        w.column("lastRxAirtimeSeconds", &lastRxAirtimeSeconds)
        w.column("neighborCount", &neighborCount)
        w.column("lastSyncTimestamp", &lastSyncTimestamp)
        w.column("unsyncedCount", &unsyncedCount)
    }
}
