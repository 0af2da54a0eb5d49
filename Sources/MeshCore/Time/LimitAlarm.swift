/// One wait for many limits, of which nearly none is ever reached.
///
/// A task usually ends long before its limit. So a wait that ends earlier than a new limit is left as it is. When it
/// rings, its owner looks at what is due and sets it anew. Times are those of the owner's stopwatch.
public struct LimitAlarm: Sendable {
    private var pending: (at: Duration, task: Task<Void, Never>)?

    public init() {}

    /// Returns whether it rings by then anyway, so that there is nothing to set.
    public func rings(by due: Duration) -> Bool { pending.map { $0.at <= due } ?? false }

    /// Has `ring` called no later than at `due`, and with the moment that `rang` knows it by.
    public mutating func set(
        _ due: Duration, now: Duration, clock: any Clock<Duration>, ring: @escaping @Sendable (Duration) async -> Void
    ) {
        if rings(by: due) { return }
        pending?.task.cancel()
        let task = Task(name: "limits") {
            guard (try? await clock.sleep(for: max(.zero, due - now))) != nil else { return }
            await ring(due)
        }
        pending = (due, task)
    }

    /// Returns whether this alarm rang, and not one that has been replaced; it is unset then.
    public mutating func rang(at moment: Duration) -> Bool {
        guard pending?.at == moment else { return false }
        pending = nil
        return true
    }

    /// Ends the wait; nothing is called any more.
    public mutating func cancel() {
        pending?.task.cancel()
        pending = nil
    }
}
