/// Draws whose algorithm is fixed here: the standard library may change its own, and stored results would change with
/// it.
extension RandomNumberGenerator {
    /// A number in 0..<1 of 53 bits.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A whole number in 0..<bound; zero where the bound is below one. The bias is below bound / 2⁶⁴.
    mutating func index(below bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
