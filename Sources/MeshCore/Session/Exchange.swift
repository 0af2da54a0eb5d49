import MeshCompanion
import MeshWire

/// What a frame is to the command that waits for its answer.
enum Judgement<Reply: Sendable> {
    /// The answer to something else.
    case ignored
    /// A part of the answer; more follows.
    case part
    case reply(Reply)
    case failure(SessionError)
}

/// How long an exchange waits, and what it makes of frames that it cannot place.
struct ExchangeLimits {
    /// Until the first frame of the answer, and from one part to the next.
    var pause: Duration
    /// For all parts together.
    var total: Duration?
    /// Whether the answer itself shows which command it belongs to, so that a late one is not mistaken for it.
    var isTelling = false
    /// Whether a frame can be the answer to this command and to no earlier one, where that shows; asked while a late
    /// answer is to be feared.
    var isOwn: ((any CodedFrame) -> Bool)?
    /// Whether a part that cannot be read is left out instead of failing the command.
    var skipsUnreadable = false
    /// Called when the frame is handed to the link.
    var onWrite: (@Sendable () -> Void)?
    /// What it is when time is up.
    var expiry: (Duration) -> SessionError
}

/// One command and its answer: in the session's hands from the write to the answer or the time limit.
///
/// The caller may have gone by then; what comes is then nobody's. It is reached by the session only.
final class Exchange {
    let number: Int
    let turn: AsyncSemaphore.Turn
    let command: CommandCode
    let row: CommandRow
    var limits: ExchangeLimits
    /// Looks at a frame that can be the answer; `true` when that was it.
    let take: (any CodedFrame) -> Taken
    /// Gives the caller an error, if it still waits.
    let fail: (any Error) -> Void
    /// When the pause between two parts is too long, the whole takes too long, and no late answer is to be feared any
    /// more; by the session's time.
    var pauseEnd = Duration.zero
    var totalEnd: Duration?
    var graceEnd: Duration?
    /// Codes with which a late answer to an earlier command may still come.
    var suspects: Set<RadioCode> = []
    /// A frame of a suspect code, the first one or, where own ones show, the last: the late answer if another one follows.
    var held: ReceivedFrame?

    enum Taken {
        case ignored, part, done
        /// It was the answer, and nobody waits for it any more.
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
        row = Self.rows[Int(command.rawValue)] ?? command.row
        self.limits = limits
        self.take = take
        self.fail = fail
    }

    /// The rows by code, made once.
    private static let rows: [CommandRow?] = (0...255).map { CommandCode(rawValue: $0)?.row }

    /// When the next of its limits is reached.
    var due: Duration { min(pauseEnd, totalEnd ?? pauseEnd, graceEnd ?? pauseEnd) }

    /// Whether the firmware can answer the command with ERR: it has a reason of its own, or may be too old for it.
    ///
    /// The others are never refused when their frame is well formed, so an ERR is somebody else's.
    var canBeRefused: Bool { !row.errors.isEmpty || row.since != "1.0" }

    /// Whether a frame of this code can end or continue the exchange.
    func expects(_ code: RadioCode) -> Bool { code == .response(.err) ? canBeRefused : row.mayReply(code) }
}

/// The caller of a command, who is answered once.
final class Caller<Reply: Sendable> {
    private var continuation: CheckedContinuation<Reply, any Error>?

    init(_ continuation: CheckedContinuation<Reply, any Error>) {
        self.continuation = continuation
    }

    /// Whether the caller still waited.
    @discardableResult
    func resume(_ result: Result<Reply, any Error>) -> Bool {
        defer { continuation = nil }
        continuation?.resume(with: result)
        return continuation != nil
    }
}
