public import MeshTime
import MeshWire

/// The way in which the time of a world passes.
public enum Pace: Hashable, Sendable {
    /// With a clock: `speed` seconds of the world per second. After a delay the world catches up.
    case clock(speed: Double)
    /// As far as `Pacer.allow(until:)` lets it.
    case stepped
    /// From event to event without waiting, except while the pacer is stopped.
    case lockstep
}

/// Decides how far a world runs; it has neither a clock nor a world.
///
/// A driver calls `turn` with the times of world and clock, and follows the answers until that is to wait. Then it
/// injects the inputs from outside, and looks again at `wake`.
///
/// ```swift
/// while case .run(let moment) = pacer.turn(from: world.now, next: world.peekNextEventTime(), at: clock) {
///     world.run(until: moment)
///     deliver(world.takeOutputs())
/// }
/// ```
public struct Pacer: Hashable, Sendable {
    /// The next step of a driver.
    public enum Turn: Hashable, Sendable {
        /// Runs the world until then, delivers its outputs, and asks again.
        case run(until: Instant)
        /// Lets others have their turn, asks again at once, and gives the world nothing before: it is late.
        case pause
        /// Injects the inputs from outside, and asks again at `wake`.
        case wait
    }

    /// The time of clock and world when time began to pass.
    private struct Start: Hashable {
        let clock: TimeSpan
        let world: Instant
    }

    /// The way in which the time of the world passes; a clock's speed is finite and greater than 0.
    public let pace: Pace
    /// The number of moments that are run in a row.
    public let slice: Int
    private var start: Start?
    private var allowed = Instant.start
    private var moments = 0

    /// Time stands still until `start`.
    public init(_ pace: Pace, slice: Int = .max) {
        if case .clock(let speed) = pace {
            precondition(speed > 0 && speed.isFinite, "a world cannot run at speed \(speed)")
        }
        self.pace = pace
        self.slice = slice
    }

    /// True while time passes.
    public var isRunning: Bool { start != nil }

    /// Lets time pass from now on. The clock's time before does not count.
    public mutating func start(from now: Instant = .start, at clock: TimeSpan = .zero) {
        start = Start(clock: clock, world: now)
    }

    /// Time stands still.
    public mutating func stop() {
        start = nil
    }

    /// Sets the moment until which a stepped world may run.
    public mutating func allow(until moment: Instant) {
        allowed = moment
    }

    /// Returns the next step for a world that has run until `now` and has its next event at `next`.
    ///
    /// A driver reads its clock once for all turns until the next wait: with a clock that advances meanwhile they
    /// would have no end.
    public mutating func turn(from now: Instant, next: Instant, at clock: TimeSpan = .zero) -> Turn {
        guard isRunning else { return .wait }
        let goal = goal(from: now, at: clock)
        guard next <= goal ?? .never, next != .never else {
            moments = 0
            guard let goal, now < goal else { return .wait }
            return .run(until: goal)
        }
        guard moments < slice else {
            moments = 0
            return goal == nil ? .wait : .pause
        }
        moments += 1
        return .run(until: max(now, next))
    }

    /// Returns whether the event at `next` has become due since the last wait.
    public func isDue(_ next: Instant, from now: Instant, at clock: TimeSpan) -> Bool {
        goal(from: now, at: clock).map { next <= $0 } ?? false
    }

    /// Returns the clock's time of the next look; `nil`: after the next input from outside.
    public func wake(for next: Instant, at clock: TimeSpan) -> TimeSpan? {
        guard let start, next != .never else { return nil }
        switch pace {
        case .clock(let speed):
            let wait = Double((next - start.world).microseconds) / speed
            return start.clock + Self.span(wait.rounded(.up))
        case .stepped: return nil
        case .lockstep: return clock
        }
    }

    /// Returns the moment that the world is to reach; `nil` where neither a clock nor a caller sets one.
    private func goal(from now: Instant, at clock: TimeSpan) -> Instant? {
        guard let start else { return nil }
        switch pace {
        case .clock(let speed):
            let passed = Double((clock - start.clock).microseconds) * speed
            return max(now, start.world + Self.span(passed.rounded()))
        case .stepped: return max(now, allowed)
        case .lockstep: return nil
        }
    }

    /// Nothing is counted beyond 100,000 years, so that sums of two do not overflow.
    private static func span(_ microseconds: Double) -> TimeSpan {
        .microseconds(Int64(wholePart: microseconds, in: -1 << 62...1 << 62))
    }
}
