import MeshFirmware

/// The rules by which a modem reports a signal that it receives: the report is not the signal itself.
public struct SignalReport: Hashable, Sendable {
    /// The SNR that the report comes near to however strong the signal is, in 1/100 dB; `nil` for no such bend.
    ///
    /// Noise of the receiver that grows with the signal adds to the noise of the air.
    public var saturationHundredths: Int?
    /// Standard deviation of the reported SNR, in 1/100 dB.
    public var deviationHundredths = 0
    /// No SNR above it is ever reported, in 1/100 dB.
    public var ceilingHundredths = Int(Int16.max)
    /// True when the reported RSSI is that of signal and noise together, as SX126x chips report it: no less than
    /// the noise.
    public var includesNoise = false

    /// Reports signals as they are.
    public init() {}

    /// The report that receptions of the field show: a bend at 12 dB and nothing above 13.75 dB.
    ///
    /// At RSSIs from -120 to -80 dBm, radios of the Mesh Utility community reported median SNRs of -1.75 to 11.75
    /// dB. They reported 13.75 dB at most, as did observers of a network in California.
    public static let field: SignalReport = {
        var report = SignalReport()
        report.saturationHundredths = 1200
        report.deviationHundredths = 50
        report.ceilingHundredths = 1375
        report.includesNoise = true
        return report
    }()

    var isOn: Bool { self != SignalReport() }

    /// Returns the report on a signal.
    ///
    /// - Parameter draw: random bits.
    func reported(_ signal: Signal, draw: UInt64) -> Signal {
        var snr = Int(signal.snrHundredths)
        var rssi = Int(signal.rssiHundredths)
        let noise = rssi - snr
        if let saturationHundredths {
            let floor = LinearPower.milliwatts(-snr) + LinearPower.milliwatts(-saturationHundredths)
            snr = -Decibels.hundredths(10 * Decibels.log10(floor))
        }
        if includesNoise {
            let sum = LinearPower.milliwatts(rssi) + LinearPower.milliwatts(noise)
            rssi = Decibels.hundredths(10 * Decibels.log10(sum))
        }
        if deviationHundredths != 0 {
            let normal = PairKey(draw, 0, 0).normal(0)
            snr += normal * deviationHundredths / PairKey.normalUnit
        }
        // Chips count SNR in quarters of a decibel, and RSSI in halves up to 0 dBm.
        let quarters = (min(snr, ceilingHundredths) / 25) * 25
        let halves = min(0, rssi) / 50 * 50
        return Signal(snrHundredths: Int16(clamping: quarters), rssiHundredths: Int16(clamping: halves))
    }
}
