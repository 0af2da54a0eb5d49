/// Decides the course of a connection: the wanted radio, the attempt that counts, and the time of the next one.
///
/// It waits for nothing and opens nothing; `ConnectionManager` does what it says. The task of an attempt holds its
/// generation, and asks after each wait whether that one still counts. A wish of the user and each new attempt have the
/// next generation, so the old one's steps are refused.
///
/// ```
/// idle --want--> pausing --> opening --> settingUp --> connected --> ready
///                   ^           |            |             |           |
///                   |           +------------+--- lost ----+-----------+
///                   |                                |
///                   +------ ended: again ------- closing ---- ended: no more ----> idle
/// ```
struct ConnectionPlan: Hashable, Sendable {
    enum Phase: Hashable, Sendable, CaseIterable {
        /// Nothing is wanted, or reconnection gave up.
        case idle
        /// The pause before an attempt.
        case pausing
        case opening
        /// The link is open; the radio introduces itself.
        case settingUp
        /// The first synchronisation runs.
        case connected
        case ready
        /// The link has gone, and the services on it are being ended.
        case closing
    }

    /// The consequences of a wish for a radio.
    enum Start: Hashable, Sendable {
        /// The first attempt is due; any other run has to end.
        case begin
        /// An attempt runs or is due already.
        case join
        case isReady
    }

    enum Next: Hashable, Sendable {
        case again(after: Duration)
        case end
    }

    /// The consequences of the end of an attempt.
    struct Verdict: Hashable, Sendable {
        var next: Next
        /// True when a waiting user receives the error.
        var answersUser: Bool
    }

    let policy: ConnectionPolicy
    /// The radio to be connected until the user says otherwise, over failures and restarts.
    private(set) var intent: RadioEndpoint?
    /// The radio that is connected or being connected; `nil` when idle.
    private(set) var target: RadioEndpoint?
    private(set) var phase = Phase.idle
    private(set) var generation: UInt64 = 0
    /// Attempts that a waiting user's connect has used up; `nil` when no user waits.
    private(set) var userAttempts: Int?
    /// Pauses made since the connection was last steady.
    private(set) var reconnections = 0
    /// Attempts since the last ready connection that failed behind an open link.
    private(set) var setUpFailures = 0
    /// The phase in which the link went, while closing.
    private var lostIn: Phase?

    init(policy: ConnectionPolicy) {
        self.policy = policy
    }

    var state: DeviceConnectionState {
        switch phase {
        case .idle: .disconnected
        case .pausing, .opening, .settingUp: .connecting
        case .connected: .connected
        case .ready: .ready
        case .closing: policy.reconnects || userAttempts != nil ? .connecting : .disconnected
        }
    }

    func isCurrent(_ generation: UInt64) -> Bool { self.generation == generation && phase != .idle }

    // MARK: Wishes

    /// Notes that a user who waits for the outcome, or the stack that resumes an earlier wish, wants this radio.
    mutating func want(_ endpoint: RadioEndpoint, byUser: Bool) -> Start {
        if target == endpoint {
            if phase == .ready { return .isReady }
            if byUser { userAttempts = userAttempts ?? 0 }
            return .join
        }
        rest()
        target = endpoint
        phase = .pausing
        if byUser { userAttempts = 0 } else { intent = endpoint }
        return .begin
    }

    /// The user wants no radio.
    mutating func drop() {
        rest()
        intent = nil
    }

    /// Ends the plan with the stack; the user's wish stays.
    mutating func halt() { rest() }

    /// Notes that the user does not wait any more: an earlier wish goes on, a new one ends. Returns whether it ended.
    mutating func leave() -> Bool {
        guard userAttempts != nil else { return false }
        userAttempts = nil
        if intent == target { return false }
        rest()
        return true
    }

    private mutating func rest() {
        generation += 1
        target = nil
        phase = .idle
        userAttempts = nil
        reconnections = 0
        setUpFailures = 0
        lostIn = nil
    }

    // MARK: Attempts

    /// The pause of this generation is over; the generation of the attempt, `nil` when it is not to be made.
    mutating func begin(_ generation: UInt64) -> UInt64? {
        guard isCurrent(generation), phase == .pausing else { return nil }
        self.generation += 1
        phase = .opening
        return self.generation
    }

    /// An attempt has come to its next phase; `false` when it does not count any more.
    mutating func advance(_ generation: UInt64, to next: Phase) -> Bool {
        guard isCurrent(generation), next == Self.successor(of: phase) else { return false }
        phase = next
        if next == .connected { intent = target }
        if next == .ready {
            userAttempts = nil
            setUpFailures = 0
        }
        return true
    }

    private static func successor(of phase: Phase) -> Phase? {
        switch phase {
        case .opening: .settingUp
        case .settingUp: .connected
        case .connected: .ready
        case .idle, .pausing, .ready, .closing: nil
        }
    }

    /// The link of an attempt has gone; `false` when that is no news.
    mutating func lose(_ generation: UInt64) -> Bool {
        guard isCurrent(generation), phase != .pausing, phase != .closing else { return false }
        lostIn = phase
        phase = .closing
        return true
    }

    /// Ends an attempt of which nothing is left; returns the next step, `nil` when the attempt no longer counts.
    ///
    /// `steady` is the time for which the connection was ready. `isFinal` says that another attempt would fail the same
    /// way. `draw`, from 0 to 1, lengthens the pause.
    mutating func end(_ generation: UInt64, steady: Duration, isFinal: Bool = false, draw: Double) -> Verdict? {
        guard isCurrent(generation), phase != .pausing else { return nil }
        switch lostIn ?? phase {
        case .settingUp, .connected: setUpFailures += 1
        case .ready where steady >= policy.steadyAfter: reconnections = 0
        default: break
        }
        lostIn = nil
        phase = .pausing
        if isFinal {
            let answersUser = userAttempts != nil
            return Verdict(next: giveUp(), answersUser: answersUser)
        }
        guard let used = userAttempts else { return Verdict(next: reconnect(draw), answersUser: false) }
        if used + 1 < policy.connectAttempts {
            userAttempts = used + 1
            let pause = Self.doubled(policy.connectPause, times: used)
            return Verdict(next: .again(after: lengthened(pause, draw)), answersUser: false)
        }
        userAttempts = nil
        return Verdict(next: reconnect(draw), answersUser: true)
    }

    private mutating func reconnect(_ draw: Double) -> Next {
        let mayGoOn = policy.reconnects && reconnections < policy.maxReconnects ?? .max
        guard intent == target, mayGoOn else { return giveUp() }
        reconnections += 1
        let isBroken = setUpFailures >= policy.circuitBreaker
        let pause = Self.doubled(policy.reconnectPause, times: reconnections - 1)
        return .again(
            after: lengthened(isBroken ? policy.maxReconnectPause : min(pause, policy.maxReconnectPause), draw))
    }

    /// Ends the attempts. A radio that was wanted before stays wanted, for the next start.
    private mutating func giveUp() -> Next {
        if intent != target { intent = nil }
        rest()
        return .end
    }

    private static func doubled(_ pause: Duration, times: Int) -> Duration { pause * (1 << min(times, 20)) }

    private func lengthened(_ pause: Duration, _ draw: Double) -> Duration { pause * (1 + policy.jitter * draw) }
}
