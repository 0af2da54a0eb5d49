public import MeshWire

/// The common beginning of every server's status: battery, queue, radio and counters.
///
/// Source: InfrastructureNodes, "Requests" and "Counters"; firmware, `RepeaterStats`, `ServerStats`.
public struct ServerStatus: FieldGroup, Hashable {
    /// Battery voltage, in millivolts.
    public var batteryMillivolts: UInt16 = 0
    /// Packets that wait to be sent, due or not.
    public var queueLength: UInt16 = 0
    /// In dBm.
    public var noiseFloor: Int16 = 0
    /// Of the last packet received, in dBm.
    public var lastRSSI: Int16 = 0
    /// Packets received since boot.
    public var packetsReceived: UInt32 = 0
    /// Packets sent since boot.
    public var packetsSent: UInt32 = 0
    /// In seconds.
    public var airtime: UInt32 = 0
    /// In seconds.
    public var uptime: UInt32 = 0
    /// Packets sent by flood since boot.
    public var sentFlood: UInt32 = 0
    /// Packets sent direct since boot.
    public var sentDirect: UInt32 = 0
    /// Packets received since boot that travelled by flood.
    public var receivedFlood: UInt32 = 0
    /// Packets received since boot that travelled direct.
    public var receivedDirect: UInt32 = 0
    /// Bit 0: no packet was free; bit 1: the channel stayed busy; bit 2: the radio did not receive.
    public var errorFlags: UInt16 = 0
    /// Of the last packet received, in quarter decibels.
    public var lastSNR: Int16 = 0
    /// Direct packets received again after they were seen, since boot.
    public var directDuplicates: UInt16 = 0
    /// Flooded packets received again after they were seen, since boot.
    public var floodDuplicates: UInt16 = 0

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u16("batt_milli_volts", &batteryMillivolts, unit: .millivolts)
        w.u16("curr_tx_queue_len", &queueLength)
        w.i16("noise_floor", &noiseFloor, unit: .decibelMilliwatts)
        w.i16("last_rssi", &lastRSSI, unit: .decibelMilliwatts)
        w.u32("n_packets_recv", &packetsReceived)
        w.u32("n_packets_sent", &packetsSent)
        w.u32("total_air_time_secs", &airtime, unit: .seconds)
        w.u32("total_up_time_secs", &uptime, unit: .seconds)
        w.u32("n_sent_flood", &sentFlood)
        w.u32("n_sent_direct", &sentDirect)
        w.u32("n_recv_flood", &receivedFlood)
        w.u32("n_recv_direct", &receivedDirect)
        w.u16("err_events", &errorFlags, unit: .hex)
        w.i16("last_snr", &lastSNR, unit: .quarterDecibels)
        w.u16("n_direct_dups", &directDuplicates)
        w.u16("n_flood_dups", &floodDuplicates)
    }
}

/// The answer of a repeater to a status request, behind the request's time stamp.
public struct RepeaterStatus: FieldGroup, Hashable {
    /// The common beginning of every server's status.
    public var server = ServerStatus()
    /// In seconds.
    public var receiveAirtime: UInt32 = 0
    /// Packets received with an error since boot.
    public var receiveErrors: UInt32 = 0

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        server.walk(&w)
        w.u32("total_rx_air_time_secs", &receiveAirtime, unit: .seconds)
        w.u32("n_recv_errors", &receiveErrors)
    }
}

/// The answer of a room server to a status request, behind the request's time stamp.
public struct RoomStatus: FieldGroup, Hashable {
    /// The common beginning of every server's status.
    public var server = ServerStatus()
    /// Posts stored since boot.
    public var posts: UInt16 = 0
    /// Posts sent to members since boot, with repetitions.
    public var pushes: UInt16 = 0

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        server.walk(&w)
        w.u16("n_posted", &posts)
        w.u16("n_post_push", &pushes)
    }
}
