/// Calls that layers 0 to 3 may not make, and their replacements.
enum BannedCalls {
    private static let time = "take the time as `Instant` from the caller"
    private static let random = "draw from a `RandomStream` that was handed in"
    private static let waiting = "return an effect and a next wake; only shells wait"
    private static let stable = "it differs from process to process; compare or sort by value"

    /// Words that may not stand in the code of a pure module.
    static let words: [(word: String, instead: String)] = [
        ("async", waiting), ("await", waiting), ("Task", waiting), ("actor", waiting), ("MainActor", waiting),
        ("Date", time), ("ContinuousClock", time), ("SuspendingClock", time), ("DispatchTime", time),
        ("clock_gettime", time), ("gettimeofday", time), ("Timer", time), ("DispatchQueue", waiting),
        ("UUID", random), ("SystemRandomNumberGenerator", random), ("arc4random", random),
        ("randombytes_buf", random), ("RAND_bytes", random),
        ("hashValue", stable), ("Hasher()", stable), ("ObjectIdentifier", stable),
        ("getenv", "take the setting as a value"), ("ProcessInfo", "take the setting as a value"),
        ("FileManager", "hand the bytes in; files belong in a shell"), ("print(", "return a trace effect"),
    ]

    /// Calls that are fine with a generator of ours and forbidden without one.
    static let needUsing = [".random(", ".randomElement(", ".shuffled(", ".shuffle("]

    /// Calls into the C library's mathematics on some processors, which layers 0 to 2 are not linked with.
    static let mathematics = [
        ".rounded(", ".round(", ".squareRoot(", ".formSquareRoot(", ".truncatingRemainder(", ".remainder(",
    ]

    /// Mathematics of the C library in a file.
    static func checkMathematics(_ file: SourceText) -> [Finding] {
        mathematics.flatMap { call in
            file.calls(of: call).map {
                finding(file, $0.lowerBound, "`\(call)` needs libm on some processors: convert by way of integers")
            }
        }
    }

    /// All that a file of a pure module may not contain.
    static func check(_ file: SourceText) -> [Finding] {
        let forbidden = words.filter { !isOwn($0.word, in: file) }.flatMap { word, instead in
            file.occurrences(of: word).map { finding(file, $0, "no `\(word)` in layers 0 to 3: \(instead)") }
        }
        let unseeded = needUsing.flatMap { call in
            file.calls(of: call).filter { isUnseeded(file.text(of: $0)) }.map {
                finding(file, $0.lowerBound, "`\(call)` without `using:`: \(random)")
            }
        }
        return (forbidden + unseeded + unorderedIteration(file)).sorted { $0.line < $1.line }
    }

    /// The library's draws have no argument, a range or a generator; anything else is a name of ours.
    private static func isUnseeded(_ arguments: String) -> Bool {
        let text = arguments.drop(while: \.isWhitespace)
        return text.isEmpty || (text.hasPrefix("in:") && !text.contains("using:"))
    }

    /// A method of the file's own may have the name of a forbidden function.
    private static func isOwn(_ word: String, in file: SourceText) -> Bool {
        word.hasSuffix("(") && !file.occurrences(of: "func \(word)").isEmpty
    }

    /// Walks over a dictionary or set declared in the same file.
    ///
    /// A heuristic: it sees declarations with a written type or an empty literal, and walks on the same line.
    static func unorderedIteration(_ file: SourceText) -> [Finding] {
        let names = unorderedNames(file)
        guard !names.isEmpty else { return [] }
        return file.codeLines.enumerated().flatMap { index, line -> [Finding] in
            guard !line.contains(".sorted") else { return [] }
            return names.filter { walks($0, in: line) }.map {
                Finding(
                    path: file.path, line: index + 1,
                    message:
                        "iterates `\($0)`, whose order differs from process to process: sort the keys or keep an array")
            }
        }
    }

    private static func unorderedNames(_ file: SourceText) -> [String] {
        let names = file.codeLines.compactMap { line -> String? in
            guard let match = line.firstMatch(of: /\b(?:var|let)\s+(\w+)\s*(?::|=)\s*(.*)/) else { return nil }
            let type = match.2
            let isUnordered =
                type.hasPrefix("Set<") || type.hasPrefix("Dictionary<")
                || type.wholeMatch(of: /\[[^\[\],=(]+:[^=]*\].*/) != nil
            return isUnordered ? String(match.1) : nil
        }
        return Array(Set(names)).sorted()
    }

    private static func walks(_ name: String, in line: String) -> Bool {
        let source = SourceText(path: "", text: line)
        let members = ["keys", "values", "map", "compactMap", "flatMap", "forEach", "reduce", "filter", "first"]
        return !source.occurrences(of: "in \(name) {").isEmpty || !source.occurrences(of: "in self.\(name) {").isEmpty
            || !source.occurrences(of: "in \(name) where").isEmpty
            || members.contains { !source.occurrences(of: "\(name).\($0)").isEmpty }
    }

    private static func finding(_ file: SourceText, _ offset: Int, _ message: String) -> Finding {
        Finding(path: file.path, line: file.line(at: offset), message: message)
    }
}

extension SourceText {
    /// The code of a range, as text.
    func text(of range: Range<Int>) -> String { String(decoding: code[range], as: UTF8.self) }
}
