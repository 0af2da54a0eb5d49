/// Floating point becomes a whole number through one door, `FixedWidthInteger(nearest:)` and `(wholePart:)` of
/// MeshWire.
///
/// The library's own conversions stop the program at a value that does not fit. A text does not have types: the rule
/// sees what is floating point by its look, and names that were last declared so in the same file.
enum WholeNumberRule {
    static let door = "Sources/MeshWire/WholeNumbers.swift"

    private static let types = ["Int", "UInt"] + ["8", "16", "32", "64", "128"].flatMap { ["Int\($0)", "UInt\($0)"] }

    /// Conversions past the door.
    static func check(_ file: SourceText) -> [Finding] {
        guard file.path != door else { return [] }
        return types.flatMap { type in
            file.calls(of: type + "(").compactMap { arguments in
                let text = file.text(of: arguments)
                guard text.prefixMatch(of: /\s*\w+:/) == nil,
                    looksFloating(text) || hasFloatingName(text, before: arguments.lowerBound, in: file)
                else { return nil }
                return Finding(
                    path: file.path, line: file.line(at: arguments.lowerBound),
                    message:
                        "`\(type)(…)` of floating point stops at what does not fit: `nearest:`, `wholePart:`, `exactly:`"
                )
            }
        }
    }

    /// Tells whether a term of floating point stands there.
    private static func looksFloating(_ text: String) -> Bool {
        text.contains(".rounded(") || text.contains("timeIntervalSince")
            || text.contains(/(^|[^\w.])\d[\d_]*(\.\d|e\d)/) || text.contains(/(^|[^\w.])0x[0-9A-Fa-f_.]+p/)
            || text.contains(/\b(Double|Float)\(/) || text.contains(/\/ \.(micro|milli)?seconds\(/)
    }

    private static func hasFloatingName(_ text: String, before offset: Int, in file: SourceText) -> Bool {
        text.matches(of: /(?:^|[^\w.])(?:self\.|Self\.)?([A-Za-z_]\w*)/).contains { match in
            // A member or a call of it may be anything.
            let rest = text[match.range.upperBound...].first
            return !".([?".contains(rest ?? " ") && isFloating(String(match.1), before: offset, in: file)
        }
    }

    /// Tells whether the name was last declared as a floating point number.
    private static func isFloating(_ name: String, before offset: Int, in file: SourceText) -> Bool {
        let declarations = file.occurrences(of: name).filter { $0 < offset }.compactMap { place -> Bool? in
            let line = file.codeLines[file.line(at: place) - 1]
            guard let start = line.firstRange(of: name) else { return nil }
            let (before, after) = (line[..<start.lowerBound], line[start.upperBound...])
            if after.contains(/^: *(Double|Float|TimeInterval)\b/) { return true }
            if after.contains(/^: *[\[A-Z]/) { return false }
            guard before.contains(/\b(let|var) $/) else { return nil }
            return after.contains(/^ = *(\(?-?\d[\d_]*\.\d|Double\(|Float\()/) || after.hasSuffix(".rounded()")
        }
        return declarations.last ?? false
    }
}
