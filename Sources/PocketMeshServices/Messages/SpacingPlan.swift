import FoundationEssentials

/// Decides on the time between texts to the same recipient.
///
/// The rest begins when a text is written, and ends early with the last word on that text.
///
/// ```
/// texts   -1--------2-------------3-
/// acks    ----1---------x-----------    the second is lost: the third goes when the rest is over
/// ```
struct SpacingPlan: Hashable, Sendable {
    private struct Rest: Hashable, Sendable {
        let recipient: UUID
        /// The text that was written, whose confirmation or failure ends the rest.
        let messageID: UUID
        let end: Duration
        /// The text that waits.
        var follower: UUID?
    }

    private var rests: [Rest] = []

    /// A text was written for the first time; the next one to the recipient rests until then.
    mutating func begin(behind messageID: UUID, to recipient: UUID, until end: Duration) {
        rests.removeAll { $0.recipient == recipient }
        rests.append(Rest(recipient: recipient, messageID: messageID, end: end))
    }

    /// The first of the recipient's line is to follow; how long it rests, `nil` when it need not.
    mutating func follow(_ recipient: UUID, by messageID: UUID, at now: Duration) -> Duration? {
        guard let index = rests.firstIndex(where: { $0.recipient == recipient }) else { return nil }
        rests[index].follower = messageID
        return rests[index].end - now
    }

    /// Ends the rest of a recipient, whose next message goes on.
    mutating func pass(_ recipient: UUID) { rests.removeAll { $0.recipient == recipient } }

    /// Nothing more is to be heard of a text; the one that need not wait for it any more.
    mutating func end(behind messageID: UUID) -> UUID? {
        guard let index = rests.firstIndex(where: { $0.messageID == messageID }) else { return nil }
        return rests.remove(at: index).follower
    }
}
