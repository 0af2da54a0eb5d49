/// The width of words in a drawing whose font has one width: 11 pixels high, as in all drawings of the package.
package enum TextWidth {
    /// Of a column, in tenths of a unit of the picture.
    package static let column = 67

    /// Returns the largest width of words, in units of the picture.
    package static func units(_ words: String) -> Int { (columns(words) * column + 9) / 10 }

    /// Columns of a fixed-width font: East Asian characters and pictograms need two.
    private static func columns(_ words: String) -> Int {
        words.reduce(0) { $0 + ($1.unicodeScalars.contains(where: isWide) ? 2 : 1) }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F000...0x3FFFF:
            true
        default: false
        }
    }

    /// Returns the part of a text that fits into `limit` columns, with an ellipsis where something is missing.
    package static func cut(_ words: String, to limit: Int) -> String {
        let line = words.replacing("\n", with: " ")
        guard columns(line) > limit else { return line }
        var (output, used) = ("", 0)
        for character in line {
            used += columns(String(character))
            if used > limit - 1 { break }
            output.append(character)
        }
        return output + "…"
    }
}
