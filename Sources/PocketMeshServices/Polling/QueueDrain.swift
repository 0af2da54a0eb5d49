import MeshCore
import Synchronization

/// A radio's queue that is being emptied.
///
/// One task at a time works on it: it asks for a message and handles it itself, because a task for each message would cost
/// as much as a tenth of storing it. When a handler takes too long, its task is left to it and another goes on.
///
/// ```
/// task 1  --ask--handle--ask--handle- - - - - - - - - - (too long) - - -|
/// task 2                                                 --ask--handle--ask--
/// ```
final class QueueDrain {
    /// Whether nobody asked for it but the radio.
    let isAuto: Bool
    /// The store's newest place before it.
    let mark: Int64?
    /// Gets the count after each message.
    let progress: PollProgressHandler
    /// Who waits for its end.
    let end: CheckedContinuation<Int, any Error>
    let line: DrainLine

    /// The task that works on it, and its number.
    var worker: Task<Void, Never>?
    var number = 0
    /// Messages that came.
    var count = 0
    /// Messages in a row that could not be read.
    var unreadable = 0
    /// The message that came last, and how often in a row it did.
    private var last: MessageResult?
    private(set) var repeats = 0
    /// When the handler at work is left behind, by the service's time; `nil` between two of them.
    var due: Duration?

    init(
        isAuto: Bool, mark: Int64?, progress: @escaping PollProgressHandler,
        end: CheckedContinuation<Int, any Error>, line: DrainLine
    ) {
        self.isAuto = isAuto
        self.mark = mark
        self.progress = progress
        self.end = end
        self.line = line
    }

    /// Counts a message that came.
    func note(_ message: MessageResult) {
        count += 1
        repeats = message == last ? repeats + 1 : 1
        last = message
    }

    /// Why nothing more is asked for although the radio has not said that its queue is empty.
    func obstacle(_ policy: SyncPolicy) -> StackError? {
        let isRepeated = repeats >= policy.repeatLimit
        guard isRepeated || count >= policy.drainLimit else { return nil }
        return StackError(.polling, .queueDoesNotEnd(drained: count, isRepeated: isRepeated))
    }
}

/// Whether a drain may ask the radio for more. Whoever waits for the drain can end that at any time.
///
/// What ends with it is the question that is under way; the message that has come is handled undisturbed.
final class DrainLine: Sendable {
    private struct State {
        var isClosed = false
        var asking: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Notes who is about to ask. Throws when nobody may any more.
    func beginAsking(_ task: Task<Void, Never>?) throws(CancellationError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.asking = task }
            return state.isClosed
        }
        if isClosed { throw CancellationError() }
    }

    func endAsking() {
        state.withLock { $0.asking = nil }
    }

    func close() {
        let asking = state.withLock { state in
            state.isClosed = true
            return state.asking
        }
        asking?.cancel()
    }
}
