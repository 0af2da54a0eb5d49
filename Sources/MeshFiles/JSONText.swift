/// A JSON value that knows its line in the file, so that an error can name it.
package struct JSONText: Sendable {
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONText])
        /// In the order of the file; no key twice.
        case object([Member])
    }

    package struct Member: Sendable {
        package let key: String
        package let line: Int
        package let value: JSONText

        package init(_ key: String, line: Int = 0, _ value: JSONText) {
            (self.key, self.line, self.value) = (key, line, value)
        }
    }

    /// Counted from 1.
    package var line: Int { Int(number) }
    package let content: Content
    /// The line in as few bytes as there may be lines: values are many.
    private let number: UInt32

    /// The most values in a text: twice what the longest world file has.
    package static let mostValues = 10_000_000

    /// Reads a text that is one value of any kind.
    ///
    /// - Parameter most: values that it may have, with those within others.
    package init(reading bytes: [UInt8], most: Int = Self.mostValues) throws(FileProblem) {
        do {
            self = try JSONReader.read(bytes, most: most)
        } catch {
            throw FileProblem(line: error.line, reason: "is no JSON: \(error.reason)")
        }
    }

    /// A value of no file has line 0, and complaints about it name no line.
    package init(line: Int = 0, content: Content) {
        number = UInt32(clamping: line)
        self.content = content
    }

    /// The name of this kind of value in an error.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// The reason why a text is no JSON.
package struct JSONProblem: Error, Hashable {
    package let line: Int
    package let reason: String
}

/// Reads JSON (RFC 8259), no deeper than `JSONDepth.limit` and no more than one value.
package struct JSONReader {
    private let bytes: [UInt8]
    private var at = 0
    private var line: Int
    private var values = 0
    private let most: Int

    private init(_ bytes: [UInt8], line: Int, most: Int) {
        self.bytes = bytes
        self.line = line
        self.most = most
    }

    /// - Parameters:
    ///   - line: the number of the text's first line.
    ///   - most: values that it may have, with those within others.
    package static func read(_ bytes: [UInt8], line: Int = 1, most: Int = .max) throws(JSONProblem) -> JSONText {
        var reader = JSONReader(bytes, line: line, most: most)
        // Some editors put a mark in front of a file, which means nothing in UTF-8.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.at = 3 }
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.at == bytes.count else { throw reader.problem("something follows the end of the value") }
        return value
    }

    private func problem(_ reason: String) -> JSONProblem { JSONProblem(line: line, reason: reason) }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            if byte == 0x0A { line += 1 }
            at += 1
        }
    }

    private mutating func expect(_ character: Unicode.Scalar, _ where: String) throws(JSONProblem) {
        skipSpace()
        guard next == UInt8(ascii: character) else { throw problem("there is no \"\(character)\" \(`where`)") }
        at += 1
    }

    private mutating func value(depth: Int) throws(JSONProblem) -> JSONText {
        skipSpace()
        guard depth < JSONDepth.limit else { throw problem("nested deeper than \(JSONDepth.limit) levels") }
        guard let first = next else { throw problem("the text ends where a value should be") }
        values += 1
        guard values <= most else { throw problem("there are more than \(most) values") }
        let start = line
        switch first {
        case UInt8(ascii: "{"): return JSONText(line: start, content: .object(try members(depth)))
        case UInt8(ascii: "["): return JSONText(line: start, content: .array(try elements(depth)))
        case UInt8(ascii: "\""): return JSONText(line: start, content: .string(try string()))
        case UInt8(ascii: "t"): return JSONText(line: start, content: try word("true", .bool(true)))
        case UInt8(ascii: "f"): return JSONText(line: start, content: try word("false", .bool(false)))
        case UInt8(ascii: "n"): return JSONText(line: start, content: try word("null", .null))
        default: return JSONText(line: start, content: .number(try number()))
        }
    }

    private mutating func members(_ depth: Int) throws(JSONProblem) -> [JSONText.Member] {
        at += 1
        var members: [JSONText.Member] = []
        // Most objects have few members, for which a set of their own is not made.
        var keys: Set<String> = []
        func isNew(_ key: String) -> Bool {
            guard members.count >= 16 else { return !members.contains { $0.key == key } }
            if keys.isEmpty { keys = Set(members.map(\.key)) }
            return keys.insert(key).inserted
        }
        skipSpace()
        if next == UInt8(ascii: "}") {
            at += 1
            return members
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw problem("there is no key in quotes") }
            let line = line
            let key = try string()
            guard isNew(key) else { throw problem("the key \"\(key)\" is there twice") }
            try expect(":", "behind the key \"\(key)\"")
            members.append(JSONText.Member(key, line: line, try value(depth: depth + 1)))
            skipSpace()
            if next == UInt8(ascii: ",") {
                at += 1
            } else {
                try expect("}", "at the end of an object")
                return members
            }
        }
    }

    private mutating func elements(_ depth: Int) throws(JSONProblem) -> [JSONText] {
        at += 1
        var elements: [JSONText] = []
        skipSpace()
        if next == UInt8(ascii: "]") {
            at += 1
            return elements
        }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if next == UInt8(ascii: ",") {
                at += 1
            } else {
                try expect("]", "at the end of a list")
                return elements
            }
        }
    }

    private mutating func word(_ word: String, _ content: JSONText.Content) throws(JSONProblem) -> JSONText.Content {
        guard bytes[at...].starts(with: word.utf8) else { throw problem("this is no value") }
        at += word.utf8.count
        return content
    }

    private mutating func number() throws(JSONProblem) -> Double {
        let start = at
        while let byte = next, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { at += 1 }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        guard text.first != "+", text.first != ".", let number = Double(text), number.isFinite else {
            throw problem("this is no value")
        }
        return number
    }

    private mutating func string() throws(JSONProblem) -> String {
        at += 1
        var text: [UInt8] = []
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw problem("the text is no UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw problem("a text does not end in its line")
            default: text.append(byte)
            }
        }
        throw problem("a text does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
        guard let byte = next else { throw problem("a text does not end") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"):
            text += [UInt8](String(Character(try scalar())).utf8)
        default: throw problem("a backslash in front of nothing that it could mean")
        }
    }

    /// The character of one escape or of a pair of them; half a pair alone becomes U+FFFD.
    private mutating func scalar() throws(JSONProblem) -> Unicode.Scalar {
        let high = try hexUnit()
        guard (0xD800..<0xDC00).contains(high), bytes[at...].starts(with: "\\u".utf8) else {
            return Unicode.Scalar(high) ?? "\u{FFFD}"
        }
        let back = at
        at += 2
        let low = try hexUnit()
        guard (0xDC00..<0xE000).contains(low) else {
            at = back
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexUnit() throws(JSONProblem) -> UInt32 {
        let digits = bytes[at...].prefix(4)
        // `UInt32` also reads a sign.
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw problem("\\u needs four hex digits")
        }
        at += 4
        return unit
    }
}
