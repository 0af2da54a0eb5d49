import MeshTime
import Synchronization

/// The core of an endpoint, with the callers that wait for one of its states.
///
/// Events come from the endpoint's thread; a wait or a look may begin on any, before, during and after them.
final class WatchedCore<Core: EndpointCore>: Sendable {
    private struct Waiter {
        let condition: @Sendable (Core) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var core: Core
        var waiters: [Waiter] = []
        var isOver = false
    }

    private let state: Mutex<State>

    init(_ core: Core) {
        state = Mutex(State(core: core))
    }

    var nextWake: Instant { state.withLock { $0.core.nextWake } }

    /// Handles an event of the core, and resumes the callers whose condition holds now.
    func handle(_ event: EndpointEvent, at now: Instant) -> [EndpointAction] {
        let (actions, satisfied) = state.withLock { state in
            let actions = state.core.handle(event, at: now)
            let satisfied = state.waiters.filter { $0.condition(state.core) }
            if !satisfied.isEmpty { state.waiters.removeAll { $0.condition(state.core) } }
            return (actions, satisfied)
        }
        for waiter in satisfied { waiter.continuation.resume() }
        return actions
    }

    /// Returns when the condition holds, or when the core has ended.
    func wait(until condition: @escaping @Sendable (Core) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.isOver || condition(state.core) { return true }
                state.waiters.append(Waiter(condition: condition, continuation: continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Ends the core and all waits; returns its last state.
    @discardableResult
    func end() -> Core {
        let (core, waiters) = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return (state.core, state.waiters)
        }
        for waiter in waiters { waiter.continuation.resume() }
        return core
    }
}
