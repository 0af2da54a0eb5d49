import Dispatch
import Synchronization

/// The shared state from which threads of a soak receive their seeds and in which they store results.
final class SoakDesk: Sendable {
    private struct State {
        var next: UInt64?
        var last: UInt64
        var threads = 0
        var outcomes: [UInt64: SoakResult.Outcome] = [:]
    }

    private let state: Mutex<State>
    /// Signalled whenever something was left; who waits looks again.
    private let bell = DispatchSemaphore(value: 0)

    init(seeds: ClosedRange<UInt64>) {
        state = Mutex(State(next: seeds.lowerBound, last: seeds.upperBound))
    }

    func enter() { state.withLock { $0.threads += 1 } }

    func leave() {
        state.withLock { $0.threads -= 1 }
        bell.signal()
    }

    /// The next seed to be played; `nil` when there is none.
    func next() -> UInt64? {
        state.withLock { state in
            guard let seed = state.next, seed <= state.last else { return nil }
            state.next = seed == .max ? nil : seed + 1
            return seed
        }
    }

    /// No seed from this one on is begun, or waited for.
    func stop(before seed: UInt64) {
        state.withLock { state in
            state.next = nil
            state.last = min(state.last, seed == 0 ? 0 : seed - 1)
        }
        bell.signal()
    }

    func put(_ outcome: SoakResult.Outcome, of seed: UInt64) {
        state.withLock { $0.outcomes[seed] = outcome }
        bell.signal()
    }

    /// Waits for what came of a seed; `nil` when it is not going to be played.
    func take(_ seed: UInt64) -> SoakResult.Outcome? {
        while true {
            let (outcome, isOver) = state.withLock { state in
                (state.outcomes.removeValue(forKey: seed), state.threads == 0)
            }
            if outcome != nil || isOver { return outcome }
            bell.wait()
        }
    }

    func waitForAll() {
        while state.withLock({ $0.threads }) > 0 { bell.wait() }
    }
}
