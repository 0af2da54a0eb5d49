/// An article of the documentation that is printed from a table of the code.
public struct MarkdownArticle {
    /// All that was added, paragraphs apart by an empty line.
    public private(set) var text = ""

    public init() {}

    /// Adds a paragraph, a heading or a list as it stands.
    public mutating func add(_ paragraph: String) {
        if !text.isEmpty { text += "\n" }
        text += paragraph + "\n"
    }

    /// Adds a table; a `|` within a cell must be escaped.
    public mutating func addTable(_ head: [String], _ rows: [[String]]) {
        let lines = [head, head.map { _ in "---" }] + rows
        add(lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n"))
    }
}
