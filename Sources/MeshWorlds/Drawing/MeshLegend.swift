import MeshWire

/// The legend below a picture of a mesh: lines of text, then rows of signs with their meaning.
///
/// It is laid out from the widths of its words: nothing overlaps, and a missing sign leaves no gap. A sign that does
/// not fit into a row begins the next one.
struct MeshLegend {
    /// A sign and what it means.
    struct Key {
        /// The sign, with its middle at the coordinates.
        var sign: (_ x: Double, _ y: Double) -> String
        var signWidth: Double
        var words: String
    }

    static let fontSize = 12.0
    static let lineHeight = 18.0
    /// Between a sign and its words, and between two keys.
    private static let gap = 6.0
    private static let distance = 18.0

    private let left: Double
    private let right: Double
    private(set) var parts: [String] = []
    /// The height of the next line's text.
    private var y: Double

    /// - Parameter top: the upper edge of the first line.
    init(left: Double, right: Double, top: Double) {
        self.left = left
        self.right = right
        y = top + Self.lineHeight
    }

    /// The lower edge of what was added.
    var bottom: Double { y - Self.lineHeight + 4 }

    /// Adds text, in as many lines as it needs.
    mutating func add(_ words: String, _ style: String = "") {
        let columns = max(10, Int(wholePart: (right - left) / Self.width(of: "x")))
        for line in Self.wrapped(words, columns) {
            let attribute = style.isEmpty ? "" : " class=\"\(style)\""
            parts.append("<text\(attribute) x=\"\(SVG.number(left))\" y=\"\(SVG.number(y))\">\(line.xmlEscaped)</text>")
            y += Self.lineHeight
        }
    }

    /// Adds signs, as many in a row as fit.
    mutating func add(_ keys: [Key]) {
        guard !keys.isEmpty else { return }
        y += 6
        var x = left
        for key in keys {
            let width = key.signWidth + Self.gap + Self.width(of: key.words)
            if x > left, x + width > right {
                x = left
                y += Self.lineHeight + 4
            }
            parts.append(key.sign(x + key.signWidth / 2, y - 4))
            let start = x + key.signWidth + Self.gap
            parts.append("<text x=\"\(SVG.number(start))\" y=\"\(SVG.number(y))\">\(key.words.xmlEscaped)</text>")
            x += width + Self.distance
        }
        y += Self.lineHeight + 4
    }

    /// The approximate width of words in a proportional face; the fixed-width measure of timelines is an upper bound.
    private static func width(of words: String) -> Double { Double(TextWidth.units(words)) * 0.95 }

    /// Lines of at most so many columns, broken at blanks; longer words are cut into pieces.
    private static func wrapped(_ words: String, _ columns: Int) -> [String] {
        var lines: [String] = [""]
        for word in words.split(separator: " ", omittingEmptySubsequences: false) {
            var rest = word
            while rest.count > columns {
                lines.append(String(rest.prefix(columns)))
                rest = rest.dropFirst(columns)
            }
            if lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] = String(rest)
            } else if lines[lines.count - 1].count + 1 + rest.count <= columns {
                lines[lines.count - 1] += " " + rest
            } else {
                lines.append(String(rest))
            }
        }
        return lines.filter { !$0.isEmpty }
    }
}

/// Numbers as pictures write them.
enum SVG {
    /// One decimal, without a zero behind the point.
    static func number(_ number: Double) -> String {
        let tenths = Int(nearest: number * 10)
        let whole = tenths.magnitude / 10
        let sign = tenths < 0 ? "-" : ""
        return tenths % 10 == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(tenths.magnitude % 10)"
    }
}
