/// A clock that stands still while anything runs, and jumps to the next deadline when everything waits.
///
/// Code for virtual time accepts `any Clock<Duration>` and never knows which clock it has.
package struct VirtualClock: Clock {
    /// A moment of a run, as the time since it began.
    package struct Instant: InstantProtocol {
        /// Time since the run began.
        package var sinceStart: Duration

        package init(sinceStart: Duration) {
            self.sinceStart = sinceStart
        }

        /// The moment that is later by this much.
        package func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        /// Returns the distance from this moment to another one.
        package func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        package static func < (a: Instant, b: Instant) -> Bool { a.sinceStart < b.sinceStart }
    }

    let scheduler: VirtualScheduler

    /// The time of the run; it moves only while everything waits.
    package var now: Instant { Instant(sinceStart: scheduler.now(askedBy: "now")) }

    /// A microsecond.
    package var minimumResolution: Duration { .microseconds(1) }

    /// Waits until the deadline; one that has passed lets everything run that is ready, and returns.
    ///
    /// Throws `CancellationError` when the task is cancelled, and when the run has ended.
    package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await scheduler.sleep(until: deadline.sinceStart)
    }
}
