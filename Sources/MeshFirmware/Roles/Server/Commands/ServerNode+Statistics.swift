// What the console tells of the node's counters, as JSON. Source: InfrastructureNodes, "Commands"; firmware,
// `StatsFormatHelper`.
extension ServerNode {
    func coreStatisticsText() -> String {
        let battery = server.environment.batteryMillivolts(at: core.now)
        return #"{"battery_mv":\#(battery),"uptime_secs":\#(core.millis.count / 1000),"#
            + #""errors":\#(core.errorFlags.rawValue),"queue_len":\#(core.queuedToSend)}"#
    }

    func radioStatisticsText() -> String {
        let counters = core.statistics
        return #"{"noise_floor":\#(core.noiseFloor),"last_rssi":\#(core.lastSignal.rssiHundredths / 100),"#
            + #""last_snr":\#(Self.hundredths(ofQuarters: Int(core.lastSignal.snrQuarters))),"#
            + #""tx_air_secs":\#(counters.airtime / 1000),"rx_air_secs":\#(counters.receiveAirtime / 1000)}"#
    }

    func packetStatisticsText() -> String {
        let counters = core.statistics
        return #"{"recv":\#(counters.framesReceived),"sent":\#(counters.framesSent),"#
            + #""flood_tx":\#(counters.sentFlood),"direct_tx":\#(counters.sentDirect),"#
            + #""flood_rx":\#(counters.receivedFlood),"direct_rx":\#(counters.receivedDirect),"#
            + #""recv_errors":\#(counters.receiveErrors)}"#
    }

    /// A number of quarters with two digits behind the point: chips measure no finer.
    private static func hundredths(ofQuarters quarters: Int) -> String {
        let size = quarters.magnitude
        return "\(quarters < 0 ? "-" : "")\(size / 4).\(["00", "25", "50", "75"][Int(size % 4)])"
    }
}
