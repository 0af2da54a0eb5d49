import NIOCore
import NIOPosix
import Synchronization

/// Runs tasks on the thread of an event loop, between its other work.
///
/// What a running task makes ready runs in the same go, without a detour over the loop's own queue.
public final class LoopExecutor: TaskExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        /// Whether the loop will come by, or is here.
        var isDraining = false
    }

    /// Jobs that run before the loop looks at its sockets again.
    private static let slice = 1000

    private let eventLoop: any EventLoop
    private let queue = Mutex(Queue())

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// On one of the threads that the links of this process share.
    public convenience init() {
        self.init(MultiThreadedEventLoopGroup.singleton.any())
    }

    /// Takes a job; it runs on the loop's thread, behind the jobs before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustDrain = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if mustDrain { eventLoop.execute { self.drain() } }
    }

    private func drain() {
        var count = 0
        var jobs: [UnownedJob] = []
        while count < Self.slice {
            jobs.removeAll(keepingCapacity: true)
            queue.withLock { queue in
                swap(&queue.jobs, &jobs)
                if jobs.isEmpty { queue.isDraining = false }
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            count += jobs.count
        }
        eventLoop.execute { self.drain() }
    }
}
