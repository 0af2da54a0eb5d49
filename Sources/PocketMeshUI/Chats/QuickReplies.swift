/// Answers that are sent with one tap.
public enum QuickReplies {
    /// The greatest number of replies.
    public static let limit = 8
    /// The replies before the user has written others.
    public static var standard: [String] {
        [.quickReplyYes, .quickReplyNo, .quickReplyThanks, .quickReplyOnMyWay].map { Texts.string($0) }
    }

    /// Reads the setting: one on each line.
    static func read(_ setting: String?) -> [String] {
        guard let setting else { return standard }
        return Array(setting.split(separator: "\n").map(String.init).prefix(limit))
    }

    /// Returns the text to store: without empty lines, and at most as many as are kept.
    static func written(_ replies: [String]) -> String {
        replies.map { $0.split(separator: "\n").joined(separator: " ") }.filter { !$0.isEmpty }.prefix(limit)
            .joined(separator: "\n")
    }
}
