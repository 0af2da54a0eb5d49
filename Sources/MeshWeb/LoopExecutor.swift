#if Web
    import NIOCore

    /// Runs tasks on an event loop.
    ///
    /// All connections and all their tasks share one thread, so requests reach the service in their order; a pool of
    /// threads would shuffle them.
    final class LoopExecutor: TaskExecutor {
        private let loop: any EventLoop

        init(_ loop: any EventLoop) {
            self.loop = loop
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
