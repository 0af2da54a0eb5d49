/// Decides the course of synchronisations: the order of steps, the state to show, and what follows a failure.
///
/// It waits for nothing and asks nothing; `SyncCoordinator` does one step after the other. Connections and runs have
/// numbers, and each task asks with its own. The loss of a link makes the numbers of both worthless. A link and a run
/// are two machines, because a caller may synchronise without a connection of the manager. The plan does not govern
/// the connection itself: `ConnectionPlan` does.
///
/// ```
/// link      down --connect--> up --first run failed--> owing --success, gave up--> up        lost: down
/// run       resting --begin--> running --succeed, fail, link lost--> resting
///
/// phases        contacts    channels       messages
/// run       --+----------+-----------+---+----------+--> synced
/// activity    |<------- shown ------>|   .          .
/// requests    |<----- held back ---->|   .          .    (of nodes that were heard, for their contacts)
/// burst                                  |<-------->|
///
/// fails     --x--> failed, and what is shown has its end; a run that is called off leads to idle
///
/// kept      --run x--thrown--2 s--run x--2 s--run x--2 s--run x--given up: the link stays
/// not kept  --run x----------2 s--run x--2 s--run x--2 s--run x--given up, thrown: the link ends
/// ```
struct SyncPlan: ~Copyable {
    /// The steps that make a connection ready, in this order.
    ///
    /// The receivers of messages are set before the first event is listened to. No message is requested automatically
    /// before contacts and channels are known, so that each finds its conversation.
    enum Beginning: Hashable, Sendable, CaseIterable {
        case takeMessages, listen, synchronise, heedDiscoveries, fetchMessages
    }

    /// An effect that others receive or see; it cannot fail.
    enum Effect: Hashable, Sendable {
        case show(SyncState, outcome: SyncOutcome? = nil)
        /// Requests for contacts wait while contacts are synchronised …
        case holdRequests
        /// … and the held requests may follow now.
        case releaseRequests
        case beginActivity, endActivity
        /// Messages are summed up from here to the end of the burst.
        case beginBurst, endBurst
        case tellContacts, tellConversations
        /// Synchronise contacts for requests that came during a run.
        case serveRequests
    }

    /// One step of a run.
    enum Step: Hashable, Sendable {
        /// Bring a phase over, which can fail.
        case bring(SyncPhase)
        case perform(Effect)
    }

    /// The steps after a first synchronisation that failed.
    enum Aftermath: Hashable, Sendable {
        /// Nothing: it was called off.
        case nothing
        /// The connection is used all the same, and retries follow.
        case retriesBehind
        /// The connection is not used before a retry has succeeded.
        case retriesFirst
    }

    enum Retry: Hashable, Sendable {
        case after(Duration)
        /// Every retry has failed, the last with this error.
        case giveUp(StackError)
        /// A synchronisation has succeeded or runs, or the link has gone.
        case needless
    }

    /// The steps of a run that nothing disturbs.
    static let course: [Step] = [
        .perform(.holdRequests),
        enter(.contacts), .perform(.beginActivity), .bring(.contacts),
        enter(.channels), .bring(.channels), .perform(.endActivity),
        .perform(.releaseRequests),
        enter(.messages), .perform(.beginBurst), .bring(.messages), .perform(.endBurst),
    ]

    let policy: SyncPolicy
    private var link = Link.down
    private var work = Work.resting
    private var connectionCount = 0
    private var runCount = 0
    /// The run whose activity is shown, whose messages are summed up, and for which requests are held back.
    ///
    /// They outlive the run: what it began has an end after it, too.
    private(set) var activity: Int?
    private(set) var burst: Int?
    private(set) var holder: Int?

    init(policy: SyncPolicy) {
        self.policy = policy
    }

    /// The number of the connection that is up.
    var connection: Int? { link.connection?.number }
    /// The retries due to the connection.
    var debt: Debt? { link.debt }
    /// True when contacts were requested; `isServing` while the request is being served.
    var isRequested: Bool { link.connection?.isRequested ?? false }
    var isServing: Bool { link.connection?.isServing ?? false }
    /// The run on its way; one at a time.
    var run: Run? { work.run }

    private static func enter(_ phase: SyncPhase) -> Step {
        .perform(.show(.syncing(progress: SyncProgress(phase: phase))))
    }

    // MARK: Connections

    /// A connection is up; its number.
    mutating func connect() -> Int {
        connectionCount += 1
        link.connect(connectionCount)
        return connectionCount
    }

    /// Notes the loss of the link; returns the number of the run that does not count any more.
    ///
    /// Its activity is to be hidden.
    mutating func disconnect() -> Int? {
        link.disconnect()
        return work.drop()?.number
    }

    /// The state to show after a disconnection, unless something runs again.
    var rest: Effect? { run == nil ? .show(.idle) : nil }

    // MARK: Runs

    /// A synchronisation is wanted; its number, `nil` while another runs.
    mutating func begin() -> Int? {
        guard work.begin(runCount + 1) else { return nil }
        runCount += 1
        return runCount
    }

    func isCurrent(_ number: Int) -> Bool { run?.number == number }

