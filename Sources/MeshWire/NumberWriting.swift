/// Writes numbers as the command line of infrastructure nodes does.
///
/// Source: InfrastructureNodes, "Number formats" (INF-202); firmware, `StrHelper` and `CommonCLI`.
package enum NumberWriting {
    /// `StrHelper::ftoa`: up to seven digits behind the point, cut off and not rounded; `0` for a value that is too
    /// small, too large or no number.
    package static func decimal(_ value: Float) -> String {
        if value == 0 { return "0.0" }
        let magnitude = value.magnitude
        guard magnitude >= 0x1p-23, magnitude < 0x1p31 else { return "0" }
        let whole = UInt32(wholePart: magnitude)
        // 24 bits behind the point: exact from 1 on, and finer ones of smaller numbers are dropped.
        var rest = UInt32(wholePart: (magnitude - Float(whole)) * 0x1p24)
        var digits: [UInt8] = []
        while rest > 0, digits.count < 7 {
            rest *= 10
            digits.append(UInt8(ascii: "0") + UInt8(rest >> 24))
            rest &= 0xFF_FFFF
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let fraction = digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self)
        return "\(value < 0 ? "-" : "")\(whole).\(fraction)"
    }

    /// `StrHelper::ftoa3`: rounded to thousandths, without trailing zeros; a negative number above -1 loses its sign.
    package static func thousandths(_ value: Float) -> String {
        let number = Int32(wholePart: value * 1000 + (value >= 0 ? 0.5 : -0.5))
        let fraction = String((number % 1000).magnitude)
        var text = "\(number / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// The duty cycle of an airtime factor in percent. The digit behind the point is rounded by itself, up to `10`.
    package static func dutyCycle(airtimeFactor: Float) -> String {
        let percent = 100 / (airtimeFactor + 1)
        let whole = Int32(wholePart: percent)
        let tenths = Int32(wholePart: (percent - Float(whole)) * 10 + 0.5)
        return "\(whole).\(tenths)%"
    }
}
