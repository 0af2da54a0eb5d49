import Synchronization

/// A value that several may bring and one waits for; the first counts.
final class Once<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case brought(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.empty)

    /// Brings a value; later ones are dropped.
    func bring(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .empty: state = .brought(result)
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .brought, .taken: break
            }
            return nil
        }
        waiter?.resume(with: result)
    }

    /// Waits for the value, once. Cancelling the waiting task completes it with `CancellationError`.
    func take() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    guard case .brought(let result) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .taken
                    return result
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            bring(.failure(CancellationError()))
        }
    }
}

extension Task where Failure == any Error {
    /// The task's value; `nil` when it has none after the limit, or when the waiting task was cancelled.
    ///
    /// The task itself goes on.
    func value(within limit: Duration, on clock: any Clock<Duration>) async throws -> Success? {
        let once = Once<Success?>()
        let waiter = Task<Void, Never> { once.bring(await result.map { $0 }) }
        let timer = Task<Void, Never> {
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            once.bring(.success(nil))
        }
        defer {
            timer.cancel()
            waiter.cancel()
        }
        return try await once.take()
    }
}
