package import MeshTime

/// Runs a whole stack of actors and tasks on one thread, under a clock that jumps when everything waits.
///
/// ```swift
/// let waited = try VirtualTime.run { clock in
///     let start = clock.now
///     try await clock.sleep(for: .seconds(3600))
///     return start.duration(to: clock.now)
/// }
/// ```
///
/// The hour costs no time, and the same program makes the same steps in every process. Tasks of any kind, actors, the
/// main actor, streams and the built-in sleeps all stay on the thread. A task that another thread resumes does not, and
/// is an error of the run.
package enum VirtualTime {
    /// The order of tasks that are ready at the same moment.
    package enum Order: Hashable, Sendable {
        /// First come, first served.
        case arrival
        /// An order drawn from the seed: another legal one of the same program, to find dependence on random numbers.
        case drawn(Seed)
    }

    /// The limits of a run.
    package struct Limits: Hashable, Sendable {
        /// The greatest number of steps at one moment; more is an error.
        package var stepsAtOneMoment = 10_000_000
        /// The greatest number of steps that tasks may need to end when the body is done.
        package var stepsToEnd = 1_000_000

        package init() {}
    }

    /// The result of a completed run: the body's value, and the steps.
    package struct Outcome<Value> {
        /// The value that the body returned.
        package var value: Value
        /// The virtual time that passed.
        package var elapsed: Duration
        /// The number of times that a task or an actor received the thread.
        package var steps: Int
        /// A fingerprint of the schedule: equal for equal runs, in any process.
        package var digest: UInt64
    }

    /// Runs the body and everything that it starts, and returns the body's value.
    ///
    /// It blocks the calling thread, which is the thread of the run. When the body is done, waits that are left are
    /// cancelled. Throws what the body throws, or a `VirtualTimeError`.
    package static func run<Value: Sendable>(
        order: Order = .arrival, limits: Limits = Limits(),
        _ body: @escaping @Sendable (VirtualClock) async throws -> Value
    ) throws -> Value {
        try measure(order: order, limits: limits, body).value
    }

    /// `run`, with figures.
    package static func measure<Value: Sendable>(
        order: Order = .arrival, limits: Limits = Limits(),
        _ body: @escaping @Sendable (VirtualClock) async throws -> Value
    ) throws -> Outcome<Value> {
        let scheduler = VirtualScheduler(order: order, limits: limits)
        let value = try scheduler.run { try await body(VirtualClock(scheduler: scheduler)) }
        return Outcome(
            value: value, elapsed: scheduler.elapsed, steps: scheduler.steps, digest: scheduler.digest)
    }
}
