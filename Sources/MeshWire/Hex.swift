extension Sequence<UInt8> {
    /// Lower-case hex without separators.
    @inlinable
    public var hex: String {
        let digits: StaticString = "0123456789abcdef"
        var characters: [UInt8] = []
        characters.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            characters.append(digits.utf8Start[Int(byte >> 4)])
            characters.append(digits.utf8Start[Int(byte & 15)])
        }
        return String(decoding: characters, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Reads pairs of hex digits, upper or lower case; white space between pairs is allowed. `nil` for anything else.
    public init?(hex: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.utf8.count / 2)
        var high: UInt8?
        for character in hex.utf8 {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if high != nil { return nil }
                continue
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }
}
