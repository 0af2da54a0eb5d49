public import MeshWire

/// A text that a person has sent or received, as the app shows it.
public struct ScenarioMessage: Hashable, Sendable {
    /// The conversation of a message in the app.
    public enum Thread: Hashable, Sendable {
        /// The conversation with a contact, by the first 6 bytes of the key.
        case contact(FixedBytes<6>)
        /// On a channel.
        case channel(ChannelWord)
        /// A room's posts, by the first 6 bytes of the room's key.
        case room(FixedBytes<6>)
    }

    /// The status of a sent message, as an app shows it.
    public enum DeliveryStatus: String, Hashable, Sendable, CaseIterable {
        case waiting, sending, sent, retrying, delivered, failed
    }

    /// The text of the message.
    public var text: String
    /// The conversation that it is in.
    public var thread: Thread
    /// `nil` for what was received.
    public var standing: DeliveryStatus?
    /// Attempts that were made, where the app counts them.
    public var attempts = 1
    /// Milliseconds from the attempt that was confirmed to its confirmation, where the app measures it.
    public var roundTrip: UInt32?
    /// Tells whether it came or went by flood, where the app knows.
    public var isFlood: Bool?
    /// Confirmations beyond the first one, and echoes of a channel text, where the app counts them.
    public var repeats = 0
    /// The number of times that the radio has delivered it; a sender without an answer sends again.
    public var copies = 1
    /// Of a post that a room brought: whose it is, by the first 4 bytes of the key.
    public var author: FixedBytes<4>?
    /// Of a post that a room brought: the room's time stamp, by which posts are in order.
    public var postTime: UInt32?

    /// Tells whether it came from another node.
    public var isReceived: Bool { standing == nil }

    /// Texts as a report lists them: `no text`, or the first three.
    static func list(_ texts: [String]) -> String {
        guard !texts.isEmpty else { return "no text" }
        let more = texts.count > 3 ? " and \(texts.count - 3) more" : ""
        return "only " + texts.prefix(3).map { "“\($0)”" }.joined(separator: ", ") + more
    }
}
