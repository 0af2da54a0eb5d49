import Foundation

/// The words of the article Glossary that users are not to read.
public struct Glossary: Sendable {
    /// The title of the column that lists them.
    public static let column = "do not write"

    /// Words and sequences of words, in lower case and in the order of the article.
    public let bannedWords: [String]

    public init(markdown: String) {
        var column: Int?
        var words: [String] = []
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                column = nil
                continue
            }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let place = column else {
                column = cells.firstIndex(of: Self.column)
                continue
            }
            guard cells.indices.contains(place), !cells[place].hasPrefix("--") else { continue }
            words += cells[place].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        }
        bannedWords = words.filter { $0 != "–" }
    }

    /// The glossary of this checkout.
    public static func stored() throws -> Glossary {
        let article = StoredArticle(module: "MeshTestbed", name: "Glossary")
        return Glossary(markdown: try String(contentsOf: article.url, encoding: .utf8))
    }

    /// The banned words that a text has as words of its own, in singular or plural.
    public func bannedWords(in text: String) -> [String] {
        let found = Self.words(of: text)
        return bannedWords.filter { banned in
            let sought = Self.words(of: banned)
            guard let last = sought.last, sought.count <= found.count else { return false }
            return (0...found.count - sought.count).contains { start in
                let part = found[start..<start + sought.count]
                return part.dropLast().elementsEqual(sought.dropLast()) && [last, last + "s"].contains(part.last)
            }
        }
    }

    /// Letters, digits and hyphens belong to a word; everything else parts words.
    private static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    }
}
