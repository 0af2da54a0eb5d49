import MeshWire

/// The duration of frames with one set of parameters, prepared so that each question is a few integer operations.
///
/// Microseconds are those of the air; milliseconds are the estimate of the node's driver, from which the firmware makes
/// its delays and time-outs. Source: OverTheAir, "Airtime" and "Listen before talk".
public struct Airtime: Hashable, Sendable {
    /// The largest frame (`MAX_TRANS_UNIT`).
    public static let longestFrame = 255

    /// The parameters that both ends have agreed on.
    public let parameters: LoRaParameters
    /// The radio chip, whose rounding of symbols decides.
    public let chip: RadioChip
    /// The length of one symbol, truncated to microseconds as the driver does.
    public let symbolMicroseconds: Int64

    /// Quarter symbols before the payload: preamble, sync word, start delimiter and header.
    private let leadQuarters: Int64
    /// The bits that header, checksum and spreading factor add to those of the frame.
    private let extraBits: Int64
    /// Bits that a block of coded symbols carries.
    private let blockBits: Int64
    private let codingRate: Int64

    /// Symbols in the preamble.
    public let preambleSymbols: UInt16

    /// `preambleSymbols` is the number that the firmware derives from the spreading factor when not given.
    public init(_ parameters: LoRaParameters, chip: RadioChip = .sx126x, preambleSymbols: UInt16? = nil) {
        self.preambleSymbols = preambleSymbols ?? parameters.preambleSymbols
        self.parameters = parameters
        self.chip = chip
        let spreadingFactor = Int64(parameters.usableSpreadingFactor)
        let isShort = spreadingFactor <= 6
        // The driver divides in 32-bit floating point.
        symbolMicroseconds = Int64(
            wholePart: Float(10_000 << spreadingFactor) / (parameters.bandwidthKilohertz * 10))
        leadQuarters = 4 * (Int64(self.preambleSymbols) + 8) + (isShort ? 25 : 17)
        // 16 bits of checksum and 20 of header.
        extraBits = 16 + 20 - 4 * spreadingFactor + (isShort ? 0 : 8)
        blockBits = 4 * (parameters.isLowDataRate ? spreadingFactor - 2 : spreadingFactor)
        codingRate = Int64(parameters.usableCodingRate)
    }

    /// Returns the time that a frame of `bytes` is on the air, in microseconds.
    public func microseconds(bytes: Int) -> Int64 {
        symbolMicroseconds * (leadQuarters + 4 * payloadBlocks(bytes) * codingRate) / 4
    }

    /// Returns the node's own estimate for a frame of `bytes`, in milliseconds (firmware, `getEstAirtimeFor`).
    public func milliseconds(bytes: Int) -> UInt32 {
        switch chip {
        case .sx127x: sx127xMilliseconds(bytes: bytes)
        case .sx126x, .llcc68, .lr1110, .lr2021:
            max(UInt32(clamping: microseconds(bytes: bytes) / 1000), chip.shortestAirtimeMilliseconds)
        }
    }

    private func payloadBlocks(_ bytes: Int) -> Int64 {
        let bits = max(0, 8 * Int64(min(max(bytes, 0), Self.longestFrame)) + extraBits)
        // Short divisions are faster, and everything here is a few thousand at most.
        return Int64(UInt32(truncatingIfNeeded: bits + blockBits - 1) / UInt32(truncatingIfNeeded: blockBits))
    }

    /// The SX127x's driver knows no special case for short symbols, and rounds up to whole milliseconds.
    private func sx127xMilliseconds(bytes: Int) -> UInt32 {
        let spreadingFactor = Int64(parameters.usableSpreadingFactor)
        let bits = max(0, 8 * Int64(min(max(bytes, 0), Self.longestFrame)) - 4 * spreadingFactor + 28 + 16)
        let blocks = (bits + blockBits - 1) / blockBits
        let symbols = Double(Int64(preambleSymbols) + 8 + blocks * codingRate) + 4.25
        let symbol = Float(UInt32(1) << UInt32(spreadingFactor)) / parameters.bandwidthKilohertz
        let milliseconds = Double(symbol) * symbols
        let whole = UInt32(wholePart: milliseconds)
        return Double(whole) < milliseconds && whole < .max ? whole + 1 : whole
    }
}

extension Airtime {
    /// From the first symbol to the end of the header.
    public var preambleMicroseconds: Int64 { symbolMicroseconds * leadQuarters / 4 }

    /// The rest of the longest frame, at the slowest coding rate that a sender may have chosen.
    public var payloadMicroseconds: Int64 {
        let payload = microseconds(bytes: Self.longestFrame) - preambleMicroseconds
        return codingRate < 8 ? payload * 8 / codingRate : payload
    }

    /// The time that a detected preamble keeps the channel busy while no valid header follows.
    public var preambleDeadlineMilliseconds: UInt32 { UInt32(clamping: (preambleMicroseconds + 999) / 1000) }

    /// The time that a valid header keeps the channel busy while the frame is not read out.
    public var payloadDeadlineMilliseconds: UInt32 { UInt32(clamping: (payloadMicroseconds + 999) / 1000) }
}
