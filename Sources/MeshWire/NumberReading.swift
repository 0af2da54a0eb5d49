/// Reads numbers at the beginning of a text as the C library of the boards does.
///
/// The text behind the number is ignored, and a text without one counts as 0.
///
/// Texts are bytes and end at their first NUL. Source: `atoi`, `atof` and `strtof` of newlib; `_atoi` in
/// `CommonCLI.cpp`.
package enum NumberReading {
    /// `atoi`: behind white space and a sign; too large numbers stop at the ends of 32 bits.
    package static func integer(_ text: some Sequence<UInt8>) -> Int32 {
        var scanner = Scanner(text)
        let isNegative = scanner.takeSign()
        var number: Int64 = 0
        while let digit = scanner.takeDigit() {
            number = min(number * 10 + Int64(digit), Int64(UInt32.max))
        }
        return Int32(clamping: isNegative ? -number : number)
    }

    /// `_atoi`: nothing but digits, and too large numbers wrap at 32 bits.
    package static func digits(_ text: some Sequence<UInt8>) -> UInt32 {
        var number: UInt32 = 0
        for byte in text {
            guard let digit = Scanner.digit(byte) else { break }
            number = number &* 10 &+ UInt32(digit)
        }
        return number
    }

    /// `atof`: also exponents, hexadecimal numbers, "inf" and "nan".
    package static func double(_ text: some Sequence<UInt8>) -> Double {
        Double(literal(text)) ?? 0
    }

    /// `strtof`, which rounds once.
    package static func float(_ text: some Sequence<UInt8>) -> Float {
        Float(literal(text)) ?? 0
    }

    /// `Utils::fromHex`: two digits a byte, large or small; exactly `count` bytes, and any other character counts
    /// as 0.
    package static func hex(_ text: some Collection<UInt8>, count: Int) -> [UInt8]? {
        guard text.count == 2 * count else { return nil }
        let digits = text.map { $0.hexDigit ?? 0 }
        return (0..<count).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
    }

    /// The longest beginning that is a number, spelt as Swift spells it.
    private static func literal(_ text: some Sequence<UInt8>) -> String {
        var scanner = Scanner(text)
        let sign = scanner.takeSign() ? "-" : ""
        if scanner.take("inf") { return sign + "inf" }
        if scanner.take("nan") { return "nan" }
        var hexadecimal = scanner
        if hexadecimal.take("0x"), let number = hexadecimal.takeFraction(isHexadecimal: true) {
            return sign + "0x" + number
        }
        return sign + (scanner.takeFraction(isHexadecimal: false) ?? "0")
    }

    /// A place in a text.
    private struct Scanner {
        private let bytes: [UInt8]
        private var at = 0

        /// Begins behind white space.
        init(_ text: some Sequence<UInt8>) {
            bytes = [UInt8](text)
            while let byte = peek(), byte == 0x20 || 0x09...0x0D ~= byte { at += 1 }
        }

        private func peek() -> UInt8? { at < bytes.count && bytes[at] != 0 ? bytes[at] : nil }

        /// Reads a sign; returns whether it is a minus.
        mutating func takeSign() -> Bool {
            guard let byte = peek(), byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") else { return false }
            at += 1
            return byte == UInt8(ascii: "-")
        }

        /// Reads these letters, large or small; `word` has them small.
        mutating func take(_ word: StaticString) -> Bool {
            let end = at + word.utf8CodeUnitCount
            guard end <= bytes.count else { return false }
            let matches = word.withUTF8Buffer { $0.elementsEqual(bytes[at..<end]) { $0 == Self.lowercase($1) } }
            if matches { at = end }
            return matches
        }

        mutating func takeDigit() -> UInt8? {
            guard let digit = peek().flatMap(Self.digit) else { return nil }
            at += 1
            return digit
        }

        /// Digits, a point, digits, an exponent; at least one digit, and no exponent without one.
        mutating func takeFraction(isHexadecimal: Bool) -> String? {
            let whole = takeDigits(isHexadecimal)
            var fraction = ""
            if peek() == UInt8(ascii: ".") {
                at += 1
                fraction = takeDigits(isHexadecimal)
            }
            guard !whole.isEmpty || !fraction.isEmpty else { return nil }
            let mantissa = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
            return mantissa + takeExponent(isHexadecimal ? "p" : "e")
        }

        private mutating func takeExponent(_ letter: Character) -> String {
            var ahead = self
            guard ahead.take(letter == "p" ? "p" : "e") else { return letter == "p" ? "p0" : "" }
            let sign = ahead.takeSign() ? "-" : ""
            let digits = ahead.takeDigits(false)
            guard !digits.isEmpty else { return letter == "p" ? "p0" : "" }
            self = ahead
            return "\(letter)\(sign)\(digits)"
        }

        private mutating func takeDigits(_ isHexadecimal: Bool) -> String {
            let start = at
            while let byte = peek(), isHexadecimal ? byte.isHexDigit : Self.digit(byte) != nil { at += 1 }
            return String(decoding: bytes[start..<at], as: UTF8.self)
        }

        static func digit(_ byte: UInt8) -> UInt8? {
            let digit = byte &- UInt8(ascii: "0")
            return digit < 10 ? digit : nil
        }

        private static func lowercase(_ byte: UInt8) -> UInt8 {
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }
    }
}
