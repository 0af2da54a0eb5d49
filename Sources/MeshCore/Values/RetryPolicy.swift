/// The number of sends of a direct message, the point at which it floods, and the time for each attempt.
public struct RetryPolicy: Hashable, Sendable {
    /// The pause between the end of one attempt's wait and the next attempt.
    public enum Backoff: Hashable, Sendable {
        case none
        /// So long, times the number of attempts made.
        case linear(Duration)
        /// So long, doubled with every attempt made.
        case exponential(Duration)

        /// The pause after so many attempts, one or more.
        public func pause(after attempts: Int) -> Duration {
            switch self {
            case .none: .zero
            case .linear(let step): step * max(attempts, 1)
            case .exponential(let first): first * (1 << min(max(attempts - 1, 0), 20))
            }
        }
    }

    /// Attempts in all.
    public var maxAttempts: Int
    /// Attempts on a known path before the message floods.
    public var floodAfter: Int
    /// Attempts by flood, of a message whose recipient had a path.
    public var maxFloodAttempts: Int
    /// The pause before the next attempt, and how it grows.
    public var backoff: Backoff
    /// While other messages are on their way, up to so much of the wait for the last attempt is added to the pause before
    /// the next, drawn each time: messages that were lost together are not sent together again. Zero where a design
    /// states the pause.
    public var jitter = 0.0
    /// The wait for a confirmation where the radio suggests none.
    public var ackDefault: Duration = .seconds(30)
    /// The wait is so much of what the radio suggests.
    public var ackFactor: Double = 1.2
    /// The shortest wait.
    public var minTimeout: Duration = .zero
    /// So long after the last attempt a message stays sent at least before it fails.
    public var giveUpWindow: Duration = .zero
    /// Until so long after the last attempt a confirmation turns a failed message into a delivered one; zero: never.
    public var lateWindow: Duration = .seconds(60)

    public init(
        maxAttempts: Int, floodAfter: Int, maxFloodAttempts: Int, backoff: Backoff = .none, jitter: Double = 0
    ) {
        self.jitter = jitter
        self.maxAttempts = maxAttempts
        self.floodAfter = floodAfter
        self.maxFloodAttempts = maxFloodAttempts
        self.backoff = backoff
    }
}
