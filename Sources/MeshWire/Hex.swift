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

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII, upper or lower case; `nil` for any other character.
    package var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// True for a hexadecimal digit in ASCII, upper or lower case.
    package var isHexDigit: Bool { hexDigit != nil }
}

extension [UInt8] {
    /// Reads pairs of hex digits, upper or lower case; white space between pairs is allowed. `nil` for anything else.
    public init?(hex: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.utf8.count / 2)
        var high: UInt8?
        for character in hex.utf8 {
            guard let digit = character.hexDigit else {
                guard high == nil, " \t\n\r".utf8.contains(character) else { return nil }
                continue
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
