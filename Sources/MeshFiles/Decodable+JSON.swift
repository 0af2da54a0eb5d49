import FoundationEssentials

/// The depth that JSON from outside may have: Foundation's decoder traps on some texts of 513 levels.
package enum JSONDepth {
    /// Levels of brackets, more than twice what any file or message of this package needs.
    package static let limit = 32

    /// Tells whether a text stays within the limit. Brackets inside strings do not count; a text that is no JSON may
    /// fail too.
    package static func holds(_ text: some Sequence<UInt8>) -> Bool {
        var depth = 0
        var isText = false
        var isEscaped = false
        for byte in text {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: break
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth > limit { return false }
        }
        return true
    }
}

extension Decodable {
    /// Reads JSON in UTF-8 from outside, no deeper than `JSONDepth.limit`; the only way to Foundation's decoder.
    ///
    /// Throws a `DecodingError`, also for a text that is nested too deep.
    package init(json: [UInt8]) throws {
        // Foundation's decoder would read UTF-16 and UTF-32 too, whose brackets cannot be counted by bytes.
        guard !json.contains(0) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "has a NUL byte, so it is not UTF-8"))
        }
        guard JSONDepth.holds(json) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "nested deeper than \(JSONDepth.limit) levels"))
        }
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }
}
