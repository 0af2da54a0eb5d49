import MeshWire

/// Numbers modulo p = 2^255 − 19, as five digits of 51 bits; only for the map from Edwards to Montgomery.
///
/// Libsodium offers that map only with a check of the point, and the firmware makes no such check. Time depends on
/// nothing secret here: the map is applied to public keys only.
struct Field25519 {
    private typealias Wide = UInt128

    /// Each below 2^52 between operations.
    private var digits: (UInt64, UInt64, UInt64, UInt64, UInt64)

    private static let mask: UInt64 = (1 << 51) - 1
    static let one = Field25519(digits: (1, 0, 0, 0, 0))

    private init(digits: (UInt64, UInt64, UInt64, UInt64, UInt64)) {
        self.digits = digits
    }

    /// Reads 255 bits little-endian; the top bit is left out, and values from p up stand for themselves minus p.
    init(_ bytes: FixedBytes<32>) {
        let words = bytes.withUnsafeBytes { memory in
            (
                UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
                UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
            )
        }
        digits = (
            words.0 & Self.mask,
            (words.0 >> 51 | words.1 << 13) & Self.mask,
            (words.1 >> 38 | words.2 << 26) & Self.mask,
            (words.2 >> 25 | words.3 << 39) & Self.mask,
            words.3 >> 12 & Self.mask
        )
    }

    static func + (a: Self, b: Self) -> Self {
        let (x, y) = (a.digits, b.digits)
        return carried(x.0 + y.0, x.1 + y.1, x.2 + y.2, x.3 + y.3, x.4 + y.4)
    }

    static func - (a: Self, b: Self) -> Self {
        // Four p on top keeps every digit positive.
        let (x, y) = (a.digits, b.digits)
        let low = 4 * (mask - 18)
        let high = 4 * mask
        return carried(x.0 + low - y.0, x.1 + high - y.1, x.2 + high - y.2, x.3 + high - y.3, x.4 + high - y.4)
    }

    static func * (a: Self, b: Self) -> Self {
        let (x, y) = (a.digits, b.digits)
        // A product that reaches 2^255 comes round 19-fold.
        let (y1, y2, y3, y4) = (19 * y.1, 19 * y.2, 19 * y.3, 19 * y.4)
        let r0 = wide(x.0, y.0) + wide(x.1, y4) + wide(x.2, y3) + wide(x.3, y2) + wide(x.4, y1)
        var r1 = wide(x.0, y.1) + wide(x.1, y.0) + wide(x.2, y4) + wide(x.3, y3) + wide(x.4, y2)
        var r2 = wide(x.0, y.2) + wide(x.1, y.1) + wide(x.2, y.0) + wide(x.3, y4) + wide(x.4, y3)
        var r3 = wide(x.0, y.3) + wide(x.1, y.2) + wide(x.2, y.1) + wide(x.3, y.0) + wide(x.4, y4)
        var r4 = wide(x.0, y.4) + wide(x.1, y.3) + wide(x.2, y.2) + wide(x.3, y.1) + wide(x.4, y.0)
        r1 += r0 >> 51
        r2 += r1 >> 51
        r3 += r2 >> 51
        r4 += r3 >> 51
        let first = (r0 & Wide(mask)) + 19 * (r4 >> 51)
        return Self(
            digits: (
                UInt64(first & Wide(mask)),
                UInt64(r1 & Wide(mask)) + UInt64(first >> 51),
                UInt64(r2 & Wide(mask)),
                UInt64(r3 & Wide(mask)),
                UInt64(r4 & Wide(mask))
            ))
    }

    private static func wide(_ a: UInt64, _ b: UInt64) -> Wide { Wide(a) * Wide(b) }

    private static func carried(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64) -> Self {
        let c1 = b + a >> 51
        let c2 = c + c1 >> 51
        let c3 = d + c2 >> 51
        let c4 = e + c3 >> 51
        return Self(digits: ((a & mask) + 19 * (c4 >> 51), c1 & mask, c2 & mask, c3 & mask, c4 & mask))
    }

    private func squared(_ times: Int) -> Self {
        var result = self
        for _ in 0..<times { result = result * result }
        return result
    }

    /// The multiplicative inverse; 0 for 0. It is the power p − 2, by the usual chain.
    var inverse: Self {
        let power2 = squared(1)
        let power9 = self * power2.squared(2)
        let power11 = power2 * power9
        let ones5 = power9 * power11.squared(1)
        let ones10 = ones5 * ones5.squared(5)
        let ones20 = ones10 * ones10.squared(10)
        let ones40 = ones20 * ones20.squared(20)
        let ones50 = ones10 * ones40.squared(10)
        let ones100 = ones50 * ones50.squared(50)
        let ones200 = ones100 * ones100.squared(100)
        let ones250 = ones50 * ones200.squared(50)
        return power11 * ones250.squared(5)
    }

    /// 32 bytes little-endian, below p.
    var bytes: FixedBytes<32> {
        let d = Self.carried(digits.0, digits.1, digits.2, digits.3, digits.4).digits
        // Adding 19 overflows 255 bits exactly when the value is p or more.
        var over = (d.0 + 19) >> 51
        over = (d.1 + over) >> 51
        over = (d.2 + over) >> 51
        over = (d.3 + over) >> 51
        over = (d.4 + over) >> 51
        let d0 = d.0 + 19 * over
        let d1 = d.1 + d0 >> 51
        let d2 = d.2 + d1 >> 51
        let d3 = d.3 + d2 >> 51
        let d4 = d.4 + d3 >> 51
        let (m0, m1, m2, m3, m4) =
            (d0 & Self.mask, d1 & Self.mask, d2 & Self.mask, d3 & Self.mask, d4 & Self.mask)
        let words = [m0 | m1 << 51, m1 >> 13 | m2 << 38, m2 >> 26 | m3 << 25, m3 >> 39 | m4 << 12]
        var result = FixedBytes<32>()
        for index in 0..<32 { result[index] = UInt8(truncatingIfNeeded: words[index / 8] >> UInt64(8 * (index % 8))) }
        return result
    }
}
