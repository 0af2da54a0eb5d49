/// Shows characters that would act on a terminal, in a table or in a drawing instead of being read.
///
/// Names, messages, headers of recordings and answers of radios come from outside. An escape sequence in them could
/// rewrite the screen, and a line break could forge a row. A bidirectional control could turn a word round. Each
/// such character is written as JSON writes it: `\n`, `\r`, `\t`, or `\u` with four hexadecimal digits. The value
/// of a JSON text therefore stays the same, so that one printer serves text and JSON.
///
/// Everything else stays, also wide and combining characters and the joiners that emoji are made with. A backslash
/// stays as well: a text that already is visible is not changed again.
enum VisibleText {
    /// Returns whether a scalar controls how text is shown.
    ///
    /// These are C0, DEL, C1, bidirectional controls, and separators of lines and paragraphs.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns whether nothing in the text needs another form; fast, as that is nearly always so.
    fileprivate static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    fileprivate static func escaped(_ text: String, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isEscaped(scalar) {
                visible.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                visible.append(scalar)
            }
        }
        return String(visible)
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}

extension String {
    /// The text as one line: no character of it can end the line, move the cursor or change what stands beside it.
    package var visibleLine: String {
        VisibleText.isPlain(self) ? self : VisibleText.escaped(self, VisibleText.isControl)
    }

    /// The text as several lines: its line breaks stay. Values from outside must be in it as `visibleLine`.
    package var visibleText: String {
        if VisibleText.isPlain(self) { return self }
        return VisibleText.escaped(self) { $0 != "\n" && VisibleText.isControl($0) }
    }
}

extension Sequence<String> {
    /// The lines under each other, each of which stays one.
    package var joinedVisibleLines: String { map(\.visibleLine).joined(separator: "\n") }
}

extension String {
    /// With what XML and HTML reserve written as entities. What XML cannot hold, and what would turn the text round it,
    /// is made visible as everywhere.
    package var xmlEscaped: String {
        var output = ""
        for scalar in visibleText.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            case "\n": output += "&#10;"
            case "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    /// Without the blanks at both ends.
    package var trimmed: String { trimmed { $0 == " " } }

    /// Without the characters at both ends that are of a kind, such as white space.
    package func trimmed(where isLeftOut: (Character) -> Bool) -> String {
        String(drop(while: isLeftOut).reversed().drop(while: isLeftOut).reversed())
    }
}
