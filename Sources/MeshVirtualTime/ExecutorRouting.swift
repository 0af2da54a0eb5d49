// The one place that knows the library's experimental interface for executors. When it changes, this file changes.
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// Replaces the process's own executors by ones that route by thread.
///
/// A thread that is a run on virtual time keeps the jobs that it starts. Every other thread passes them to the
/// platform's executors.
enum ExecutorRouting {
    /// Done once a process, by the first run.
    private static let installed: Void = _createExecutors(factory: RoutingFactory.self)

    static func install() {
        _ = installed
    }

    static func run(_ ready: ReadyJob) {
        if ready.isMain {
            ready.job.runSynchronously(on: MainActor.sharedUnownedExecutor)
        } else {
            ready.job.runSynchronously(on: RoutingFactory.tasks.asUnownedTaskExecutor())
        }
    }

    /// The task's number, which no other task of the process ever has; 0 for an actor's turn.
    static func taskNumber(_ job: UnownedJob) -> UInt64 { jobTaskNumber(job) }
}

@_silgen_name("swift_task_getJobTaskId")
private func jobTaskNumber(_ job: UnownedJob) -> UInt64

private struct RoutingFactory: ExecutorFactory {
    static let tasks = RoutingTaskExecutor()
    static let main = RoutingMainExecutor()

    static var mainExecutor: any MainExecutor { main }
    static var defaultExecutor: any TaskExecutor { tasks }
}

/// Keeps jobs of a run; `false` when the calling thread is none and the platform should have them.
private func isKept(_ job: ReadyJob) -> Bool {
    if let scheduler = RunningThread.scheduler {
        scheduler.enqueue(job)
        return true
    }
    return RunningThread.claimsStray(job)
}

/// Returns the length of one of the library's own sleeps; `nil` for another unit of time.
///
/// The machine's clock has moved on since the deadline was made from it; whole milliseconds hide that, as a rule.
private func delay<C: Clock>(until deadline: C.Instant, on clock: C) -> Duration? {
    guard let left = clock.now.duration(to: deadline) as? Duration else { return nil }
    let milliseconds = left.components.attoseconds / 1_000_000_000_000_000
    let isWhole = left.components.attoseconds % 1_000_000_000_000_000 == 0
    return .seconds(left.components.seconds) + .milliseconds(milliseconds + (isWhole ? 0 : 1))
}

private final class RoutingTaskExecutor: TaskExecutor, SchedulingExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        if !isKept(ReadyJob(job: unowned)) { PlatformExecutorFactory.defaultExecutor.enqueue(ExecutorJob(unowned)) }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        if let scheduler = RunningThread.scheduler, let delay = delay as? Duration {
            scheduler.enqueue(ReadyJob(job: UnownedJob(job)), after: delay)
        } else if let platform = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor {
            platform.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
        } else {
            PlatformExecutorFactory.defaultExecutor.enqueue(job)
        }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        if let scheduler = RunningThread.scheduler, let delay = delay(until: instant, on: clock) {
            scheduler.enqueue(ReadyJob(job: UnownedJob(job)), after: delay)
        } else if let platform = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor {
            platform.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
        } else {
            PlatformExecutorFactory.defaultExecutor.enqueue(job)
        }
    }
}

private final class RoutingMainExecutor: MainExecutor, SchedulingExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        if !isKept(ReadyJob(job: unowned, isMain: true)) {
            PlatformExecutorFactory.mainExecutor.enqueue(ExecutorJob(unowned))
        }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        if let scheduler = RunningThread.scheduler, let delay = delay as? Duration {
            scheduler.enqueue(ReadyJob(job: UnownedJob(job), isMain: true), after: delay)
        } else if let platform = PlatformExecutorFactory.mainExecutor as? any SchedulingExecutor {
            platform.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
        } else {
            PlatformExecutorFactory.mainExecutor.enqueue(job)
        }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        if let scheduler = RunningThread.scheduler, let delay = delay(until: instant, on: clock) {
            scheduler.enqueue(ReadyJob(job: UnownedJob(job), isMain: true), after: delay)
        } else if let platform = PlatformExecutorFactory.mainExecutor as? any SchedulingExecutor {
            platform.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
        } else {
            PlatformExecutorFactory.mainExecutor.enqueue(job)
        }
    }

    func run() throws { try PlatformExecutorFactory.mainExecutor.run() }
    func stop() { PlatformExecutorFactory.mainExecutor.stop() }

    func checkIsolated() {
        if RunningThread.scheduler == nil { PlatformExecutorFactory.mainExecutor.checkIsolated() }
    }

    func isIsolatingCurrentContext() -> Bool? {
        RunningThread.scheduler == nil ? PlatformExecutorFactory.mainExecutor.isIsolatingCurrentContext() : true
    }
}