    /// Returns the run's next step, which counts as done; `nil` after the last. Throws when the run no longer counts.
    mutating func next(_ number: Int) throws(CancellationError) -> Step? {
        guard let step = try work.next(number) else { return nil }
        switch step {
        case .perform(.holdRequests): holder = number
        case .perform(.releaseRequests): holder = nil
        case .perform(.beginActivity): activity = number
        case .perform(.endActivity): activity = nil
        case .perform(.beginBurst): burst = number
        case .perform(.endBurst): burst = nil
        case .bring, .perform: break
        }
        return step
    }

    /// The run goes on without something.
    mutating func note(_ omission: SyncOmission, of number: Int) {
        work.change { if $0.number == number { $0.omissions.append(omission) } }
    }

    /// Returns the progress of a phase to show; `nil` when the run is no longer current.
    func progress(_ number: Int, _ phase: SyncPhase, _ current: Int, _ total: Int) -> Effect? {
        guard isCurrent(number) else { return nil }
        return .show(.syncing(progress: SyncProgress(phase: phase, current: current, total: total)))
    }

    /// The number of messages with a report of progress each.
    private static let slowCount = 32

    /// Returns whether the count of messages is shown: at first each, later only multiples.
    ///
    /// Later the hop to a page is slower than the message.
    static func isTold(_ count: Int) -> Bool { count <= slowCount || count.isMultiple(of: slowCount) }

    // MARK: Ends

    /// Ends a run that has done all its steps; returns the effects that are left.
    mutating func succeed(_ number: Int) -> [Effect] {
        guard let run = work.end(number) else { return [] }
        link.settle()
        return [
            .show(.synced, outcome: SyncOutcome(omissions: run.omissions)), .tellContacts, .tellConversations,
            .serveRequests,
        ]
    }

    /// Returns the next effect that closes a run that is not completed; `nil` when nothing is left.
    mutating func close(_ number: Int) -> Effect? {
        if holder == number {
            holder = nil
            return .releaseRequests
        }
        return activity == number || burst == number ? hide() : nil
    }

    /// Returns the next effect that hides a run's activity, of any run; `nil` when nothing is left.
    mutating func hide() -> Effect? {
        if activity != nil {
            activity = nil
            return .endActivity
        }
        if burst != nil {
            burst = nil
            return .endBurst
        }
        return nil
    }

    /// Returns the meaning of an error that ended a run, in terms of a synchronisation.
    func meaning(of error: any Error, in number: Int) -> StackError {
        let known = error as? StackError
        if let known, known.operation == .sync { return known }
        let place = isCurrent(number) ? run?.phase.map { "\($0.rawValue): " } ?? "" : ""
        return StackError(.sync, .syncFailed(place + "\(error)"), underlying: known?.underlying)
    }

    /// Ends a run with a failure, or without one when it is called off; returns the effects that are left.
    ///
    /// Everything is closed before.
    mutating func fail(_ number: Int, _ failure: StackError?) -> [Effect] {
        guard let run = work.end(number) else { return [] }
        var effects: [Effect] = [
            failure.map { .show(.failed($0), outcome: SyncOutcome(failure: $0)) } ?? .show(.idle)
        ]
        if run.hasUntoldChanges { effects.append(.tellConversations) }
        return effects + [.serveRequests]
    }

    // MARK: Retries

    /// The first synchronisation of a connection failed.
    mutating func firstFailed(_ connection: Int, _ error: any Error) -> Aftermath {
        guard error.isFailedSync, let error = error as? StackError,
            link.owe(Debt(retriesLeft: policy.retries, last: error), of: connection)
        else { return .nothing }
        return policy.keepsLinkAfterFailure ? .retriesBehind : .retriesFirst
    }

    /// Returns the next step of the retries of a connection.
    mutating func nextRetry(_ connection: Int) -> Retry {
        link.nextRetry(of: connection, after: policy.retryPause)
    }

    /// Returns whether a retry is still due after the pause before it.
    func isRetryDue(_ connection: Int) -> Bool { self.connection == connection && debt != nil }

    /// Notes a failed retry. While another caller synchronises, that outcome counts instead.
    mutating func retryFailed(_ connection: Int, _ error: any Error) {
        guard self.connection == connection else { return }
        if let error = error as? StackError, error.reason != .alreadySyncing {
            link.fail(error)
        } else {
            link.settle()
        }
    }

    // MARK: Changes and requests

    /// Notes that conversations have changed; returns whether to report it at once. A run reports it once, at its end.
    mutating func noteConversationsChanged() -> Bool {
        work.change { $0.hasUntoldChanges = true }
        return run == nil
    }

    /// Notes a request for contacts. Several requests while one is served are served by one more.
    mutating func request(_ connection: Int) {
        link.change { if $0.number == connection { $0.isRequested = true } }
    }

    /// Returns whether the caller is to begin to serve requests now.
    mutating func beginServing() -> Bool {
        guard isRequested, run == nil, !isServing else { return false }
        link.change { $0.isServing = true }
        return true
    }

    /// Returns whether one more request is to be served; the serving task ends where there is none.
    mutating func nextRequest() -> Bool {
        let isDue = isRequested && run == nil
        link.change { connection in
            connection.isServing = isDue
            if isDue { connection.isRequested = false }
        }
        return isDue
    }
}

extension Error {
    /// True when a synchronisation was completed and failed, unlike one that was not begun or was called off.
    var isFailedSync: Bool {
        guard let error = self as? StackError, case .syncFailed = error.reason else { return false }
        return true
    }
}
