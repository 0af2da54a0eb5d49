/// Decides the course of a connection: the wanted radio, the attempt that counts, and the time of the next one.
///
/// It waits for nothing and opens nothing; `ConnectionManager` does what it says. The task of an attempt holds its
/// generation, and asks after each wait whether that one still counts. A wish of the user and each new attempt have the
/// next generation, so the old one's steps are refused. Each state holds only what it may use: an idle plan has no
/// radio, and no user waits for a ready one. It does not govern what goes over the link, nor the synchronisation:
/// `ExchangePlan` and `SyncPlan` do.
///
/// ```
/// idle --want--> pausing --> opening --> settingUp --> connected --> ready
///                   ^           |            |             |           |
///                   |           +------------+--- lost ----+-----------+
///                   |                                |
///                   +------ ended: again ------- closing ---- ended: no more ----> idle
/// ```
struct ConnectionPlan: ~Copyable {
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

    private enum State: ~Copyable {
        case idle
        case pausing(Pursuit)
        case opening(Pursuit)
        case settingUp(Pursuit)
        case connected(Pursuit)
        case ready(RadioEndpoint, reconnections: Int)
        case closing(Pursuit, wasReady: Bool)
    }

    /// The part of the plan that outlives each state.
    private struct Wish {
        /// The radio to be connected until the user says otherwise, over failures and restarts.
        var intent: RadioEndpoint?
        var generation: UInt64 = 0

        /// Gives up a radio, which ends this generation. One that was wanted before stays wanted, for the next start.
        func given(up target: RadioEndpoint) -> Wish {
            Wish(intent: intent == target ? intent : nil, generation: generation + 1)
        }
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

    private let policy: ConnectionPolicy
    private var wish: Wish
    private var state: State

    init(policy: ConnectionPolicy) {
        self.init(policy, Wish(), .idle)
    }

    private init(_ policy: ConnectionPolicy, _ wish: Wish, _ state: consuming State) {
        self.policy = policy
        self.wish = wish
        self.state = state
    }

    // MARK: Situation

    /// The radio to be connected until the user says otherwise, over failures and restarts.
    var intent: RadioEndpoint? { wish.intent }
    var generation: UInt64 { wish.generation }
    /// The radio that is connected or being connected; `nil` when idle.
    var target: RadioEndpoint? { pursuit?.target }

    var phase: Phase {
        switch state {
        case .idle: .idle
        case .pausing: .pausing
        case .opening: .opening
        case .settingUp: .settingUp
        case .connected: .connected
        case .ready: .ready
        case .closing: .closing
        }
    }

    /// The radio that is connected or being connected, with the attempts so far; `nil` when idle.
    var pursuit: Pursuit? {
        switch state {
        case .idle: nil
        case .pausing(let pursuit): pursuit
        case .opening(let pursuit): pursuit
        case .settingUp(let pursuit): pursuit
        case .connected(let pursuit): pursuit
        case .ready(let target, let reconnections): Pursuit(target: target, reconnections: reconnections)
        case .closing(let pursuit, _): pursuit
        }
    }

    /// The state for users and pages.
    var shown: DeviceConnectionState {
        switch state {
        case .idle: .disconnected
        case .pausing: .connecting
        case .opening: .connecting
        case .settingUp: .connecting
        case .connected: .connected
        case .ready: .ready
        case .closing(let pursuit, _):
            policy.reconnects || pursuit.userAttempts != nil ? .connecting : .disconnected
        }
    }

    func isCurrent(_ generation: UInt64) -> Bool { wish.generation == generation && phase != .idle }

    // MARK: Wishes

    /// Notes that a user who waits for the outcome, or the stack that resumes an earlier wish, wants this radio.
    mutating func want(_ endpoint: RadioEndpoint, byUser: Bool) -> Start {
        guard target == endpoint else {
            pursue(endpoint, byUser: byUser)
            return .begin
        }
        if phase == .ready { return .isReady }
        if byUser { update { $0.userAttempts = $0.userAttempts ?? 0 } }
        return .join
    }

    private mutating func pursue(_ endpoint: RadioEndpoint, byUser: Bool) {
        rest()
        if !byUser { wish.intent = endpoint }
        state = .pausing(Pursuit(target: endpoint, userAttempts: byUser ? 0 : nil))
    }

    /// The user wants no radio.
    mutating func drop() {
        rest()
        wish.intent = nil
    }

    /// Ends the plan with the stack; the user's wish stays.
    mutating func halt() { rest() }

