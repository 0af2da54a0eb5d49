/// One interface of a pcapng section: what its packets are, and how it counts time.
struct PcapngInterface: Sendable {
    var link: LinkType
    /// The longest packet kept; 0 for no limit.
    var snapLength = 0
    /// As the option has it: 10^-n seconds, or 2^-n with the highest bit set.
    var resolution: UInt8 = 6
    var offsetSeconds: Int64 = 0

    /// Nanoseconds since 1970; `nil` for a time that does not fit.
    func nanoseconds(high: UInt32, low: UInt32) -> Int64? {
        let ticks = UInt64(high) << 32 | UInt64(low)
        let scaled: UInt64? =
            switch resolution {
            case 9: ticks
            case 6: Self.product(ticks, 1000)
            case 0..<9: Self.product(ticks, Self.powerOfTen(9 - resolution))
            case 10...28: ticks / Self.powerOfTen(resolution - 9)
            case 29..<128: 0
            default: Self.binary(ticks, shift: UInt64(resolution & 0x7F))
            }
        guard let scaled, let time = Int64(exactly: scaled) else { return nil }
        guard offsetSeconds != 0 else { return time }
        let (offset, isFar) = offsetSeconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = time.addingReportingOverflow(offset)
        return isFar || isBeyond ? nil : sum
    }

    private static func product(_ a: UInt64, _ b: UInt64) -> UInt64? {
        let (product, isBeyond) = a.multipliedReportingOverflow(by: b)
        return isBeyond ? nil : product
    }

    /// 10^n for n up to 19, which is what 64 bits hold.
    private static func powerOfTen(_ n: UInt8) -> UInt64 {
        (0..<n).reduce(1) { power, _ in power * 10 }
    }

    private static func binary(_ ticks: UInt64, shift: UInt64) -> UInt64? {
        let (high, low) = ticks.multipliedFullWidth(by: 1_000_000_000)
        if shift >= 64 { return high >> (shift - 64) }
        guard high >> shift == 0 else { return nil }
        return low >> shift | high << (64 - shift)
    }
}
