/// A line of a recording that breaks the protocol.
public struct ProtocolBreach: Hashable, Sendable {
    /// The rule that was broken; the raw values are the words of reports.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A field cannot be read.
        case malformed
        /// A code that is in no table.
        case unknownCode = "unknown-code"
        /// The frame is shorter or longer than the table permits.
        case length
        case answerWithoutCommand = "answer-without-command"
        case commandUnanswered = "command-unanswered"
        /// The command is never refused like this.
        case refusal
        /// A push that needs a command that was not sent.
        case pushWithoutCause = "push-without-cause"
        /// A second listing of contacts, or a contact outside of one.
        case listing
        /// A frame after the connection was closed.
        case notConnected = "not-connected"
    }

    /// The entry's place in the recording, from 0.
    public var entry: Int
    /// The rule that the line breaks.
    public var rule: Rule
    /// A sentence without its full stop.
    public var reason: String

    public init(entry: Int, _ rule: Rule, _ reason: String) {
        self.entry = entry
        self.rule = rule
        self.reason = reason
    }
}