    /// Notes that the user does not wait any more: an earlier wish goes on, a new one ends. Returns whether it ended.
    mutating func leave() -> Bool {
        guard let pursuit, pursuit.userAttempts != nil else { return false }
        guard intent == pursuit.target else {
            rest()
            return true
        }
        update { $0.userAttempts = nil }
        return false
    }

    /// Changes the pursuit, whatever its phase; a ready radio has no more of it.
    private mutating func update(_ change: (inout Pursuit) -> Void) {
        switch consume state {
        case .idle: self = Self(policy, wish, .idle)
        case .pausing(let pursuit): self = Self(policy, wish, .pausing(pursuit.changed(change)))
        case .opening(let pursuit): self = Self(policy, wish, .opening(pursuit.changed(change)))
        case .settingUp(let pursuit): self = Self(policy, wish, .settingUp(pursuit.changed(change)))
        case .connected(let pursuit): self = Self(policy, wish, .connected(pursuit.changed(change)))
        case .ready(let target, let count): self = Self(policy, wish, .ready(target, reconnections: count))
        case .closing(let pursuit, let wasReady):
            self = Self(policy, wish, .closing(pursuit.changed(change), wasReady: wasReady))
        }
    }

    private mutating func rest() {
        wish.generation += 1
        state = .idle
    }

    // MARK: Attempts

    /// The pause of this generation is over; the generation of the attempt, `nil` when it is not to be made.
    mutating func begin(_ generation: UInt64) -> UInt64? {
        var wish = wish
        switch consume state {
        case .pausing(let pursuit) where generation == wish.generation:
            wish.generation += 1
            self = Self(policy, wish, .opening(pursuit))
            return wish.generation
        case let other:
            self = Self(policy, wish, other)
            return nil
        }
    }

    /// An attempt has come to its next phase; `false` when it does not count any more.
    mutating func advance(_ generation: UInt64, to next: Phase) -> Bool {
        guard isCurrent(generation) else { return false }
        var wish = wish
        switch consume state {
        case .opening(let pursuit) where next == .settingUp:
            self = Self(policy, wish, .settingUp(pursuit))
        case .settingUp(let pursuit) where next == .connected:
            wish.intent = pursuit.target
            self = Self(policy, wish, .connected(pursuit))
        case .connected(let pursuit) where next == .ready:
            self = Self(policy, wish, .ready(pursuit.target, reconnections: pursuit.reconnections))
        case let other:
            self = Self(policy, wish, other)
            return false
        }
        return true
    }

    /// The link of an attempt has gone; `false` when that is no news.
    mutating func lose(_ generation: UInt64) -> Bool {
        guard isCurrent(generation) else { return false }
        switch consume state {
        case .opening(let pursuit):
            self = Self(policy, wish, .closing(pursuit, wasReady: false))
        case .settingUp(let pursuit):
            self = Self(policy, wish, .closing(pursuit.changed { $0.setUpFailures += 1 }, wasReady: false))
        case .connected(let pursuit):
            self = Self(policy, wish, .closing(pursuit.changed { $0.setUpFailures += 1 }, wasReady: false))
        case .ready(let target, let reconnections):
            self = Self(
                policy, wish, .closing(Pursuit(target: target, reconnections: reconnections), wasReady: true))
        case let other:
            self = Self(policy, wish, other)
            return false
        }
        return true
    }

    /// Ends a lost attempt of which nothing is left; returns the next step, `nil` when the attempt no longer counts.
    ///
    /// `steady` is the time for which the connection was ready. `isFinal` says that another attempt would fail the same
    /// way. `draw`, from 0 to 1, lengthens the pause.
    mutating func end(_ generation: UInt64, steady: Duration, isFinal: Bool = false, draw: Double) -> Verdict? {
        guard isCurrent(generation) else { return nil }
        let mayGoOn = policy.reconnects && wish.intent == target
        switch consume state {
        case .closing(var pursuit, let wasReady):
            if wasReady, steady >= policy.steadyAfter { pursuit.reconnections = 0 }
            let hadUser = pursuit.userAttempts != nil
            guard !isFinal, let pause = pursuit.nextPause(by: policy, mayReconnect: mayGoOn) else {
                self = Self(policy, wish.given(up: pursuit.target), .idle)
                return Verdict(next: .end, answersUser: hadUser)
            }
            let answersUser = hadUser && pursuit.userAttempts == nil
            self = Self(policy, wish, .pausing(pursuit))
            return Verdict(next: .again(after: pause * (1 + policy.jitter * draw)), answersUser: answersUser)
        case let other:
            self = Self(policy, wish, other)
            return nil
        }
    }
}
