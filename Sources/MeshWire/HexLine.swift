/// Hex as people keep it: a record a line, comments behind a #, blanks between bytes, a leading 0x.
package enum HexLine {
    /// The content of a line.
    package enum Content: Hashable, Sendable {
        case nothing
        case bytes([UInt8])
        /// The column, from 1, of the first character that makes it no hex.
        case notHex(column: Int, reason: String)
    }

    /// Reads a line without its end.
    package static func read(_ line: some Sequence<UInt8>) -> Content {
        var digits: [UInt8] = []
        var (column, isStart, isEmpty) = (0, true, true)
        for character in line {
            if character == UInt8(ascii: "#") { break }
            column += 1
            if isBlank(character) { continue }
            isEmpty = false
            if isStart, digits == [0], character | 0x20 == UInt8(ascii: "x") {
                digits = []
                isStart = false
                continue
            }
            guard let digit = character.hexDigit else {
                return .notHex(column: column, reason: "is not a hex digit")
            }
            digits.append(digit)
            if digits.count > 1 { isStart = false }
        }
        guard !isEmpty else { return .nothing }
        guard digits.count.isMultiple(of: 2) else {
            return .notHex(column: column, reason: "ends in the middle of a byte")
        }
        return .bytes(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    /// Returns whether a character may stand between bytes: a blank, a tab, or an end of a line.
    package static func isBlank(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || (9...13).contains(character)
    }
}
