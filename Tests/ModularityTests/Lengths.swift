/// The longest functions, files and modules, in lines.
enum Lengths {
    static let function = 70
    static let file = 600
    static let module = 14_100
    /// The limits of modules that may be longer. The services of the stack share their errors, policies and events;
    /// their parts would have to be public to each other in two modules. A board's power, its sensors and
    /// its bridge are read in the middle of the firmware's passes, and its display changes there. The checks of
    /// leaving and of several interfaces, and the surveys of the command's bench, are to move out.
    static let modules = [
        "PocketMeshServices": 15_900, "MeshFirmware": 15_000, "MeshCompliance": 14_700, "meshbed": 15_800,
    ]
    /// Files of the shells round a world's driver, which perform effects and decide nothing.
    static let shells = [
        "Sources/MeshEmulator/Running/WorldRunner.swift", "Sources/MeshEmulator/Loopback/LoopbackWorld.swift",
    ]
    static let shell = 200
    /// The columns of a comment; those of code are the formatter's.
    static let comment = 120

    /// Functions and initialisers with more lines than allowed.
    static func functions(_ file: SourceText, limit: Int = function) -> [Finding] {
        let starts = ["func", "init", "deinit"].flatMap { word in
            file.occurrences(of: word).filter { isDeclaration(at: $0, of: word, in: file.code) }
        }
        return starts.sorted().compactMap { start in
            guard let body = body(after: start, in: file.code) else { return nil }
            let length = file.line(at: body.upperBound) - file.line(at: start) + 1
            guard length > limit else { return nil }
            return Finding(
                path: file.path, line: file.line(at: start),
                message: "a function of \(length) lines (at most \(limit)): keep the branches here, move the leaves out"
            )
        }
    }

    /// A file above the limit without a reason in a comment of its first 15 lines ("Long because…", "One table…").
    static func files(path: String, lines: [String], limit: Int = file) -> [Finding] {
        guard lines.count > limit else { return [] }
        let comments = lines.prefix(15).filter { $0.contains("//") }.map { $0.lowercased() }
        guard !comments.contains(where: { $0.contains("long because") || $0.hasWord("table") }) else { return [] }
        return [
            Finding(
                path: path, line: 0,
                message: "\(lines.count) lines (at most \(limit)): split it, or begin with `// Long because …`")
        ]
    }

    /// Comments that go beyond the last column, also behind code.
    static func comments(_ file: SourceText, limit: Int = comment) -> [Finding] {
        zip(file.lines, file.codeLines).enumerated().compactMap { index, line in
            let (written, code) = line
            let end = code.utf8.lastIndex { $0 != Ascii.blank }.map {
                code.utf8.distance(from: code.startIndex, to: $0) + 1
            }
            let rest = written.utf8.dropFirst(end ?? 0).drop { $0 == Ascii.blank }
            guard rest.starts(with: "//".utf8), written.count > limit else { return nil }
            return Finding(
                path: file.path, line: index + 1,
                message: "a comment of \(written.count) columns (at most \(limit)): break the line")
        }
    }

    /// Modules with more lines than allowed.
    static func modules(_ files: [SourceText], limit: Int = module) -> [Finding] {
        Dictionary(grouping: files) { Repository.module(of: $0.path) }.sorted { $0.key < $1.key }.compactMap {
            module, files in
            // Behind the last line break there is no line.
            let length = files.reduce(0) { $0 + $1.lines.count - ($1.lines.last == "" ? 1 : 0) }
            let limit = Self.modules[module] ?? limit
            guard length > limit else { return nil }
            return Finding(
                path: module, line: 0,
                message: "\(length) lines (at most \(limit)): move what has another reason to change")
        }
    }

    /// `.init(…)` and `self.init(…)` are calls; a label `init:` is a label.
    private static func isDeclaration(at offset: Int, of word: String, in code: [UInt8]) -> Bool {
        if offset > 0, [UInt8(ascii: "."), UInt8(ascii: "`")].contains(code[offset - 1]) { return false }
        let next = offset + word.utf8.count
        guard next < code.count else { return false }
        switch word {
        case "func": return code[next] == Ascii.blank
        case "init": return [Ascii.open, UInt8(ascii: "<"), UInt8(ascii: "?")].contains(code[next])
        default: return true
        }
    }

    /// The range of the braces that follow a signature, or nil where the signature has no body.
    private static func body(after start: Int, in code: [UInt8]) -> Range<Int>? {
        var at = start
        var depth = 0
        while at < code.count, !(code[at] == UInt8(ascii: "{") && depth == 0) {
            if code[at] == Ascii.open || code[at] == UInt8(ascii: "[") { depth += 1 }
            if code[at] == Ascii.close || code[at] == UInt8(ascii: "]") { depth -= 1 }
            if depth < 0 || code[at] == UInt8(ascii: "}") { return nil }
            if code[at] == Ascii.newline, depth == 0, !continues(after: at, in: code) { return nil }
            at += 1
        }
        guard at < code.count else { return nil }
        let open = at
        repeat {
            if code[at] == UInt8(ascii: "{") { depth += 1 }
            if code[at] == UInt8(ascii: "}") { depth -= 1 }
            at += 1
        } while depth > 0 && at < code.count
        return open..<(at - 1)
    }

    /// Tells whether the signature goes on in the next line.
    private static func continues(after newline: Int, in code: [UInt8]) -> Bool {
        let rest = code[(newline + 1)...].drop { $0 == Ascii.blank || $0 == Ascii.newline }
        return ["{", "where ", "->", "throws", "async", "rethrows", "("].contains { rest.starts(with: $0.utf8) }
    }
}
