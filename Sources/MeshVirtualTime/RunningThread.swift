import Glibc
import Synchronization

/// The run of the calling thread, if it has one.
enum RunningThread {
    /// The key under which a thread keeps its scheduler.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "no key for a thread's scheduler")
        return key
    }()

    /// The runs of this process that have not ended, for jobs that another thread wants to run.
    private static let runs = Mutex<[VirtualScheduler]>([])
    private static let runCount = Atomic<Int>(0)

    static var scheduler: VirtualScheduler? {
        pthread_getspecific(key).map { Unmanaged<VirtualScheduler>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The calling thread is that run while the body lasts.
    static func enter<Value>(_ scheduler: VirtualScheduler, _ body: () throws -> Value) rethrows -> Value {
        precondition(self.scheduler == nil, "a run on virtual time inside of another one")
        runs.withLock { $0.append(scheduler) }
        runCount.add(1, ordering: .sequentiallyConsistent)
        pthread_setspecific(key, Unmanaged.passUnretained(scheduler).toOpaque())
        defer {
            pthread_setspecific(key, nil)
            runCount.subtract(1, ordering: .sequentiallyConsistent)
            runs.withLock { $0.removeAll { $0 === scheduler } }
        }
        return try body()
    }

    /// Returns whether a run has claimed a job of its own that came up on the calling thread of another.
    static func claimsStray(_ job: ReadyJob) -> Bool {
        guard runCount.load(ordering: .relaxed) > 0 else { return false }
        return runs.withLock { $0 }.contains { $0.claimStray(job) }
    }
}
