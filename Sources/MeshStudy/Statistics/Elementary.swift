import MeshWire

/// Logarithm and exponential from additions and multiplications alone.
///
/// No C library promises the same last bit on every processor; these give it, in debug and in release builds.
enum Elementary {
    // The logarithm of two in two parts: the first has trailing zeros, so that its product with an exponent is exact.
    private static let twoHigh = 6.931_471_803_691_238_164_90e-01
    private static let twoLow = 1.908_214_929_270_587_700_02e-10

    /// The natural logarithm, exact to some 2e-16 of it; minus infinity for zero, NaN below.
    static func log(_ number: Double) -> Double {
        guard number > 0 else { return number == 0 ? -.infinity : .nan }
        guard number.isFinite else { return number }
        var exponent = Double(number.exponent)
        var significand = number.significand
        if significand > 1.414_213_562_373_095 {
            significand /= 2
            exponent += 1
        }
        let ratio = (significand - 1) / (significand + 1)
        let square = ratio * ratio
        // 2 artanh(ratio), where the thirteenth term is below 1e-19 of the first.
        var sum = 0.0
        var divisor = 25.0
        while divisor >= 1 {
            sum = sum * square + 1 / divisor
            divisor -= 2
        }
        return exponent * twoHigh + (2 * ratio * sum + exponent * twoLow)
    }

    /// The exponential, exact to some 4e-16 of it; zero and infinity beyond what a Double holds.
    static func exp(_ power: Double) -> Double {
        guard power < 710 else { return power.isNaN ? .nan : .infinity }
        guard power > -746 else { return power.isNaN ? .nan : 0 }
        let doublings = Int(wholePart: power / (twoHigh + twoLow) + (power < 0 ? -0.5 : 0.5))
        let rest = power - Double(doublings) * twoHigh - Double(doublings) * twoLow
        var sum = 1.0
        var divisor = 16.0
        while divisor >= 1 {
            sum = 1 + sum * rest / divisor
            divisor -= 1
        }
        return Double(sign: .plus, exponent: doublings, significand: sum)
    }
}
