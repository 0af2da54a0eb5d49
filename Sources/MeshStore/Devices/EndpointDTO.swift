public import FoundationEssentials

/// One way to reach a radio: a Bluetooth address, a serial path, a host and port, a simulator's name.
public struct EndpointDTO: Sendable, Hashable, Identifiable {
    /// `ble`, `serial`, `tcp` or the scheme of another transport.
    public var kind: String
    /// The address, without its kind.
    public var address: String
    /// The radio at the address; `nil` until the radio has introduced itself.
    public var deviceID: UUID?
    /// The name to show where several addresses are offered.
    public var displayName: String
    /// The date at which a connection over it was last ready.
    @WholeSeconds public var lastUsed: Date
    /// True when the system holds a pairing with this address.
    public var bonded: Bool

    public var id: String { "\(kind):\(address)" }

    public init(
        kind: String, address: String, deviceID: UUID? = nil, displayName: String = "", lastUsed: Date,
        bonded: Bool = false
    ) {
        self.kind = kind
        self.address = address
        self.deviceID = deviceID
        self.displayName = displayName
        self.lastUsed = lastUsed
        self.bonded = bonded
    }
}

extension EndpointDTO: StoredRow {
    static let table = "endpoint"
    static let columns = walkedColumns()

    init() {
        self.init(kind: "", address: "", lastUsed: Date(timeIntervalSince1970: 0))
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("kind", &kind)
        w.column("address", &address)
        w.column("deviceID", &deviceID)
        w.column("displayName", &displayName)
        w.column("lastUsed", &lastUsed)
        w.column("bonded", &bonded)
    }
}
