/// The progress of a message: the one word for it in reports, in the control API and on pages.
package enum MessageStanding: String, Hashable, Sendable, CaseIterable {
    /// Its radio has not transmitted it yet.
    case waiting
    /// Part of it is on the air or in a queue.
    case sent
    /// All its recipients have it, or some of them and nothing more of it is on its way.
    case delivered
    /// The sender's app knows that it has arrived.
    case acknowledged
    /// Its radio refused it.
    case refused
    /// No recipient has it, and nothing of it is left.
    case givenUp

    /// Conclusions from the facts about a message. The page of the player has the same in `standingOf`.
    init(isTransmitted: Bool, isDelivered: Bool, isAcknowledged: Bool, end: MessageEnd?) {
        self =
            if isAcknowledged {
                .acknowledged
            } else if let end {
                end == .refused ? .refused : end.hasArrived ? .delivered : .givenUp
            } else if isDelivered {
                .delivered
            } else {
                isTransmitted ? .sent : .waiting
            }
    }
}

/// The end of a message that was not acknowledged: nothing of it is on the air or in a queue any more.
public enum MessageEnd: String, Hashable, Sendable, CaseIterable {
    /// All its recipients have it.
    case delivered
    /// Some of its recipients have it.
    case partlyDelivered
    /// The recipient has it, and its acknowledgement was lost on the way.
    case acknowledgementLost
    /// Its radio has had the acknowledgement, and no app was there to learn of it.
    case notTold
    /// Its radio refused it.
    case refused
    /// Its radio went down before it had transmitted it.
    case radioDown
    /// No radio received it.
    case notReceived
    /// Radios received it, and no copy came as far as the recipient.
    case notReached
    /// Copies came as far as the recipient, which received none of them.
    case lost
    /// The recipient received it, and has no key that opens it.
    case notOpened

    /// True when any recipient has it.
    public var hasArrived: Bool {
        switch self {
        case .delivered, .partlyDelivered, .acknowledgementLost, .notTold: true
        case .refused, .radioDown, .notReceived, .notReached, .lost, .notOpened: false
        }
    }

    /// The end in the words of reports.
    public var words: String {
        switch self {
        case .delivered: "it has arrived"
        case .partlyDelivered: "some did not get it"
        case .acknowledgementLost: "its acknowledgement was lost"
        case .notTold: "no app was there to learn that it has arrived"
        case .refused: "its radio did not take it"
        case .radioDown: "its radio went down before it had sent it"
        case .notReceived: "no radio received it"
        case .notReached: "no copy came as far as its recipient"
        case .lost: "its recipient lost every copy"
        case .notOpened: "its recipient has no key for it, as of a sender that it does not know"
        }
    }
}
