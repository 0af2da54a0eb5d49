/// The targets of `Package.swift`, their dependencies and the products, read from its text.
struct Manifest {
    struct Target: Equatable {
        var name: String
        var dependencies: [String]
        var isTest: Bool
        var line: Int
        /// The name of a system library outside the manifest.
        var library: String?
    }

    private(set) var targets: [Target] = []
    /// The targets of each product.
    private(set) var products: [String: [String]] = [:]

    init(text: String) {
        let source = SourceText(path: "Package.swift", text: text)
        let raw = Array(text.utf8)
        for call in ["module(", ".systemLibrary(", ".executableTarget(", ".target(", "tests(", ".testTarget("] {
            let isTest = call.lowercased().contains("test")
            for arguments in source.calls(of: call) {
                // The helper functions of the manifest pass their parameters on: no literal, no target.
                let strings = Self.strings(in: raw, code: source.code, range: arguments)
                guard let name = strings.first(where: { $0.label == "name:" || $0.label == "" }) else { continue }
                let labels = [
                    "package:", "path:", "exclude:", "pkgConfig:", "providers:", "libraries:", ".copy", ".process",
                    ".embedInCode",
                    ".apt",
                ]
                let others = strings.filter { $0.offset != name.offset && !labels.contains($0.label) }
                targets.append(
                    Target(
                        name: name.text, dependencies: others.map(\.text), isTest: isTest,
                        line: source.line(at: arguments.lowerBound),
                        library: strings.first { $0.label == "pkgConfig:" }?.text))
            }
        }
        for arguments in [".library(", ".executable("].flatMap({ source.calls(of: $0) }) {
            let strings = Self.strings(in: raw, code: source.code, range: arguments)
            guard let name = strings.first(where: { $0.label == "name:" }) else { continue }
            products[name.text] = strings.filter { $0.offset != name.offset }.map(\.text)
        }
    }

    /// The targets of this package.
    var names: Set<String> { Set(targets.map(\.name)) }

    /// All that a program carries which depends on these products alone: their targets, and what those depend on,
    /// modules of other packages included.
    func closure(ofProducts names: [String]) -> Set<String> {
        closure(ofTargets: names.flatMap { products[$0] ?? [] })
    }

    /// These modules and all that they depend on.
    func closure(ofTargets names: [String]) -> Set<String> {
        let dependencies = Dictionary(targets.map { ($0.name, $0.dependencies) }) { first, _ in first }
        var found: Set<String> = []
        var open = names
        while let next = open.popLast() {
            if found.insert(next).inserted { open += dependencies[next] ?? [] }
        }
        return found
    }

    private struct Literal {
        var text: String
        var label: String
        var offset: Int
    }

    /// The string literals of a range, each with the label or call directly before it.
    private static func strings(in raw: [UInt8], code: [UInt8], range: Range<Int>) -> [Literal] {
        var found: [Literal] = []
        var at = range.lowerBound
        while at < range.upperBound {
            guard code[at] == Ascii.quote, let end = code[(at + 1)..<range.upperBound].firstIndex(of: Ascii.quote)
            else {
                at += 1
                continue
            }
            let text = String(decoding: raw[(at + 1)..<end], as: UTF8.self)
            found.append(Literal(text: text, label: label(before: at, in: code, from: range.lowerBound), offset: at))
            at = end + 1
        }
        return found
    }

    private static func label(before offset: Int, in code: [UInt8], from start: Int) -> String {
        var end = offset
        let skipped: [UInt8] = [Ascii.blank, Ascii.newline, Ascii.open, UInt8(ascii: "[")]
        while end > start, skipped.contains(code[end - 1]) { end -= 1 }
        var begin = end
        while begin > start, !skipped.contains(code[begin - 1]), code[begin - 1] != UInt8(ascii: ",") { begin -= 1 }
        let word = String(decoding: code[begin..<end], as: UTF8.self)
        return word == "dependencies:" ? "dependency" : word
    }
}

extension SourceText {
    /// The ranges between the parentheses of every call written as `name(`.
    func calls(of name: String) -> [Range<Int>] {
        occurrences(of: name).compactMap { offset in
            let start = offset + name.utf8.count
            var depth = 1
            var at = start
            while at < code.count {
                if code[at] == Ascii.open { depth += 1 }
                if code[at] == Ascii.close { depth -= 1 }
                if depth == 0 { return start..<at }
                at += 1
            }
            return nil
        }
    }

    /// Returns the offsets of `text` in the code. A word of it counts only when it is not part of a longer one.
    func occurrences(of text: String) -> [Int] {
        let needle = Array(text.utf8)
        guard let first = needle.first, let last = needle.last, code.count >= needle.count,
            needle.split(whereSeparator: { !Ascii.isWord($0) })
                .allSatisfy({ words.contains(String(decoding: $0, as: UTF8.self)) })
        else { return [] }
        return (0...(code.count - needle.count)).filter { at in
            guard code[at] == first, code[at..<(at + needle.count)].elementsEqual(needle) else { return false }
            if Ascii.isWord(first), at > 0, Ascii.isWord(code[at - 1]) { return false }
            let end = at + needle.count
            return !(Ascii.isWord(last) && end < code.count && Ascii.isWord(code[end]))
        }
    }
}
