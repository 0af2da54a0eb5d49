import MeshWire

extension Pattern: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) {
        self.init(value)
    }

    init(stringInterpolation: Interpolation) {
        self.init(stringInterpolation.source)
    }

    /// Turns what stands in `\(…)` into upper-case hex.
    struct Interpolation: StringInterpolationProtocol {
        var source = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            source.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) {
            source += literal
        }

        mutating func appendInterpolation(_ bytes: some Sequence<UInt8>) {
            source += bytes.hex.uppercased()
        }

        mutating func appendInterpolation<let size: Int>(_ bytes: FixedBytes<size>) {
            source += bytes.hex.uppercased()
        }

        mutating func appendInterpolation(_ number: some FixedWidthInteger) {
            source += number.wireBytes.hex.uppercased()
        }

        mutating func appendInterpolation(_ pattern: Pattern) {
            source += pattern.source
        }
    }
}

/// Reads the tokens of a pattern, from left to right.
struct PatternParser {
    private let source: String
    private var rest: Substring

    init(_ source: String) {
        self.source = source
        rest = source[...]
    }

    /// All tokens; runs of fixed bytes are joined.
    func tokens() throws(PatternError) -> [Pattern.Token] {
        var parser = self
        var tokens: [Pattern.Token] = []
        while let token = try parser.next() {
            if case .rest? = tokens.last { throw parser.failure("goes on behind …") }
            if case .bytes(let more) = token, case .bytes(let bytes)? = tokens.last {
                tokens[tokens.count - 1] = .bytes(bytes + more)
            } else {
                tokens.append(token)
            }
        }
        return tokens
    }

    private func failure(_ reason: String) -> PatternError {
        PatternError(source: source, reason: reason)
    }

    private mutating func next() throws(PatternError) -> Pattern.Token? {
        rest = rest.drop { $0 == " " || $0 == "\n" }
        guard let first = rest.first else { return nil }
        switch first {
        case "'": return try text()
        case "?": return .any(name: "", count: try count(behind: "?"))
        case "…":
            rest = rest.dropFirst()
            return .rest(name: "")
        case "0"..."9", "A"..."F": return try hex()
        case "a"..."z": return try name()
        default: throw failure("has an unknown sign \(first)")
        }
    }

    private mutating func take(_ isPart: (Character) -> Bool) -> Substring {
        let part = rest.prefix(while: isPart)
        rest = rest.dropFirst(part.count)
        return part
    }

    private mutating func count(behind sign: Character) throws(PatternError) -> Int {
        rest = rest.dropFirst()
        guard let count = Int(take { $0.isNumber }), count > 0 else { throw failure("needs a count behind \(sign)") }
        return count
    }

    private mutating func text() throws(PatternError) -> Pattern.Token {
        rest = rest.dropFirst()
        let text = take { $0 != "'" }
        guard rest.first == "'" else { throw failure("has an open quotation") }
        rest = rest.dropFirst()
        return .bytes([UInt8](text.utf8))
    }

    private mutating func hex() throws(PatternError) -> Pattern.Token {
        let digits = take { $0.isHexDigit && ($0.isNumber || $0.isUppercase) }
        guard var bytes = [UInt8](hex: digits), let last = bytes.last else {
            throw failure("has half a byte: \(digits)")
        }
        if rest.first == "×" { bytes += [UInt8](repeating: last, count: try count(behind: "×") - 1) }
        return .bytes(bytes)
    }

    private mutating func name() throws(PatternError) -> Pattern.Token {
        let name = take { $0.isLowercase }
        if rest.first == "…" {
            rest = rest.dropFirst()
            return .rest(name: String(name))
        }
        let digits = take { $0.isNumber }
        if let count = Int(digits), count > 0 { return .any(name: String(name), count: count) }
        guard digits.isEmpty, let letter = name.first, name.allSatisfy({ $0 == letter }), name.count.isMultiple(of: 2)
        else { throw failure("has a part without a size: \(name)\(digits)") }
        return .any(name: String(letter), count: name.count / 2)
    }
}
