import Synchronization

/// Admits one task after the other, in the order in which they came.
///
/// A task that is cancelled while it waits leaves the line. Services use it as the session does.
public final class AsyncSemaphore: Sendable {
    /// A turn; worth nothing any more once the semaphore was opened anew.
    public struct Turn: Sendable {
        fileprivate var opening: UInt64
    }

    private struct State {
        var opening: UInt64 = 0
        var isTaken = false
        var line: [(number: UInt64, continuation: CheckedContinuation<Turn, any Error>)] = []
        var count: UInt64 = 0
        var cancelled: Set<UInt64> = []
        var closing: SessionError?
    }

    private let state = Mutex(State())

    public init() {}

    /// A turn if it is free; `nil` where there is a line. Throws why the semaphore was closed.
    public func passAtOnce() throws(SessionError) -> Turn? {
        try state.withLock { state throws(SessionError) in
            if let closing = state.closing { throw closing }
            if state.isTaken { return nil }
            state.isTaken = true
            return Turn(opening: state.opening)
        }
    }

    /// Waits for its turn. Throws `CancellationError`, or why the semaphore was closed.
    public func pass() async throws -> Turn {
        let (turn, number) = try state.withLock { state -> (Turn?, UInt64) in
            if let closing = state.closing { throw closing }
            if !state.isTaken {
                state.isTaken = true
                return (Turn(opening: state.opening), 0)
            }
            state.count += 1
            return (nil, state.count)
        }
        if let turn { return turn }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Turn, any Error>? in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if let closing = state.closing { return .failure(closing) }
                    // It may have become free meanwhile.
                    if !state.isTaken {
                        state.isTaken = true
                        return .success(Turn(opening: state.opening))
                    }
                    state.line.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            leaveLine(number)
        }
    }

    private func leaveLine(_ number: UInt64) {
        let waiting = state.withLock { state -> CheckedContinuation<Turn, any Error>? in
            guard let index = state.line.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.line.remove(at: index).continuation
        }
        waiting?.resume(throwing: CancellationError())
    }

    /// Ends a turn; the next in line has it then.
    public func leave(_ turn: Turn) {
        let next = state.withLock { state -> CheckedContinuation<Turn, any Error>? in
            guard turn.opening == state.opening else { return nil }
            if state.line.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.line.removeFirst().continuation
        }
        next?.resume(returning: turn)
    }

    /// Sends away all tasks in line, and all that come, until it is opened.
    public func close(_ error: SessionError) {
        let waiting = state.withLock { state in
            state.closing = error
            let line = state.line
            state.line = []
            return line
        }
        for waiter in waiting { waiter.continuation.resume(throwing: error) }
    }

    /// Admits callers again after `close`; the place is free then.
    public func open() {
        state.withLock { state in
            state.closing = nil
            state.opening += 1
            state.isTaken = false
        }
    }
}
