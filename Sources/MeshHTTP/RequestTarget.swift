/// The target of a request, `/nodes/alice?limit=3`, decoded.
package struct RequestTarget {
    /// The parts of the path: none for `/`.
    package let path: [String]
    package let query: [(name: String, value: String)]

    /// Reads `/PATH` or `/PATH?QUERY`.
    ///
    /// A path is cut before it is decoded, so a slash in the name of a node does not cut.
    package init(_ text: String) throws(WebRefusal) {
        let bytes = text.utf8
        guard bytes.first == Self.slash else { throw WebRefusal(.badRequest, "A path begins with a slash.") }
        let path = bytes.prefix { $0 != Self.questionMark }
        let parts = path.dropFirst().split(separator: Self.slash, omittingEmptySubsequences: false)
        self.path = path.count == 1 ? [] : try Self.decoded(parts, plusIsBlank: false)
        var query: [(name: String, value: String)] = []
        for member in bytes.dropFirst(path.count + 1).split(separator: UInt8(ascii: "&")) {
            let name = member.prefix { $0 != UInt8(ascii: "=") }
            let words = try Self.decoded([name, member.dropFirst(name.count + 1)], plusIsBlank: true)
            query.append((words[0], words[1]))
        }
        self.query = query
    }

    private typealias Bytes = Substring.UTF8View
    private static let slash = UInt8(ascii: "/")
    private static let questionMark = UInt8(ascii: "?")
    private static let percent = UInt8(ascii: "%")

    private static func decoded(_ parts: [Bytes], plusIsBlank: Bool) throws(WebRefusal) -> [String] {
        var texts: [String] = []
        for part in parts { texts.append(try decoded(part, plusIsBlank: plusIsBlank)) }
        return texts
    }

    private static func decoded(_ part: Bytes, plusIsBlank: Bool) throws(WebRefusal) -> String {
        var found: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            switch byte {
            case percent:
                guard let high = rest.popFirst().flatMap(value(ofDigit:)),
                    let low = rest.popFirst().flatMap(value(ofDigit:))
                else {
                    throw WebRefusal(
                        .badRequest, "A percent sign of the path or query has no two hexadecimal digits.")
                }
                found.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: found.append(UInt8(ascii: " "))
            default: found.append(byte)
            }
        }
        guard let text = String(validating: found, as: UTF8.self) else {
            throw WebRefusal(.badRequest, "The path or query is no UTF-8 where it is decoded.")
        }
        return text
    }

    private static func value(ofDigit byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
