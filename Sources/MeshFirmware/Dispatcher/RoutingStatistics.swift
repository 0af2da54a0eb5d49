/// The counters of a node's radio traffic, reported to clients and administrators.
///
/// Source: firmware, `Dispatcher` and `RadioLibWrapper`.
struct RoutingStatistics: Hashable, Sendable {
    /// Packets received from the radio, before duplicates are looked for.
    var receivedFlood: UInt32 = 0
    var receivedDirect: UInt32 = 0
    /// Transmissions that ended in time.
    var sentFlood: UInt32 = 0
    var sentDirect: UInt32 = 0
    /// Frames read from the chip, among them those that are no packets or found the pool empty.
    var framesReceived: UInt32 = 0
    var framesSent: UInt32 = 0
    /// Frames whose checksum was wrong.
    var receiveErrors: UInt32 = 0
    /// Time spent sending, as measured, in milliseconds; never reset.
    var airtime: UInt32 = 0
    /// Estimated length of all accepted packets, in milliseconds; never reset.
    var receiveAirtime: UInt32 = 0

    /// Clears the counters that "clear stats" clears.
    mutating func reset() {
        self = RoutingStatistics(airtime: airtime, receiveAirtime: receiveAirtime)
    }
}

/// The errors since boot or the last reset, as the 16 bits that statistics report.
///
/// Source: OverTheAir, "Error flags".
struct ErrorFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// `ERR_EVENT_FULL`: no free packet when something was to be sent.
    static let poolEmpty = ErrorFlags(rawValue: 1)
    /// `ERR_EVENT_CAD_TIMEOUT`: the channel was busy for more than four seconds.
    static let channelBusy = ErrorFlags(rawValue: 2)
    /// `ERR_EVENT_STARTRX_TIMEOUT`: the radio was out of receive mode for more than eight seconds.
    static let radioStuck = ErrorFlags(rawValue: 4)
}
