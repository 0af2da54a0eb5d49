/// The number of sends of a direct message, the point at which it floods, and the time for each attempt.
public struct RetryPolicy: Hashable, Sendable {
    /// The pause between the end of one attempt's wait and the next attempt.
    public enum Backoff: Hashable, Sendable {
        case none
        /// A pause of this length, times the number of attempts made.
        case linear(Duration)
        /// A pause of this length, doubled with every attempt made.
        case exponential(Duration)

        /// Returns the pause after this number of attempts, one or more.
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
    /// The greatest number of attempts by flood, of a message whose recipient had a path.
    public var maxFloodAttempts: Int
    /// The pause before the next attempt, and how it grows.
    public var backoff: Backoff
    /// The greatest random addition to the pause before an attempt, as a part of the wait for the last one.
    ///
    /// It is drawn each time while other messages are on their way: messages that were lost together are not sent
    /// together again. Zero where a design states the pause.
    public var jitter = 0.0
    /// The wait for a confirmation where the radio suggests none.
    public var ackDefault: Duration = .seconds(30)
    /// The factor from the radio's estimate to the wait.
    public var ackFactor: Double = 1.2
    /// The shortest wait.
    public var minTimeout: Duration = .zero
    /// The shortest time after the last attempt for which a message stays sent before it fails.
    public var giveUpWindow: Duration = .zero
    /// The time after the last attempt in which a confirmation makes a failed message a delivered one.
    ///
    /// Zero: never.
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
