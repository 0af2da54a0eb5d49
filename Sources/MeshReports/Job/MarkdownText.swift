import MeshWire

extension String {
    /// The text as one line of Markdown that shows it and obeys nothing in it.
    ///
    /// Whatever Markdown or HTML reserves becomes an entity: it is shown, but begins no cell, code, link, tag or
    /// formula.
    package var markdownEscaped: String {
        var output = String.UnicodeScalarView()
        for scalar in visibleLine.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'", "|", "`", "*", "_", "~", "[", "]", "\\", "$", "#", "@", "!":
                output.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            default: output.append(scalar)
            }
        }
        return String(output)
    }

    /// The text as lines of a fixed width, which Markdown leaves as they are.
    ///
    /// A code block of HTML, and not of backticks: nothing in the text can end it.
    var markdownBlock: String { "<pre>" + xmlEscaped.replacing("&#10;", with: "\n") + "</pre>" }

    /// The beginning of a long text, with a sign that there was more.
    func clipped(_ limit: Int) -> String { count > limit ? prefix(limit) + "…" : self }
}
