/// An article of the documentation that a test prints from a table of the code and compares with the stored one.
package struct MarkdownArticle {
    /// All that was added, paragraphs apart by an empty line.
    package private(set) var text = ""

    package init() {}

    /// Adds a paragraph, a heading or a list as it stands.
    package mutating func add(_ paragraph: String) {
        if !text.isEmpty { text += "\n" }
        text += paragraph + "\n"
    }

    /// Adds a table; a `|` within a cell must be escaped.
    package mutating func addTable(_ head: [String], _ rows: [[String]]) {
        let lines = [head, head.map { _ in "---" }] + rows
        add(lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n"))
    }

    /// A paragraph in lines as long as prose of the documentation has them.
    package static func wrapped(_ paragraph: String) -> String {
        var lines = [""]
        for word in paragraph.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] += word
            } else if line.count + 1 + word.count <= 120 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
