import MeshCompanion
import MeshCore

/// Decides on an outgoing message that a radio does not accept at once.
///
/// It waits for nothing; `MessageService` writes, waits and stores. `RetryPlan` decides on the attempt after a text
/// that was written and not confirmed.
///
/// ```
///   turn ----> write ----> taken: sent
///    |          |  ^
///    |          |  +-- pause <---- no room            0.5, 1 and 2 s, then failed
///    |          |  +-- contact added <-- unknown      once, then failed
///    |          |
///    |          +--no answer------> failed, unless a confirmation has come
///    |          +--refused--------> failed
///    +--link lost, called off-----> first attempt: queued; a later one: left sent
/// ```
///
/// Where the profile keeps no unfinished sends, the loss of the link fails them.
struct SendPlan: Hashable, Sendable {
    /// The steps before a message is written, for the first time or again.
    enum Step: Hashable, Sendable {
        /// Give the radio the contact that it lacks.
        case addContact
        /// Let about this time pass.
        case pause(Duration)
        case giveUp(StackError)
    }

    /// The stage at which an error stops a message.
    enum Stage: Hashable, Sendable, CaseIterable {
        /// The message waits for its turn.
        case turn
        /// The first attempt of a direct message is written.
        case first
        /// A later attempt of a direct message is written.
        case later
        /// A channel message is written.
        case channel
    }

    /// The outcome for a message that an error has stopped.
    enum Fate: Hashable, Sendable {
        /// The message waits in the queue for the next connection.
        case queue
        /// The row stays sent: a confirmation still counts.
        case leaveSent
        /// The message has failed. Unless that is final, a late confirmation delivers it.
        case fail(isFinal: Bool)
        /// The message has failed, unless a confirmation that has come shows that the radio accepted it.
        case failUnlessConfirmed
    }

    private let isChannel: Bool
    private var pauses: ArraySlice<Duration>
    /// True while the contact may still be added to the radio.
    private var mayAdd: Bool

    /// The write of an attempt of a direct message; `isOnRadio`: whether the radio should know the contact.
    init(policy: MessagePolicy, isOnRadio: Bool) {
        isChannel = false
        pauses = policy.tableFullPauses[...]
        mayAdd = isOnRadio
    }

    /// The write of a channel message.
    init(channel policy: MessagePolicy) {
        isChannel = true
        pauses = policy.tableFullPauses[...]
        mayAdd = true
    }

    /// The step before the first write; `nil` when there is none.
    var beginning: Step? { mayAdd ? nil : .addContact }

    /// The radio has refused a write; `nil` when nothing can be done about the reason that it gives.
    mutating func refused(_ reason: ErrorCode?) -> Step? {
        switch reason {
        case .tableFull:
            let error = StackError(.messages, .notSent("the radio has no room for it"))
            return pauses.popFirst().map(Step.pause) ?? .giveUp(error)
        case .notFound where isChannel: return .giveUp(StackError(.messages, .channelNotFound))
        case .notFound:
            // The radio drops contacts by itself, and takes no message for one that it does not have.
            defer { mayAdd = false }
            return mayAdd ? .addContact : .giveUp(StackError(.messages, .contactNotFound))
        default: return nil
        }
    }

    /// Returns the outcome for a message that an error has stopped.
    static func fate(of error: any Error, at stage: Stage, _ policy: MessagePolicy) -> Fate {
        let keeps = policy.unfinishedSends == .keep
        let isKept = error is CancellationError || keeps && (stage == .turn || error.isLinkLoss)
        switch stage {
        case .turn, .channel: return isKept ? .queue : .fail(isFinal: true)
        case .first:
            if case SessionError.timeout = error { return .failUnlessConfirmed }
            return isKept ? .queue : .fail(isFinal: true)
        case .later: return isKept ? .leaveSent : .fail(isFinal: false)
        }
    }
}

extension Error {
    /// True when the link has gone, so that the message may be sent over the next one.
    var isLinkLoss: Bool {
        (self as? SessionError)?.isLinkLoss ?? (stackReason == .notConnected)
    }
}
