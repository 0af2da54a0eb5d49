/// The prose of a Markdown page: paragraphs, items, headings and cells, without code, links' addresses and comments.
public struct Prose: Sendable {
    /// A paragraph, an item of a list, a heading or a cell of a table.
    public struct Passage: Sendable {
        /// The number of its first line, from 1 on.
        public let line: Int
        public let text: String

        /// Its sentences; the last one may lack its full stop.
        public var sentences: [String] {
            var sentences: [[Substring]] = [[]]
            for word in text.split(separator: " ") {
                sentences[sentences.count - 1].append(word)
                let end = word.reversed().first { !"\"”’)*_".contains($0) }
                if let end, ".!?".contains(end) { sentences.append([]) }
            }
            return sentences.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
        }
    }

    public private(set) var passages: [Passage] = []

    public init(markdown: String) {
        var isCode = false
        var paragraph: (line: Int, text: String)?
        func closed() -> [Passage] {
            paragraph.map { [Passage(line: $0.line, text: Self.plain($0.text))] } ?? []
        }
        for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = line.drop { $0 == " " }
            let isFence = text.hasPrefix("```")
            if isFence { isCode.toggle() }
            let isCell = text.hasPrefix("|")
            let isHeading = text.hasPrefix("#")
            if isFence || isCode || isCell || isHeading || text.isEmpty || text.hasPrefix("<!--") {
                passages += closed()
                paragraph = nil
                guard !isFence, !isCode else { continue }
                let parts = isCell ? text.split(separator: "|") : isHeading ? [text.drop { "# ".contains($0) }] : []
                passages += parts.map { Passage(line: index + 1, text: Self.plain(String($0))) }
            } else if let item = text.prefixMatch(of: /(?:[-*]|\d+\.)[ ]/) {
                passages += closed()
                paragraph = (index + 1, String(text[item.range.upperBound...]))
            } else {
                paragraph = (paragraph?.line ?? index + 1, (paragraph.map { $0.text + " " } ?? "") + text)
            }
        }
        passages += closed()
    }

    /// Text whose spans of code are each one word, and whose links are their words.
    private static func plain(_ text: String) -> String {
        text.replacing(/`+[^`]*`+/, with: "X")
            .replacing(/!?\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
            .replacing(/<[^>]*>/, with: "X")
            .replacing(/https?:\S+/, with: "X")
    }

    /// Returns the number of words in a sentence; dashes and other signs by themselves are none.
    public static func wordCount(of sentence: String) -> Int {
        sentence.split(separator: " ").count { word in word.contains { $0.isLetter || $0.isNumber } }
    }

    /// The sentences with more words than this, each with its line and its count.
    public func sentences(longerThan limit: Int) -> [String] {
        passages.flatMap { passage in
            passage.sentences.compactMap { sentence in
                let count = Self.wordCount(of: sentence)
                return count > limit ? "line \(passage.line): \(count) words: \(sentence)" : nil
            }
        }
    }
}
