import NIOCore
import NIOPosix
import Synchronization

/// The one thread of a service stack: data from the radio are read, handled and stored there.
///
/// The composer of a stack makes one and passes it to both ends. The services' end is a session's or a service
/// container's executor; the link's end is a ``StreamTransport``, which is a guest there. Then no frame changes threads
/// on its way. It is the thread of an event loop, and tasks run between the loop's other work. Jobs that a running task
/// makes ready run in the same go, without a detour over the loop's own queue.
///
/// ```
/// container  --hands out-->  executor  <--guest--  transport
///                               |
///            frame read, session, drain, store: one thread
/// ```
public final class StackExecutor: TaskExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        /// True when the loop is about to run the jobs, or is running them.
        var isDraining = false
    }

    /// Jobs that run before the loop looks at its sockets again.
    private static let slice = 1000

    /// The loop of the links that are guests here.
    let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
    private let queue = Mutex(Queue())

    /// Makes an executor on one of the threads that the links of this process share.
    public init() {}

    /// Accepts a job; it runs on the loop's thread, behind the jobs before it.
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
