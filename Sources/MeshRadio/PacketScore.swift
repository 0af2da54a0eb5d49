import MeshWire

/// The quality of a received packet, and the time that a flood waits for a better copy of itself.
///
/// The mixture of 32- and 64-bit floating point is the firmware's. Source: OverTheAir, "Packet score" and
/// "Receive delay" (OTA-100).
public enum PacketScore {
    /// Below this the firmware does not hold a delay worth the queue and processes at once.
    public static let shortestReceiveDelayMilliseconds: Int32 = 50
    /// No packet waits longer (`MAX_RX_DELAY_MILLIS`).
    public static let longestReceiveDelayMilliseconds: Int32 = 32_000

    /// The SNR in dB that a spreading factor needs, or `nil` below 7, for which the firmware has no number.
    public static func snrThreshold(spreadingFactor: UInt8) -> Float? {
        guard (7...12).contains(spreadingFactor) else { return nil }
        return -7.5 - 2.5 * Float(spreadingFactor - 7)
    }

    /// Returns a number from 0 (hardly received) to 1 for a frame of `length` bytes received with `snr` in dB.
    ///
    /// Pass the chip's `scoringSpreadingFactor(configured:)`, which is not the configured one on all chips.
    public static func score(snr: Float, spreadingFactor: UInt8, length: Int) -> Float {
        guard let threshold = snrThreshold(spreadingFactor: spreadingFactor), snr >= threshold else { return 0 }
        let margin = Double(snr - threshold) / 10
        let collision = 1 - Double(length) / 256
        return Float(max(0, min(1, margin * collision)))
    }

    /// The same for an SNR in quarter decibels, as it travels in frames.
    public static func score(snrQuarterDecibels: Int, spreadingFactor: UInt8, length: Int) -> Float {
        score(snr: Float(snrQuarterDecibels) / 4, spreadingFactor: spreadingFactor, length: length)
    }

    /// The raw delay of a flood; negative for well received packets, and not yet limited to shortest and longest.
    ///
    /// `base` is the setting `rxdelay`; 0, its default, switches the delay off.
    public static func receiveDelayMilliseconds(base: Float, score: Float, airtimeMilliseconds: UInt32) -> Int32 {
        guard base > 0, base.isFinite else { return 0 }
        let power = Float(raise(Double(base), to: 0.85 - min(max(score, 0), 1)))
        let delay = (Double(power) - 1) * Double(airtimeMilliseconds)
        return Int32(wholePart: delay)
    }

    /// `base` to a power between −1 and 1: a product of the roots that the binary digits of the exponent name.
    ///
    /// The standard library has no `pow`. A 32-bit exponent has at most some thirty digits here. So the error stays
    /// below 1e-14 of the result, far below the rounding to 32 bits. Exact powers, such as 1 for an exponent of 0,
    /// come out exact.
    static func raise(_ base: Double, to exponent: Float) -> Double {
        var rest = exponent.magnitude
        var root = base
        var result = 1.0
        while rest > 0 {
            rest *= 2
            root = squareRoot(root)
            if rest >= 1 {
                rest -= 1
                result *= root
            }
        }
        return exponent < 0 ? 1 / result : result
    }

    /// The root of a positive number by Newton's steps; the standard library's is a call into libm, which is not
    /// linked.
    private static func squareRoot(_ number: Double) -> Double {
        // Half the exponent is off by a factor of two at most, and each step squares the error.
        var root = Double(sign: .plus, exponent: number.exponent / 2, significand: 1)
        for _ in 0..<7 { root = (root + number / root) / 2 }
        return root
    }
}

extension LoRaParameters {
    /// The least SNR, in quarter decibels, at which a receiver makes out a frame with this spreading factor.
    ///
    /// From 7 up these are the firmware's thresholds, below them the datasheet's (−5 dB and −2.5 dB).
    public var snrLimitQuarterDecibels: Int { -10 * (Int(usableSpreadingFactor) - 4) }
}
