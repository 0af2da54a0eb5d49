/// The numbered statements of the articles, compared with the tests that prove them and the texts that cite them.
///
/// A statement is a heading `### OTA-034` in its article with a sentence below. ``Proves`` says which tests prove it.
public struct StatementBook: Sendable {
    /// The article that has all statements of one prefix.
    public struct Article: Sendable {
        /// The text before a number, as in `SVC-R`.
        public let prefix: String
        public let path: String
        public let text: String

        public init(_ prefix: String, path: String, text: String) {
            self.prefix = prefix
            self.path = path
            self.text = text
        }
    }

    /// A text that may cite statements, or prove them.
    public struct Text: Sendable {
        public let path: String
        /// In UTF-8: all that is looked for is ASCII.
        let bytes: [UInt8]

        public init(path: String, text: String) {
            self.path = path
            bytes = Array(text.utf8)
        }

        /// The line up to a byte.
        func line(before offset: Int) -> String {
            let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        func place(of offset: Int) -> String {
            "\(path):\(bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1)"
        }
    }

    /// The faults of a book, one line each; all are empty in a book that is in order.
    public struct Findings: Hashable, Sendable {
        /// Headings that occur twice, stand in another prefix's article, or have no sentence below them.
        public var headings: [String] = []
        /// Numbers that a text cites and no article has, each with its first place.
        public var unknown: [String] = []
        /// Statements that nothing proves and no exemption names.
        public var unproven: [String] = []
        /// Exempt numbers that something proves, or that no article has.
        public var exemptions: [String] = []
        /// Numbers in the names of tests, where they prove nothing.
        public var names: [String] = []

        public init(
            headings: [String] = [], unknown: [String] = [], unproven: [String] = [], exemptions: [String] = [],
            names: [String] = []
        ) {
            self.headings = headings
            self.unknown = unknown
            self.unproven = unproven
            self.exemptions = exemptions
            self.names = names
        }
    }

    public let articles: [Article]
    /// All numbers that have a heading.
    public let statements: Set<String>

    public init(_ articles: [Article]) {
        self.articles = articles
        statements = Set(articles.flatMap { Self.headings(of: $0.text).map(\.number) })
    }

    /// Compares the articles with `texts`, with what else proves statements, and with reasons why some have no proof.
    public func findings(
        in texts: [Text], alsoProven: Set<String> = [], exempt: [String: String] = [:]
    ) -> Findings {
        let proven = texts.reduce(into: alsoProven) { $0.formUnion(Self.proven(by: $1)) }
        return Findings(
            headings: wrongHeadings, unknown: unknown(in: texts),
            unproven: statements.subtracting(proven).filter { exempt[$0] == nil }.sorted(),
            exemptions: exempt.sorted { $0.key < $1.key }.compactMap { number, reason in
                if !statements.contains(number) { return "\(number) is no statement" }
                return proven.contains(number) ? "\(number) has a proof, and says: \(reason)" : nil
            }, names: names(in: texts))
    }

    // MARK: Headings

    /// A heading whose whole text is a number, and whether a sentence follows.
    private struct Heading {
        var number: String
        var hasSentence = false
    }

    private static func headings(of text: String) -> [Heading] {
        var headings: [Heading] = []
        var isBelowNumber = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                let number = citations(in: Array(line.utf8)).first?.number
                isBelowNumber = number.map { line == "### \($0)" } ?? false
                if isBelowNumber, let number { headings.append(Heading(number: number)) }
            } else if isBelowNumber {
                headings[headings.count - 1].hasSentence = true
            }
        }
        return headings
    }

    private var wrongHeadings: [String] {
        var seen: Set<String> = []
        return articles.flatMap { article in
            Self.headings(of: article.text).compactMap { heading in
                let isFirst = seen.insert(heading.number).inserted
                let wrong: String? =
                    if !isFirst {
                        "occurs twice"
                    } else if Self.prefix(of: heading.number) != article.prefix {
                        "belongs elsewhere"
                    } else if !heading.hasSentence {
                        "says nothing"
                    } else {
                        nil
                    }
                return wrong.map { "\(article.path): \(heading.number) \($0)" }
            }
        }
    }

    // MARK: Citations

    /// A number in a text, as in `CMP-034`, with the offset of its first byte.
    private struct Citation {
        var number: String
        var offset: Int
    }

    /// Everything of the form capital letters, hyphen, three digits.
    ///
    /// `CMP-00*` and the like choose several and are none. Other counts of digits are mistakes, given back as written.
    private static func citations(in bytes: [UInt8]) -> [Citation] {
        bytes.withUnsafeBufferPointer { bytes in
            var citations: [Citation] = []
            for hyphen in bytes.indices.dropFirst() where bytes[hyphen] == UInt8(ascii: "-") {
                var end = hyphen + 1
                while end < bytes.count, isDigit(bytes[end]) { end += 1 }
                if end == hyphen + 1 { continue }
                var start = hyphen
                while start > 0, isCapital(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "-") { start -= 1 }
                while bytes[start] == UInt8(ascii: "-"), start < hyphen { start += 1 }
                if start == hyphen { continue }
                if end < bytes.count, bytes[end] == UInt8(ascii: "*") || bytes[end] == UInt8(ascii: "\\") { continue }
                citations.append(Citation(number: String(decoding: bytes[start..<end], as: UTF8.self), offset: start))
            }
            return citations
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }

    private static func prefix(of number: String) -> Substring {
        number[..<(number.lastIndex(of: "-") ?? number.endIndex)]
    }

    /// The citations of all texts that have the prefix of an article, each with its text.
    private func citations(in texts: [Text]) -> [(text: Text, citation: Citation)] {
        let prefixes = Set(articles.map { $0.prefix[...] })
        return texts.flatMap { text in
            Self.citations(in: text.bytes).filter { prefixes.contains(Self.prefix(of: $0.number)) }.map { (text, $0) }
        }
    }

    private func unknown(in texts: [Text]) -> [String] {
        var places: [String: String] = [:]
        for (text, citation) in citations(in: texts)
        where !statements.contains(citation.number) && places[citation.number] == nil {
            places[citation.number] = text.place(of: citation.offset)
        }
        return places.sorted { $0.key < $1.key }.map { "\($0.key) in \($0.value)" }
    }

    private func names(in texts: [Text]) -> [String] {
        citations(in: texts).filter { $0.text.line(before: $0.citation.offset).contains("func `") }
            .map { "\($0.citation.number) in \($0.text.place(of: $0.citation.offset))" }
    }

    // MARK: Proofs

    /// The numbers in the traits of a text; what a comment shows as an example is no trait.
    private static func proven(by text: Text) -> [String] {
        let call = Array(".proves(".utf8)
        return text.bytes.withUnsafeBufferPointer { bytes in
            var numbers: [String] = []
            for start in bytes.indices.dropLast(call.count) where bytes[start] == call[0] {
                guard bytes[start..<start + call.count].elementsEqual(call) else { continue }
                if text.line(before: start).contains("//") { continue }
                let arguments = Array(bytes[start...].prefix { $0 != UInt8(ascii: ")") })
                numbers += citations(in: arguments).map(\.number)
            }
            return numbers
        }
    }
}
