import Synchronization

/// A radio's queue that is being emptied: the waiting caller, and the task that works on it.
///
/// One task at a time requests a message and handles it itself. A task for each message would cost a tenth of storing
/// it. `DrainPlan` decides how far the queue is emptied.
final class QueueDrain {
    /// The store's newest place before it.
    let mark: Int64?
    /// Receives the count after each message.
    let progress: PollProgressHandler
    /// The continuation of the caller that waits for the end.
    let end: CheckedContinuation<Int, any Error>
    let line: DrainLine
    /// The task that works on it.
    var worker: Task<Void, Never>?

    init(
        mark: Int64?, progress: @escaping PollProgressHandler, end: CheckedContinuation<Int, any Error>, line: DrainLine
    ) {
        self.mark = mark
        self.progress = progress
        self.end = end
        self.line = line
    }
}

/// The permission of a drain to ask the radio for more. The caller that waits for the drain can end it at any time.
///
/// The end cancels the request that is under way; the message that has come is handled undisturbed.
final class DrainLine: Sendable {
    private struct State {
        var isClosed = false
        var asking: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Notes the task that is about to ask. Throws when the drain has ended.
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
