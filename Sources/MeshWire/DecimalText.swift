extension Double {
    /// The number with so many digits after the point, as `%.2f` of the C library prints it: the exact value, half to
    /// even.
    package func fixed(_ digits: Int) -> String {
        guard isFinite else { return DecimalDigits.name(ofUnbounded: self) }
        var number = DecimalDigits(magnitude)
        number.keep(places: digits)
        return (sign == .minus ? "-" : "") + number.text
    }

    /// The number with at most so many digits after the point, and no zeros at the end of them.
    package func fixed(atMost digits: Int) -> String {
        guard isFinite else { return DecimalDigits.name(ofUnbounded: self) }
        var number = DecimalDigits(magnitude)
        number.keep(places: digits)
        number.dropZeros()
        return (sign == .minus ? "-" : "") + number.text
    }

    /// The number with so many significant digits, as `%.4g` of the C library prints it.
    package func significant(_ digits: Int) -> String {
        guard isFinite else { return DecimalDigits.name(ofUnbounded: self) }
        var number = DecimalDigits(magnitude)
        number.keep(places: digits - number.whole)
        let exponent = number.whole - 1
        let sign = sign == .minus ? "-" : ""
        if number.isZero { return sign + "0" }
        if (-4..<digits).contains(exponent) {
            number.dropZeros()
            return sign + number.text
        }
        number.whole = 1
        number.dropZeros()
        let power = "\(exponent.magnitude)"
        return sign + number.text + (exponent < 0 ? "e-" : "e+") + (power.utf8.count < 2 ? "0" : "") + power
    }
}

/// The decimal digits of a number of floating point: all of them, until they are rounded.
///
/// A binary fraction ends after as many decimal digits as it has binary ones, so nothing is lost before the rounding.
private struct DecimalDigits {
    /// The most significant one first; none of zero.
    private var digits: [UInt8] = []
    /// The count of digits before the point; negative where zeros follow the point.
    var whole = 0

    private static let limit: UInt64 = 1_000_000_000

    init(_ magnitude: Double) {
        guard magnitude > 0 else { return }
        let isNormal = magnitude.exponentBitPattern > 0
        var mantissa = magnitude.significandBitPattern | (isNormal ? 1 << 52 : 0)
        var exponent = (isNormal ? Int(magnitude.exponentBitPattern) : 1) - 1075
        exponent += mantissa.trailingZeroBitCount
        mantissa >>= UInt64(mantissa.trailingZeroBitCount)
        // Nine digits a limb, the lowest first. A half is five tenths: each binary place becomes a decimal one.
        var limbs = [mantissa % Self.limit, mantissa / Self.limit]
        for _ in 0..<abs(exponent) { Self.multiply(&limbs, by: exponent < 0 ? 5 : 2) }
        for limb in limbs {
            var rest = limb
            for _ in 0..<9 {
                digits.append(UInt8(rest % 10))
                rest /= 10
            }
        }
        while digits.last == 0 { digits.removeLast() }
        digits.reverse()
        whole = digits.count + min(0, exponent)
    }

    private static func multiply(_ limbs: inout [UInt64], by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = limbs[index] * factor + carry
            limbs[index] = product % limit
            carry = product / limit
        }
        if carry > 0 { limbs.append(carry) }
    }

    static func name(ofUnbounded value: Double) -> String { value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }

    var isZero: Bool { digits.allSatisfy { $0 == 0 } }

    /// The digits with their point.
    var text: String {
        let before = digits.prefix(max(0, whole))
        let after = [UInt8](repeating: 0, count: max(0, -whole)) + digits.dropFirst(before.count)
        let characters = (before.isEmpty ? [0] : Array(before)).map { $0 + UInt8(ascii: "0") }
        let point = after.isEmpty ? [] : [UInt8(ascii: ".")] + after.map { $0 + UInt8(ascii: "0") }
        return String(decoding: characters + point, as: UTF8.self)
    }

    /// Keeps so many digits after the point; before it, zeros stand for those that a negative count drops.
    mutating func keep(places: Int) {
        let kept = whole + places
        if kept >= digits.count { return digits.append(contentsOf: repeatElement(0, count: kept - digits.count)) }
        guard kept >= 0 else {
            digits = [UInt8](repeating: 0, count: max(0, places))
            whole = 0
            return
        }
        let rest = digits[kept...]
        let isAboveHalf = rest.first.map { $0 > 5 || $0 == 5 && rest.dropFirst().contains { $0 > 0 } } ?? false
        let isTie = rest.first == 5 && !isAboveHalf
        let isLastOdd = kept > 0 && digits[kept - 1] % 2 == 1
        digits.removeSubrange(kept...)
        if isAboveHalf || isTie && isLastOdd { increment() }
        if whole > digits.count { digits.append(contentsOf: repeatElement(0, count: whole - digits.count)) }
    }

    private mutating func increment() {
        for index in digits.indices.reversed() {
            if digits[index] < 9 {
                digits[index] += 1
                return
            }
            digits[index] = 0
        }
        digits.insert(1, at: 0)
        whole += 1
    }

    /// Drops zeros at the end of the digits after the point.
    mutating func dropZeros() {
        while digits.count > max(0, whole), digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { whole = 0 }
    }
}
