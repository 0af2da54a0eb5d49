/// Powers that can be added, from hundredths of decibels.
enum LinearPower {
    /// The power in milliwatts of a level in 1/100 dBm.
    ///
    /// From multiplications alone: every process and every processor gets the same ones.
    @inline(__always)
    static func milliwatts(_ hundredths: Int) -> Double {
        let shifted = min(max(hundredths, -20_000), 9_999) + 20_000
        return decades[shifted / 1000] * parts[shifted % 1000]
    }

    /// 10^(k/1000).
    private static let parts: [Double] = {
        var parts = [1.0]
        for _ in 1..<1000 { parts.append(parts[parts.count - 1] * 1.0023052380778996) }
        return parts
    }()

    /// 10^k from -20 on.
    private static let decades: [Double] = {
        var decades = [1e-20]
        for _ in 1..<30 { decades.append(decades[decades.count - 1] * 10) }
        return decades
    }()
}
