public import MeshCompanion
public import MeshTime

extension RecordingEntry {
    /// The LoRa packet that a frame reports as received (LOG_RX_DATA), as the line behind the frame's own.
    ///
    /// Returns `nil` for every other frame, also for one that is cut short.
    public init?(loggedBy frame: [UInt8], _ direction: FrameDirection, at time: TimeSpan) {
        guard direction == .toApp, frame.first == Push.LogRxData.codeByte,
            let log = try? Push.LogRxData(decoding: frame), !log.raw.isEmpty
        else { return nil }
        let signal = Signal(snrQuarterDecibels: log.snr, rssi: log.rssi)
        self.init(time, .air, .packet(.heard, log.raw, signal: signal))
    }
}
