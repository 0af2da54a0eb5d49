public import FoundationEssentials

/// A channel of a radio: a name and a secret in one of its slots.
///
/// The secret makes the channel. When the slot holds another secret, the old channel is archived with its messages and
/// a new one occupies the slot.
public struct ChannelDTO: Sendable, Hashable, Identifiable {
    /// See `StableIdentifier.channel`.
    public var id: UUID
    /// The radio to which it belongs.
    public var deviceID: UUID
    /// The slot.
    public var index: UInt8
    /// The channel's name.
    public var name: String
    /// The secret of 16 bytes; kept here because the radio delivers it anyway.
    public var secret: Data
    /// The region in which our messages on it are relayed, without its `#`; `nil` for the radio's own scope.
    ///
    /// No slot of a radio has one: it comes from a link or from the user. Saving a known channel leaves it alone.
    public var regionScope: String?
    /// True when the user has the channel switched on.
    public var isEnabled: Bool
    /// No slot of the radio holds it any more.
    public var isArchived: Bool
    /// The date of the last message. The operations on messages keep these two; saving a known channel leaves them
    /// alone.
    @WholeSeconds public var lastMessageDate: Date?
    /// Messages that are not read.
    public var unreadCount: Int

    public init(
        id: UUID? = nil, deviceID: UUID, index: UInt8, name: String, secret: Data,
        regionScope: String? = nil, isEnabled: Bool = true, isArchived: Bool = false, lastMessageDate: Date? = nil,
        unreadCount: Int = 0
    ) {
        self.id = id ?? StableIdentifier.channel(deviceID: deviceID, secret: secret)
        self.deviceID = deviceID
        self.index = index
        self.name = name
        self.secret = secret
        self.regionScope = regionScope
        self.isEnabled = isEnabled
        self.isArchived = isArchived
        self.lastMessageDate = lastMessageDate
        self.unreadCount = unreadCount
    }

    /// The name, or a placeholder for a channel that has a secret only.
    public var displayName: String { name.isEmpty ? "Channel \(index)" : name }
    /// True when a slot with this name and secret is in use.
    public var isConfigured: Bool { !name.isEmpty || secret.contains { $0 != 0 } }
}

extension ChannelDTO: StoredRow {
    static let table = "channel"
    static let columns = walkedColumns()

    init() {
        self.init(id: UUID.none, deviceID: UUID.none, index: 0, name: "", secret: Data())
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("id", &id)
        w.column("deviceID", &deviceID)
        w.column("slot", &index)
        w.column("name", &name)
        w.column("secret", &secret)
        w.column("isEnabled", &isEnabled)
        w.column("isArchived", &isArchived)
        w.column("lastMessageDate", &lastMessageDate)
        w.column("unreadCount", &unreadCount)
        w.column("regionScope", &regionScope)
    }
}
