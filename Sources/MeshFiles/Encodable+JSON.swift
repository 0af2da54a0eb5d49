import FoundationEssentials

extension Encodable {
    /// The value as JSON with sorted keys, so that equal values give equal bytes: in one line, or with a line for each
    /// member.
    package func jsonText(inOneLine: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !inOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
