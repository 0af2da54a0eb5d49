/// The first lines of documentation comments, which readers of an index see alone: a noun phrase or a verb, no clause.
struct AbstractRule {
    /// Words that begin a clause about a thing in place of its name.
    static let clauseWords: Set<String> = ["What", "Who", "Whether", "That", "Whoever", "Somebody", "Nobody"]
    /// The greatest share of abstracts that may begin with one of them, in percent.
    static let mostPercent = 5
    /// The number of places that a report names.
    static let reported = 10

    /// The abstracts that were read.
    private(set) var count = 0
    /// Those that begin with one of the words, in the order of reading.
    private(set) var clauses: [Finding] = []

    /// Reads the comments of a Swift file; the first line of each is an abstract.
    mutating func read(path: String, lines: [String]) {
        var wasComment = false
        for (index, line) in lines.enumerated() {
            let text = line.drop(while: \.isWhitespace)
            let isComment = text.hasPrefix("///")
            if isComment, !wasComment {
                count += 1
                let first = text.dropFirst(3).drop(while: \.isWhitespace).prefix(while: \.isLetter)
                if Self.clauseWords.contains(String(first)) {
                    clauses.append(
                        Finding(
                            path: path, line: index + 1,
                            message: "an abstract begins with `\(first)`: begin with a noun phrase or a verb"))
                }
            }
            wasComment = isComment
        }
    }

    /// The first places to mend; empty while the share is within its limit.
    var findings: [Finding] {
        clauses.count * 100 > count * Self.mostPercent ? Array(clauses.prefix(Self.reported)) : []
    }
}
