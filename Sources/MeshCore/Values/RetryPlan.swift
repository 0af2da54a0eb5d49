public import MeshCompanion
import MeshPacket
import MeshWire

/// The sequence of attempts of a direct message, and the wait for each: the policy at work on one message.
///
/// Decides only. Its holder writes the attempts, and asks again when a wait has ended without a confirmation.
///
///     path known     -d----d----f----f-   (the path is forgotten before attempt `floodAfter`)
///     none known     -f----f----f----f-
public struct RetryPlan: Hashable, Sendable {
    /// The parameters of one attempt.
    public struct Attempt: Hashable, Sendable {
        /// The number of the attempt, counted from 0: the attempt byte.
        public var number: UInt8
        /// The pause before the attempt.
        public var pause: Duration
        /// True when the radio is to forget the path first.
        public var resetsPath: Bool
    }

    /// The number of attempts, their routes and their waits.
    public let policy: RetryPolicy
    /// Attempts in all; a text too long to carry a number above 3 has four.
    public let maxAttempts: Int
    /// True when the radio had a path as the message began.
    public private(set) var hasPath: Bool
    /// The number of attempts that the radio has accepted.
    public private(set) var attempts = 0
    /// The number of attempts by flood although a path had been known.
    public private(set) var floods = 0

    /// Makes a plan; `attempts` were made before, over an earlier connection.
    public init(policy: RetryPolicy, hasPath: Bool, textBytes: Int, attempts: Int = 0) {
        self.policy = policy
        self.hasPath = hasPath
        // Relays know attempts 0 and 4 apart by a byte behind the text, for which a long text has no room.
        let numbers = textBytes > PacketLimits.textWithExtendedAttempt ? 4 : 256
        maxAttempts = max(1, min(policy.maxAttempts, numbers))
        self.attempts = attempts
        if hasPath { floods = max(0, attempts - policy.floodAfter) }
    }

    /// The next attempt; `nil` when all are made.
    public var next: Attempt? {
        guard attempts < maxAttempts, !hasPath || floods < policy.maxFloodAttempts else { return nil }
        return Attempt(
            number: UInt8(attempts), pause: attempts == 0 ? .zero : policy.backoff.pause(after: attempts),
            resetsPath: hasPath && attempts == policy.floodAfter)
    }

    /// Notes an attempt that the radio accepted; returns the wait for its confirmation.
    public mutating func sent(_ sent: MessageSentInfo) -> Duration {
        let isFlood = sent.route != 0
        // The radio knows better: what it floods at first had no path.
        if isFlood && attempts == 0 && policy.floodAfter > 0 { hasPath = false }
        if isFlood { floods += 1 }
        attempts += 1
        let wait = policy.wait(suggested: sent.timeout)
        return next == nil ? max(wait, policy.giveUpWindow) : wait
    }
}

extension RetryPolicy {
    /// The longest suggestion that is believed, in milliseconds: an hour, longer than the slowest radio settings need.
    public static let longestSuggestion: UInt32 = 3_600_000

    /// Returns the wait for a confirmation when the radio suggests this time; 0 and absurd values count as none.
    public func wait(suggested milliseconds: UInt32) -> Duration {
        guard 1...Self.longestSuggestion ~= milliseconds else { return max(minTimeout, ackDefault) }
        return max(minTimeout, .microseconds(Int64(nearest: Double(milliseconds) * 1000 * ackFactor)))
    }
}
