public import FoundationEssentials

/// A packet with a text that the radio heard: one for this radio, or one of a channel.
public struct HeardPacketDTO: Sendable, Hashable {
    /// The radio that heard it.
    public var deviceID: UUID
    /// The time of the host's clock.
    @WholeSeconds public var heardAt: Date
    /// In quarter decibels.
    public var snr: Int8
    /// In dBm.
    public var rssi: Int8
    /// The packet as it was on the air.
    public var packet: Data

    public init(deviceID: UUID, heardAt: Date, snr: Int8, rssi: Int8, packet: Data) {
        self.deviceID = deviceID
        self.heardAt = heardAt
        self.snr = snr
        self.rssi = rssi
        self.packet = packet
    }
}

extension HeardPacketDTO: StoredRow {
    static let table = "heardPacket"
    static let columns = walkedColumns()

    init() {
        self.init(deviceID: .none, heardAt: Date(timeIntervalSince1970: 0), snr: 0, rssi: 0, packet: Data())
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("deviceID", &deviceID)
        w.column("heardAt", &heardAt)
        w.column("snr", &snr)
        w.column("rssi", &rssi)
        w.column("packet", &packet)
    }
}
