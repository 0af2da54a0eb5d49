import MeshCore

/// Decides when a radio's queue is emptied without a request of a caller.
///
/// ```
/// calls   --c--------c--c-------------------c---------------
/// drains  --|=====|--|=====||====|----------|==x  2 s  |====|--      x: failed, and tried again
///                           one more, however many calls
///
/// silence ----------------- safetyCheck ----> as if the radio had called
/// ```
///
/// The radio calls for new messages only, not for those that are left. So a failed drain is tried again, as often as
/// the policy says. Then the plan waits for the next call of the radio.
struct FetchPlan: Hashable, Sendable {
    /// The step that follows a drain.
    enum Next: Hashable, Sendable {
        case again
        case againAfter(Duration)
        /// Nothing, until the radio calls.
        case rest
    }

    let policy: SyncPolicy
    /// True when the queue is emptied at each call of the radio.
    private(set) var isFetching = false
    /// True while a task empties the queue, or is about to.
    private(set) var isAtWork = false
    /// True when the radio has called during a drain.
    private(set) var isCalled = false
    /// Drains in a row that failed.
    private(set) var failures = 0
    /// The moment at which the radio called, was asked or delivered a message, by the service's time.
    private(set) var lastSign = Duration.zero

    /// Begins automatic fetching; returns whether a drain is to begin at once.
    ///
    /// A queue without an end is not begun again by the plan: the next call of the radio does that.
    mutating func start(isEndless: Bool, at now: Duration) -> Bool {
        isFetching = true
        return !isEndless && call(at: now)
    }

    /// Nothing more is asked for.
    mutating func stop() {
        isFetching = false
        isCalled = false
    }

    /// Notes a call of the radio, or that it is time to look; returns whether a drain is to begin.
    mutating func call(at now: Duration) -> Bool {
        lastSign = now
        guard isFetching, !policy.leavesQueue else { return false }
        isCalled = true
        guard !isAtWork else { return false }
        isAtWork = true
        failures = 0
        return true
    }

    /// The radio has answered.
    mutating func note(at now: Duration) { lastSign = now }

    /// Notes the begin of a drain, which covers all calls of the radio until now.
    mutating func begin() { isCalled = false }

    /// A drain has ended, without an error where it came to its end.
    mutating func end(_ error: (any Error)?) -> Next {
        guard let error else {
            failures = 0
            isAtWork = isCalled && isFetching
            return isAtWork ? .again : .rest
        }
        failures += 1
        isAtWork = failures <= policy.retries && Self.isPassing(error)
        return isAtWork ? .againAfter(policy.retryPause) : .rest
    }

    /// Notes that the pause after a failure is over; returns whether a drain follows.
    mutating func resume() -> Bool {
        isAtWork = isFetching
        return isAtWork
    }

    /// Ends fetching and calls off the task at work.
    mutating func halt() {
        stop()
        isAtWork = false
    }

    /// Returns whether trying again on this link may be of use.
    private static func isPassing(_ error: any Error) -> Bool {
        switch error.stackReason {
        case .pollingFailed(_, .timeout), .pollingFailed(_, .unreadableReply), .notStored: true
        default: false
        }
    }

    /// Returns the time until the radio's silence is long enough for a lost call.
    func rest(of interval: Duration, at now: Duration) -> Duration { interval - (now - lastSign) }
}
