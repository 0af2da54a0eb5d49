import FoundationEssentials

/// The colours of verdicts on a terminal; elsewhere text stays as it is.
///
/// `NO_COLOR` (with any value but an empty one) and `TERM=dumb` switch them off.
public struct TerminalStyle: Hashable, Sendable {
    /// Tells whether words are coloured.
    public let hasColor: Bool

    /// Coloured on a terminal, unless the environment says no.
    public init(isTerminal: Bool, environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        hasColor = isTerminal && environment["NO_COLOR", default: ""].isEmpty && !["", "dumb"].contains(terminal)
    }

    /// Of standard output.
    public static let output = TerminalStyle(
        isTerminal: StandardOutput.isTerminal, environment: ProcessInfo.processInfo.environment)

    /// The words that a line may begin with, and their colours: green, red, yellow, or dim without a verdict.
    private static let verdicts: [(words: String, code: String)] = [
        ("kept", "32"), ("delivered", "32"), ("partly delivered", "33"), ("not delivered", "31"), ("BROKEN", "31;1"),
        ("FAILED", "31;1"), ("not run", "2"), ("n/a", "2"),
    ]

    /// The text with the verdict at the beginning of each line in its colour.
    ///
    /// The text must hold no control characters of strangers any more: they are made visible first, and colours come
    /// after that.
    public func painted(_ text: String) -> String {
        guard hasColor else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.painted(line:))
            .joined(separator: "\n")
    }

    private static func painted(line: Substring) -> String {
        let indent = line.prefix { $0 == " " }
        let rest = line.dropFirst(indent.count)
        // A verdict stands at the edge; only a soak's stands below its scenario.
        guard indent.count <= 2 else { return String(line) }
        for (words, code) in verdicts where rest.hasPrefix(words) {
            let behind = rest.dropFirst(words.count)
            guard behind.isEmpty || behind.first == " " else { continue }
            return "\(indent)\u{1B}[\(code)m\(words)\u{1B}[0m\(behind)"
        }
        return String(line)
    }
}
