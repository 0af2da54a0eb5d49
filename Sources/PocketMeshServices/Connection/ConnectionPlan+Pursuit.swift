extension ConnectionPlan {
    /// A radio on its way to be ready, and the attempts that it has cost.
    struct Pursuit: Hashable, Sendable {
        let target: RadioEndpoint
        /// Attempts that a waiting user's connect has used up; `nil` when no user waits.
        var userAttempts: Int?
        /// Pauses made since the connection was last steady.
        var reconnections = 0
        /// Attempts since the last ready connection that failed behind an open link.
        var setUpFailures = 0

        /// The pursuit with a change.
        func changed(_ change: (inout Pursuit) -> Void) -> Pursuit {
            var pursuit = self
            change(&pursuit)
            return pursuit
        }

        /// Counts an attempt that failed; returns the pause before the next, without jitter, or `nil` for none.
        ///
        /// The attempts of a waiting user come first, and then the reconnections, for which no user waits.
        mutating func nextPause(by policy: ConnectionPolicy, mayReconnect: Bool) -> Duration? {
            if let used = userAttempts, used + 1 < policy.opening(of: target).attempts {
                userAttempts = used + 1
                return Self.doubled(policy.connectPause, times: used)
            }
            userAttempts = nil
            guard mayReconnect, reconnections < policy.maxReconnects ?? .max else { return nil }
            reconnections += 1
            if setUpFailures >= policy.circuitBreaker { return policy.maxReconnectPause }
            return min(Self.doubled(policy.reconnectPause, times: reconnections - 1), policy.maxReconnectPause)
        }

        private static func doubled(_ pause: Duration, times: Int) -> Duration { pause * (1 << min(times, 20)) }
    }
}
