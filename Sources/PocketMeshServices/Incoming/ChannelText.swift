/// What stands in a text on a channel: the sender's name and what was said.
///
/// Firmware puts the node's name and a colon before each text on a channel. Nothing proves that the name is right.
public struct ChannelText: Hashable, Sendable {
    /// `nil` where the text has no colon, or nothing before it.
    public var senderName: String?
    public var text: String

    /// Splits at the first colon and trims both parts.
    public init(_ raw: String) {
        let name = raw.prefix { $0 != ":" }.trimmingBlanks
        guard let colon = raw.firstIndex(of: ":"), !name.isEmpty else {
            text = raw
            return
        }
        senderName = name
        text = raw[raw.index(after: colon)...].trimmingBlanks
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Without blanks and tabs at its ends; what Foundation trims as `whitespaces`, without a detour over its strings.
    var trimmingBlanks: String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
        }
        let head = self[...].unicodeScalars.drop(while: isBlank)
        return String(Substring(head[..<(head.lastIndex { !isBlank($0) }.map(head.index(after:)) ?? head.startIndex)]))
    }
}
