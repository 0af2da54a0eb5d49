/// The content of a text on a channel: the sender's name and the words.
///
/// Firmware puts the node's name and a colon before each text on a channel. Nothing proves that the name is right.
public struct ChannelText: Hashable, Sendable {
    /// `nil` where the text has no colon, or nothing before it.
    public var senderName: String?
    /// The words of the text, without the sender's name.
    public var text: String

    /// Splits at the first colon and trims both parts.
    public init(_ raw: String) {
        guard let colon = Self.firstColon(in: raw) else {
            text = raw
            return
        }
        let name = raw[..<colon].trimmingBlanks
        guard !name.isEmpty else {
            text = raw
            return
        }
        senderName = name
        text = raw[raw.index(after: colon)...].trimmingBlanks
    }
}

extension ChannelText {
    /// The first colon that is a character of its own: one with an accent on it is none.
    private static func firstColon(in raw: String) -> String.Index? {
        guard let byte = raw.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let next = raw.utf8.index(after: byte)
        // Between two of ASCII there is always a boundary, but for CR and LF.
        let isAlone =
            (byte == raw.startIndex || raw.utf8[raw.utf8.index(before: byte)] < 0x80)
            && (next == raw.endIndex || raw.utf8[next] < 0x80)
        return isAlone ? byte : raw.firstIndex(of: ":")
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without blanks and tabs at its ends; equal to Foundation's `whitespaces`, without a detour over its
    /// strings.
    var trimmingBlanks: String {
        // Most have none but those of ASCII, and begin and end as English does.
        let bytes = self[...].utf8.drop { $0 == 0x20 || $0 == 0x09 }
        if let first = bytes.first, 0x21...0x7E ~= first,
            let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }), 0x21...0x7E ~= bytes[last]
        {
            return String(Substring(bytes[...last]))
        }
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
        }
        let head = self[...].unicodeScalars.drop(while: isBlank)
        return String(Substring(head[..<(head.lastIndex { !isBlank($0) }.map(head.index(after:)) ?? head.startIndex)]))
    }
}
