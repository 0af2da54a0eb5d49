import MeshCompanion
import MeshCore

/// Decides the way of one outgoing message, from its turn to its end.
///
/// It governs the order of the steps, the attempts, and the outcome of an error in each state. It does not match
/// confirmations, which `ConfirmationLedger` does, and keeps no distance between texts. `RetryPlan` counts the
/// attempts. `MessageService` writes, waits and stores. A channel message has one attempt and is never confirmed.
///
/// ```
///             +-- no room: 0.5, 1, 2 s; unknown: contact added once
///             v   |
/// queued --> writing --accepted--> waiting --unconfirmed--> pausing
///   |         |   ^                 |   |                     |  |
///   |         |   +-----------------|---|---------------------+  |
///   |         |                     |   |                        |
///   |         |                     |   +--none left--> failed   |
///   |         |                     +--confirmed--> delivered <--+
///   |         +--refused--> failed
///   |         +--no answer to the first--> waiting if a confirmation has come, else failed
///   +---------+--link lost, called off: first attempt: in the queue; later: left sent
/// ```
///
/// Where the profile keeps no unfinished sends, the loss of the link fails them.
struct SendPlan: ~Copyable {
    /// The steps before a message is written, for the first time or again.
    enum Step: Hashable, Sendable {
        /// Give the radio the contact that it lacks.
        case addContact
        /// Let about this time pass.
        case pause(Duration)
        case giveUp(StackError)
    }

    /// The result of a turn or a pause that is over.
    enum OnWrite: Hashable, Sendable {
        /// Write this attempt, after the step where there is one.
        case write(RetryPlan.Attempt, after: Step?)
        /// No attempt is left, or none is due in this state.
        case nothing
    }

    /// The result of a wait that ended without a confirmation.
    enum OnUnconfirmed: Hashable, Sendable {
        /// Pause, then write this attempt.
        case retry(RetryPlan.Attempt)
        /// All attempts are made: the message has failed.
        case giveUp
        /// The message does not wait for a confirmation.
        case nothing
    }

    /// The outcome for a message that an error has stopped.
    enum OnStopped: Hashable, Sendable {
        /// The message waits in the queue for the next connection.
        case queue
        /// The row stays sent: a confirmation still counts.
        case leaveSent
        /// The message has failed. Unless that is final, a late confirmation delivers it.
        case fail(isFinal: Bool)
        /// The message has failed, unless a confirmation that has come shows that the radio accepted it.
        case failUnlessConfirmed
        /// The way was over before.
        case nothing
    }

    /// The rules of a message, which no step changes.
    private struct Rules {
        let isChannel: Bool
        /// True when the radio should know the contact.
        let isOnRadio: Bool
        /// The pauses before further writes of an attempt for which the radio has no room.
        let pauses: [Duration]
        /// True when the profile keeps unfinished sends.
        let keeps: Bool

        func isKept(_ error: any Error, orElse condition: Bool = false) -> Bool {
            error is CancellationError || keeps && (condition || error.isLinkLoss)
        }
    }

    /// One attempt as it is written.
    private struct Write {
        var retry: RetryPlan
        var pauses: ArraySlice<Duration>
        /// True while the contact may still be added to the radio.
        var mayAdd: Bool
    }

    private enum State: ~Copyable {
        case queued(RetryPlan)
        case writing(Write)
        case waiting(RetryPlan)
        case pausing(RetryPlan, RetryPlan.Attempt)
        case over
    }

    private let rules: Rules
    private var state: State

    private init(_ rules: Rules, _ state: consuming State) {
        self.rules = rules
        self.state = state
    }

    /// The way of a direct message that waits for its turn; `isOnRadio`: whether the radio should know the contact.
    init(_ retry: RetryPlan, policy: MessagePolicy, isOnRadio: Bool) {
        self.init(Self.rules(policy, isChannel: false, isOnRadio: isOnRadio), .queued(retry))
    }

    /// The way of a direct message that was sent, from the wait for its confirmation on.
    init(sent retry: RetryPlan, policy: MessagePolicy, isOnRadio: Bool) {
        self.init(Self.rules(policy, isChannel: false, isOnRadio: isOnRadio), .waiting(retry))
    }

    /// The way of a channel message that waits for its turn.
    init(channel policy: MessagePolicy) {
        var once = policy.retry
        once.maxAttempts = 1
        let attempts = RetryPlan(policy: once, hasPath: false, textBytes: 0)
        self.init(Self.rules(policy, isChannel: true, isOnRadio: true), .queued(attempts))
    }

    private static func rules(_ policy: MessagePolicy, isChannel: Bool, isOnRadio: Bool) -> Rules {
        Rules(
            isChannel: isChannel, isOnRadio: isOnRadio, pauses: policy.tableFullPauses,
            keeps: policy.unfinishedSends == .keep)
    }

    /// Begins to write, as the turn of the message has come or the pause before an attempt is over.
    mutating func write() -> OnWrite {
        let rules = rules
        switch consume state {
        case .queued(let retry):
            guard let attempt = retry.next else {
                self = Self(rules, .over)
                return .nothing
            }
            self = Self(rules, .writing(Self.begin(retry, rules)))
            return .write(attempt, after: rules.isOnRadio ? nil : .addContact)
        case .pausing(let retry, let attempt):
            self = Self(rules, .writing(Self.begin(retry, rules)))
            return .write(attempt, after: rules.isOnRadio ? nil : .addContact)
        case .writing(let write): self = Self(rules, .writing(write))
        case .waiting(let retry): self = Self(rules, .waiting(retry))
        case .over: self = Self(rules, .over)
        }
        return .nothing
    }

