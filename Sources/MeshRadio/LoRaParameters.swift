/// The parameters on which two radios must agree to receive each other, in the units of the companion protocol.
///
/// Values outside the ranges can be held, as a radio must read them in order to refuse them; computations then use the
/// nearest value inside. Source: OverTheAir, "Radio settings"; firmware, `CMD_SET_RADIO_PARAMS`.
public struct LoRaParameters: Hashable, Codable, Sendable {
    /// Carrier frequency in kHz.
    public var frequencyKilohertz: UInt32
    /// Bandwidth in Hz.
    public var bandwidthHertz: UInt32
    /// Bits a symbol carries; each step doubles its length.
    public var spreadingFactor: UInt8
    /// The denominator of the coding rate: 5 stands for 4/5.
    public var codingRate: UInt8

    /// Frequencies that the firmware accepts, in kHz.
    public static let frequencyRange: ClosedRange<UInt32> = 150_000...2_500_000
    /// Bandwidths that the firmware accepts, in Hz.
    public static let bandwidthRange: ClosedRange<UInt32> = 7_000...500_000
    /// Spreading factors that the firmware accepts.
    public static let spreadingFactorRange: ClosedRange<UInt8> = 5...12
    /// Coding rates that the firmware accepts, as the denominator of 4/x.
    public static let codingRateRange: ClosedRange<UInt8> = 5...8

    public init(
        frequencyKilohertz: UInt32 = 869_618, bandwidthHertz: UInt32 = 62_500, spreadingFactor: UInt8 = 8,
        codingRate: UInt8 = 5
    ) {
        self.frequencyKilohertz = frequencyKilohertz
        self.bandwidthHertz = bandwidthHertz
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
    }

    /// True when the firmware accepts every value. The chip's support is another question (`RadioChip`).
    public var isInRange: Bool {
        Self.frequencyRange.contains(frequencyKilohertz) && Self.bandwidthRange.contains(bandwidthHertz)
            && Self.spreadingFactorRange.contains(spreadingFactor) && Self.codingRateRange.contains(codingRate)
    }

    /// The bandwidth in kHz as the 32-bit float with which the firmware computes.
    public var bandwidthKilohertz: Float {
        let hertz = min(max(bandwidthHertz, Self.bandwidthRange.lowerBound), Self.bandwidthRange.upperBound)
        return Float(Double(hertz) / 1000)
    }

    /// Preamble symbols that the radio sends: more where symbols are short (firmware, `preambleLengthForSF`).
    public var preambleSymbols: UInt16 { spreadingFactor <= 8 ? 32 : 16 }

    /// True when symbols of 16 ms and more switch the low-data-rate optimisation on.
    public var isLowDataRate: Bool {
        Float(UInt32(1) << UInt32(usableSpreadingFactor)) / bandwidthKilohertz >= 16
    }

    /// The spreading factor inside its range.
    var usableSpreadingFactor: UInt8 {
        min(max(spreadingFactor, Self.spreadingFactorRange.lowerBound), Self.spreadingFactorRange.upperBound)
    }

    /// The coding rate inside its range.
    var usableCodingRate: UInt8 {
        min(max(codingRate, Self.codingRateRange.lowerBound), Self.codingRateRange.upperBound)
    }
}

extension LoRaParameters {
    /// Returns the time that a frame of `bytes` is on the air, in microseconds; keep an `Airtime` where this is
    /// asked often.
    public func airtimeMicroseconds(bytes: Int) -> Int64 {
        Airtime(self).microseconds(bytes: bytes)
    }

    /// Returns the estimate of a node with this chip for a frame of `bytes`, in whole milliseconds.
    public func airtimeMilliseconds(bytes: Int, chip: RadioChip = .sx126x) -> UInt32 {
        Airtime(self, chip: chip).milliseconds(bytes: bytes)
    }
}
