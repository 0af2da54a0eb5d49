import MeshTime
import Synchronization

/// The core of an endpoint, and who waits for it to be in some state.
///
/// Happenings come from the endpoint's thread; waiting and looking may begin on any, before, during and after them.
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

    /// Lets something happen to the core.
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

    /// Returns when the core is as described, or nothing happens to it any more.
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

    /// Nothing happens to it any more: nobody waits on. The core as it has become.
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
