import Dispatch

/// Calls to the world outside, by number in the order in which they were begun.
struct ExternalCalls {
    private struct Call {
        var number: UInt64
        var hasEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private var calls: [Call] = []
    private var count: UInt64 = 0

    var isEmpty: Bool { calls.isEmpty }
    /// True when a call has not ended.
    var isBusy: Bool { calls.contains { !$0.hasEnded } }

    mutating func begin() -> UInt64 {
        count += 1
        calls.append(Call(number: count))
        return count
    }

    mutating func end(_ number: UInt64) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        calls[index].hasEnded = true
    }

    mutating func wait(_ number: UInt64, _ continuation: CheckedContinuation<Void, Never>) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        calls[index].waiter = continuation
    }

    mutating func takeEnded() -> [CheckedContinuation<Void, Never>] {
        let ended = calls.filter { $0.hasEnded && $0.waiter != nil }
        calls.removeAll { $0.hasEnded && $0.waiter != nil }
        return ended.compactMap(\.waiter)
    }
}

/// A thread for one call to the world outside.
///
/// Serial queues have threads beyond the pool's, so a call goes on even when all of those are busy.
final class OutsideExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "outside of virtual time")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
