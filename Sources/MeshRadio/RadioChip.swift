import MeshWire

/// The radio chips of the boards, as far as they make nodes behave differently.
///
/// Source: the chip wrappers of the firmware and the driver RadioLib that it pins.
public enum RadioChip: String, Hashable, Codable, Sendable, CaseIterable {
    /// SX1261, SX1262, SX1268 and the radio of the STM32WL; nearly every current board.
    case sx126x
    /// A smaller SX1262 with few bandwidths and spreading factors.
    case llcc68
    /// SX1276 and its relatives of the previous generation.
    case sx127x
    case lr1110
    case lr2021

    /// The least airtime estimate the wrapper gives, whatever the length; it lengthens every delay computed from it.
    public var shortestAirtimeMilliseconds: UInt32 { self == .lr1110 ? 200 : 0 }

    /// The spreading factor whose SNR limit scores packets: two wrappers never learnt the configured one.
    public func scoringSpreadingFactor(configured: UInt8) -> UInt8 {
        switch self {
        case .sx126x, .llcc68, .sx127x: configured
        case .lr1110, .lr2021: 10
        }
    }

    /// The bandwidths, in Hz as they are written, that the driver can set within the firmware's range.
    public var bandwidthsHertz: [UInt32] {
        switch self {
        case .sx126x, .sx127x:
            [7_800, 10_400, 15_600, 20_800, 31_250, 41_700, 62_500, 125_000, 250_000, 500_000]
        case .llcc68: [125_000, 250_000, 500_000]
        case .lr1110: [62_500, 125_000, 250_000, 500_000]
        case .lr2021:
            [31_250, 41_700, 62_500, 83_330, 101_562, 125_000, 203_125, 250_000, 406_250, 500_000]
        }
    }

    /// The bandwidth the chip is really set to when asked for `requested`, or `nil` when the driver refuses it.
    ///
    /// The firmware accepts any value in its range and ignores the driver's answer: after a refusal the chip stays
    /// as it was. All drivers but the SX127x's compare whole multiples of 2 kHz, so that 7,000 Hz sets 7.8 kHz.
    public func appliedBandwidthHertz(for requested: UInt32) -> UInt32? {
        let kilohertz = Float(Double(requested) / 1000)
        switch self {
        case .sx127x:
            return bandwidthsHertz.first { abs(kilohertz - Float(Double($0) / 1000)) <= 0.001 }
        case .sx126x, .lr1110, .lr2021:
            guard kilohertz <= 510 else { return nil }
            return bandwidthsHertz.first { Self.step(Float(Double($0) / 1000)) == Self.step(kilohertz) }
        case .llcc68:
            return kilohertz < 100 ? nil : RadioChip.sx126x.appliedBandwidthHertz(for: requested)
        }
    }

    /// Returns the number by which the drivers compare bandwidths: half the kHz, truncated after a small addition.
    private static func step(_ kilohertz: Float) -> Int { Int(wholePart: kilohertz / 2 + 0.01) }

    /// Returns whether the driver sets this carrier frequency; the firmware's own range is wider than any chip's.
    ///
    /// After a refusal the chip stays on the frequency that it had, as with bandwidths.
    public func supports(frequencyKilohertz frequency: UInt32) -> Bool {
        switch self {
        case .sx126x, .llcc68, .lr1110: 150_000...960_000 ~= frequency
        case .sx127x: 137_000...1_020_000 ~= frequency
        case .lr2021:
            150_000...960_000 ~= frequency || 1_900_000...2_200_000 ~= frequency || 2_400_000...2_500_000 ~= frequency
        }
    }

    /// Returns whether the driver sets this transmit power in dBm; after a refusal the chip keeps the one that it
    /// had.
    ///
    /// Source: RadioLib, `checkOutputPower` of the chips' classes.
    public func supports(txPower power: Int8) -> Bool {
        switch self {
        case .sx126x, .llcc68, .lr2021: -9...22 ~= power
        case .sx127x: 2...17 ~= power || power == 20
        case .lr1110: -17...22 ~= power
        }
    }

    /// Returns whether the driver sets this spreading factor; the LLCC68's limit depends on the bandwidth it is set
    /// to.
    public func supports(spreadingFactor: UInt8, bandwidthHertz: UInt32) -> Bool {
        switch self {
        case .sx126x, .lr1110, .lr2021: return (5...12).contains(spreadingFactor)
        case .sx127x: return (6...12).contains(spreadingFactor)
        case .llcc68:
            switch bandwidthHertz {
            case 125_000: return (5...9).contains(spreadingFactor)
            case 250_000: return (5...10).contains(spreadingFactor)
            case 500_000: return (5...11).contains(spreadingFactor)
            default: return false
            }
        }
    }

    /// The settings that the chip works with when it is given these one by one: each that it refuses stays as it was.
    ///
    /// The coding rate is accepted whatever it is.
    package func applying(
        frequencyKilohertz: UInt32, bandwidthHertz: UInt32, spreadingFactor: UInt8, codingRate: UInt8,
        to parameters: LoRaParameters
    ) -> LoRaParameters {
        var applied = parameters
        if supports(frequencyKilohertz: frequencyKilohertz) { applied.frequencyKilohertz = frequencyKilohertz }
        // The spreading factor comes before the bandwidth, so that the LLCC68 judges it by the old one.
        if supports(spreadingFactor: spreadingFactor, bandwidthHertz: applied.bandwidthHertz) {
            applied.spreadingFactor = spreadingFactor
        }
        applied.bandwidthHertz = appliedBandwidthHertz(for: bandwidthHertz) ?? applied.bandwidthHertz
        applied.codingRate = codingRate
        return applied
    }
}
