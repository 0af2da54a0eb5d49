import Synchronization

/// Admits this number of tasks at a time, in the order in which they drew their tickets.
final class Gate: Sendable {
    /// A place in the line; its holder returns it, admitted or not.
    struct Ticket: Hashable, Sendable {
        fileprivate var number: UInt64
    }

    private struct State {
        var free: Int
        var count: UInt64 = 0
        var line: [UInt64] = []
        var inside: [UInt64] = []
        var waiters: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var cancelled: [UInt64] = []
        var closing: StackError?

        mutating func admit() -> [CheckedContinuation<Void, any Error>] {
            var admitted: [CheckedContinuation<Void, any Error>] = []
            while free > 0, !line.isEmpty {
                let number = line.removeFirst()
                free -= 1
                inside.append(number)
                if let index = waiters.firstIndex(where: { $0.number == number }) {
                    admitted.append(waiters.remove(at: index).continuation)
                }
            }
            return admitted
        }
    }

    private let state: Mutex<State>

    init(capacity: Int) {
        state = Mutex(State(free: max(1, capacity)))
    }

    /// Draws a ticket; it holds a place in the line from now on.
    func ticket() -> Ticket {
        state.withLock { state in
            state.count += 1
            state.line.append(state.count)
            _ = state.admit()
            return Ticket(number: state.count)
        }
    }

    /// Waits for the ticket's turn. Throws `CancellationError`, or why the gate was closed.
    func pass(_ ticket: Ticket) async throws {
        let number = ticket.number
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if let closing = state.closing { return .failure(closing) }
                    if state.inside.contains(number) { return .success(()) }
                    if let index = state.cancelled.firstIndex(of: number) {
                        state.cancelled.remove(at: index)
                        return .failure(CancellationError())
                    }
                    state.waiters.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                if state.line.contains(number) { state.cancelled.append(number) }
                return nil
            }
            return state.waiters.remove(at: index).continuation
        }
        waiter?.resume(throwing: CancellationError())
    }

    /// Gives a ticket back: the next in line may pass. A second time changes nothing.
    func leave(_ ticket: Ticket) {
        let admitted = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
            state.line.removeAll { $0 == ticket.number }
            state.cancelled.removeAll { $0 == ticket.number }
            guard let index = state.inside.firstIndex(of: ticket.number) else { return [] }
            state.inside.remove(at: index)
            state.free += 1
            return state.admit()
        }
        for waiter in admitted { waiter.resume() }
    }

    /// Sends away all waiting tasks, and all that come later.
    func close(_ error: StackError) {
        let waiters = state.withLock { state in
            state.closing = error
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(throwing: error) }
    }
}