    private static func begin(_ retry: RetryPlan, _ rules: Rules) -> Write {
        Write(retry: retry, pauses: rules.pauses[...], mayAdd: rules.isOnRadio)
    }

    /// Handles the radio's refusal of a write; returns `nil` when nothing can be done about the reason that it gives.
    mutating func refused(_ reason: ErrorCode?) -> Step? {
        let rules = rules
        var step: Step?
        switch consume state {
        case .writing(var write):
            step = Self.step(after: reason, &write, rules)
            self = Self(rules, .writing(write))
        case .queued(let retry): self = Self(rules, .queued(retry))
        case .waiting(let retry): self = Self(rules, .waiting(retry))
        case .pausing(let retry, let attempt): self = Self(rules, .pausing(retry, attempt))
        case .over: self = Self(rules, .over)
        }
        return step
    }

    private static func step(after reason: ErrorCode?, _ write: inout Write, _ rules: Rules) -> Step? {
        switch reason {
        case .tableFull:
            let error = StackError(.messages, .notSent("the radio has no room for it"))
            return write.pauses.popFirst().map(Step.pause) ?? .giveUp(error)
        case .notFound where rules.isChannel: return .giveUp(StackError(.messages, .channelNotFound))
        case .notFound:
            // The radio drops contacts by itself, and takes no message for one that it does not have.
            defer { write.mayAdd = false }
            return write.mayAdd ? .addContact : .giveUp(StackError(.messages, .contactNotFound))
        default: return nil
        }
    }

    /// Handles the radio's acceptance of a direct message; returns the wait for a confirmation, `nil` if none was
    /// written.
    mutating func accepted(_ sent: MessageSentInfo) -> Duration? {
        let rules = rules
        switch consume state {
        case .writing(var write):
            let wait = write.retry.sent(sent)
            self = Self(rules, .waiting(write.retry))
            return wait
        case .queued(let retry): self = Self(rules, .queued(retry))
        case .waiting(let retry): self = Self(rules, .waiting(retry))
        case .pausing(let retry, let attempt): self = Self(rules, .pausing(retry, attempt))
        case .over: self = Self(rules, .over)
        }
        return nil
    }

    /// Handles a wait that is over without a confirmation.
    mutating func unconfirmed() -> OnUnconfirmed {
        let rules = rules
        switch consume state {
        case .waiting(let retry):
            guard let attempt = retry.next else {
                self = Self(rules, .over)
                return .giveUp
            }
            self = Self(rules, .pausing(retry, attempt))
            return .retry(attempt)
        case .queued(let retry): self = Self(rules, .queued(retry))
        case .writing(let write): self = Self(rules, .writing(write))
        case .pausing(let retry, let attempt): self = Self(rules, .pausing(retry, attempt))
        case .over: self = Self(rules, .over)
        }
        return .nothing
    }

    /// Ends the way by an error; returns the outcome for the message.
    ///
    /// After `failUnlessConfirmed` it waits: its holder gives it up where no confirmation has come.
    mutating func stopped(by error: any Error) -> OnStopped {
        let rules = rules
        let outcome: OnStopped
        switch consume state {
        case .queued:
            outcome = rules.isKept(error, orElse: !rules.isChannel) ? .queue : .fail(isFinal: true)
        case .writing(let write) where write.retry.attempts > 0:
            outcome = rules.isKept(error) ? .leaveSent : .fail(isFinal: false)
        case .writing(let write):
            if !rules.isChannel, case SessionError.timeout = error {
                // The radio may have accepted it.
                self = Self(rules, .waiting(write.retry))
                return .failUnlessConfirmed
            }
            outcome = rules.isKept(error) ? .queue : .fail(isFinal: true)
        // The radio has it, whatever the profile does with unfinished sends: only an error of the store fails it.
        case .waiting: outcome = error.callsOff ? .leaveSent : .fail(isFinal: false)
        case .pausing: outcome = error.callsOff ? .leaveSent : .fail(isFinal: false)
        case .over: outcome = .nothing
        }
        self = Self(rules, .over)
        return outcome
    }

    /// Ends the way of a message that is delivered, deleted or finished elsewhere.
    mutating func end() { self = Self(rules, .over) }

    /// The attempts of a message that waits for its confirmation, for the task that goes on with it; else `nil`.
    consuming func handOver() -> RetryPlan? {
        switch consume state {
        case .waiting(let retry): retry
        case .queued: nil
        case .writing: nil
        case .pausing: nil
        case .over: nil
        }
    }
}

extension Error {
    /// True when the link has gone, so that the message may be sent over the next one.
    var isLinkLoss: Bool {
        (self as? SessionError)?.isLinkLoss ?? (stackReason == .notConnected)
    }

    /// True when the sending was called off: by its caller, or by the end of the service.
    fileprivate var callsOff: Bool { self is CancellationError || isLinkLoss }
}
