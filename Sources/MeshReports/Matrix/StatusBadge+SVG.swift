import MeshWire

extension StatusBadge {
    /// The badge as a picture: label and message beside each other, in a contrast that can be read.
    package var svg: String {
        let (left, right) = (label.visibleLine.clipped(60), message.visibleLine.clipped(60))
        let (start, end) = (Self.width(left), Self.width(right))
        let words = "\(left): \(right)".xmlEscaped
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(start + end)" height="20" role="img" \
            aria-label="\(words)" style="border-radius:3px"><title>\(words)</title>\
            <rect width="\(start)" height="20" fill="#3d444d"/>\
            <rect x="\(start)" width="\(end)" height="20" fill="\(color.fill)"/>\
            <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\
            \(Self.text(left, at: 0, start))\(Self.text(right, at: start, end))</g></svg>

            """
    }

    /// The text in the middle of its part, as wide as was reckoned, whatever font there is.
    private static func text(_ text: String, at x: Int, _ width: Int) -> String {
        #"<text x="\#(x + margin)" y="14" textLength="\#(width - 2 * margin)" lengthAdjust="spacingAndGlyphs">"#
            + text.xmlEscaped + "</text>"
    }

    private static let margin = 6

    /// About the width of a text in pixels, with its margins.
    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(2 * margin) { sum, scalar in
            switch scalar {
            case "i", "l", "j", "I", ".", ",", ":", "'", "|", " ": sum + 4
            case "m", "w", "M", "W", "@", "%": sum + 10
            case _ where scalar.value > 0x2E7F: sum + 12
            default: sum + 7
            }
        }
    }
}

extension StatusBadge.Color {
    /// The colour behind white letters; those of shields.io are too bright for them.
    fileprivate var fill: String {
        switch self {
        case .good: "#1f6b33"
        case .partly: "#8a4b00"
        case .bad: "#a82a3a"
        case .unknown: "#57626e"
        }
    }
}
