#if Web
    import NIOCore
    import Synchronization

    @testable import MeshWeb

    /// Time limits that end when a test says so.
    final class HandTimer: LimitTimer {
        private struct Limit {
            var number: Int
            var wait: HTTPConnectionState.Wait
            var time: Duration
            var loop: any EventLoop
            var ring: @Sendable () -> Void
        }

        private struct State {
            var next = 0
            var running: [Limit] = []
            var watchers: [(wait: HTTPConnectionState.Wait, continuation: CheckedContinuation<Void, Never>)] = []
        }

        private let state = Mutex(State())

        func start(
            _ wait: HTTPConnectionState.Wait, of time: Duration, on loop: any EventLoop,
            ring: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void {
            let number = state.withLock { state in
                state.next += 1
                state.running.append(.init(number: state.next, wait: wait, time: time, loop: loop, ring: ring))
                state.watchers.removeAll { watcher in
                    guard watcher.wait == wait else { return false }
                    watcher.continuation.resume()
                    return true
                }
                return state.next
            }
            return { [self] in state.withLock { $0.running.removeAll { $0.number == number } } }
        }

        /// Returns when such a limit runs.
        func runs(_ wait: HTTPConnectionState.Wait) async {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    if state.running.contains(where: { $0.wait == wait }) {
                        continuation.resume()
                    } else {
                        state.watchers.append((wait, continuation))
                    }
                }
            }
        }

        /// Ends the limits of this kind that run, or no more than the oldest of them; returns their lengths.
        func end(_ wait: HTTPConnectionState.Wait, atMost count: Int = .max) async throws -> [Duration] {
            let limits = state.withLock { state in
                let found = Array(state.running.filter { $0.wait == wait }.prefix(count))
                state.running.removeAll { limit in found.contains { $0.number == limit.number } }
                return found
            }
            for limit in limits { try await limit.loop.submit(limit.ring).get() }
            return limits.map(\.time)
        }
    }
#endif
