import MeshCompanion
import MeshWire

/// The role of a frame for the command that waits for its answer.
enum Judgement<Reply: Sendable> {
    /// The answer to something else.
    case ignored
    /// A part of the answer; more follows.
    case part
    case reply(Reply)
    case failure(SessionError)
}

/// The time limits of an exchange, and its verdict on frames that it cannot place.
struct ExchangeLimits: Sendable {
    /// The time until the first frame of the answer, and from one part to the next.
    var pause: Duration
    /// The time for all parts together.
    var total: Duration?
    /// True when the answer itself shows its command, so that a late one is not mistaken for it.
    var isTelling = false
    /// Returns whether a frame can be the answer to this command and to no earlier one, where that shows.
    ///
    /// Called while a late answer, or that to another app, is possible.
    var isOwn: (@Sendable (any CodedFrame) -> Bool)?
    /// True when the radio may have other apps, whose answers come here as well.
    var isShared = false
    /// True when a part that cannot be read is left out instead of failing the command.
    var skipsUnreadable = false
    /// A function that is called when the frame is written to the link.
    var onWrite: (@Sendable () -> Void)?
    /// The node to which the radio stamps the command by its own clock; the answer's tag is that stamp.
    var stamped: FixedBytes<32>?
    /// The stamp of the command, where the node must not have had it from us already.
    var stamp: TextStamp?
    /// Returns the error for the end of the time limit.
    var expiry: @Sendable (Duration) -> SessionError
}

/// One command and its answer: the session keeps it from the write to the answer or the time limit.
///
/// The caller may have gone by then; the answer has no reader then. It is reached by the session only. `ExchangePlan`
/// decides how long it waits, and for which frames.
final class Exchange {
    let number: Int
    let turn: AsyncSemaphore.Turn
    let command: CommandCode
    let limits: ExchangeLimits
    /// Looks at a frame that can be the answer; `true` when that was it.
    let take: (any CodedFrame) -> Taken
    /// Gives the caller an error, if it still waits.
    let fail: (any Error) -> Void

    enum Taken {
        case ignored, part, done
        /// The frame was the answer, and no caller waits for it any more.
        case abandoned
    }

    init(
        number: Int, turn: AsyncSemaphore.Turn, command: CommandCode, limits: ExchangeLimits,
        take: @escaping (any CodedFrame) -> Taken,
        fail: @escaping (any Error) -> Void
    ) {
        self.number = number
        self.turn = turn
        self.command = command
        self.limits = limits
        self.take = take
        self.fail = fail
    }
}

/// The caller of a command, which is answered once.
final class Caller<Reply: Sendable> {
    private var continuation: CheckedContinuation<Reply, any Error>?

    init(_ continuation: CheckedContinuation<Reply, any Error>) {
        self.continuation = continuation
    }

    /// Resumes the caller, and returns whether it still waited.
    @discardableResult
    func resume(_ result: Result<Reply, any Error>) -> Bool {
        defer { continuation = nil }
        continuation?.resume(with: result)
        return continuation != nil
    }
}
