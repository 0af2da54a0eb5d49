/// A Swift file twice: as written, and with comments and the contents of strings blanked out.
///
/// The rules about code look at `code`, so that a comment may name what is forbidden. Code inside a
/// string interpolation stays visible.
struct SourceText {
    /// Path from the root of the repository.
    let path: String
    /// The lines as written.
    let lines: [String]
    /// The same bytes with comments and string contents replaced by blanks; newlines stay where they are.
    let code: [UInt8]
    /// `code`, cut into lines.
    let codeLines: [String]
    /// All identifiers and keywords of the code: most searches end here.
    let words: Set<String>

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var blanker = CodeBlanker(bytes: Array(text.utf8))
        blanker.run()
        code = blanker.bytes
        codeLines = code.split(separator: Ascii.newline, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        words = Set(code.split { !Ascii.isWord($0) }.map { String(decoding: $0, as: UTF8.self) })
    }

    /// The line, counted from 1, that holds the byte at `offset`.
    func line(at offset: Int) -> Int {
        1 + code[..<min(offset, code.count)].count { $0 == Ascii.newline }
    }

    /// The names of the modules imported, with their lines; attributes and access levels are seen through.
    var imports: [(module: String, line: Int)] {
        codeLines.enumerated().compactMap { index, line in
            let words = line.split { $0 == " " || $0 == "\t" }
            guard let at = words.firstIndex(of: "import"), words[..<at].allSatisfy(Self.mayPrecedeImport) else {
                return nil
            }
            // `import struct Foundation.Data` names its module last, before the first dot.
            guard let target = words[(at + 1)...].last else { return nil }
            return (String(target.prefix { $0 != "." && $0 != ";" }), index + 1)
        }
    }

    private static func mayPrecedeImport(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }
}

/// The few characters the rules look for.
enum Ascii {
    static let newline = UInt8(ascii: "\n")
    static let blank = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")
    static let star = UInt8(ascii: "*")
    static let hash = UInt8(ascii: "#")
    static let open = UInt8(ascii: "(")
    static let close = UInt8(ascii: ")")

    /// Tells whether the byte can stand in an identifier.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
