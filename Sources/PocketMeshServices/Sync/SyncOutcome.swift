/// The outcome of a synchronisation.
public struct SyncOutcome: Hashable, Sendable {
    /// The error that ended it early; `nil` when it was completed.
    public var failure: StackError?
    /// The parts that it went on without.
    public var omissions: [SyncOmission]

    public init(failure: StackError? = nil, omissions: [SyncOmission] = []) {
        self.failure = failure
        self.omissions = omissions
    }

    /// True when the store has all that the radio had.
    public var isComplete: Bool { failure == nil && omissions.isEmpty }
}

extension SyncOutcome: CustomStringConvertible {
    public var description: String {
        isComplete
            ? "complete"
            : ([failure.map { "\($0)" }].compactMap(\.self) + omissions.map { "\($0)" })
                .joined(separator: "; ")
    }
}

/// Something that a synchronisation did not bring over, and that did not end it.
public enum SyncOmission: Hashable, Sendable {
    /// The radio announced more contacts than it sent, or sent some that cannot be read.
    case contacts(received: Int)
    /// Slots of channels that were not read, each with its reason.
    case channels([String])
    /// Messages that were left on the radio's queue, with the reason.
    case messages(StackError)
}

extension SyncOmission: CustomStringConvertible {
    public var description: String {
        switch self {
        case .contacts(let received): "the radio has more contacts than the \(received) that it sent"
        case .channels(let reasons) where reasons.count == 1: reasons[0]
        case .channels(let reasons): "\(reasons.count) channel slots were not read: \(reasons[0])"
        case .messages(let error): "\(error)"
        }
    }
}
