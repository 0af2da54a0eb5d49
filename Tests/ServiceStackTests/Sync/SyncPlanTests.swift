import MeshCore
import MeshTestSupport
import Testing

@testable import PocketMeshServices

/// The decisions of a synchronisation, without any time passing.
///
/// A timeline has a word for each step: `(` and `)` around what is shown as activity, `[` and `]` around a burst. `<`
/// and `>` are around the time in which requests for contacts wait.
@Suite struct SyncPlanTests {
    private static let failure = StackError(.sync, .syncFailed("channels: trouble"))

    private func plan(_ change: (inout SyncPolicy) -> Void = { _ in }) -> SyncPlan {
        var policy = SyncPolicy()
        change(&policy)
        return SyncPlan(policy: policy)
    }

    private static func word(_ effect: SyncPlan.Effect) -> String {
        switch effect {
        case .show(.idle, _): "idle"
        case .show(.syncing(let progress), _): "\(progress.phase.rawValue):"
        case .show(.synced, let outcome): outcome?.isComplete == true ? "synced" : "partly"
        case .show(.failed, _): "failed"
        case .holdRequests: "<"
        case .releaseRequests: ">"
        case .beginActivity: "("
        case .endActivity: ")"
        case .beginBurst: "["
        case .endBurst: "]"
        case .tellContacts: "contacts!"
        case .tellConversations: "conversations!"
        case .serveRequests: "serve"
        }
    }

    /// Runs until a phase fails, or is called off, or to the end.
    private func timeline(
        _ plan: inout SyncPlan, failingIn phase: SyncPhase? = nil, isCalledOff: Bool = false,
        during change: (inout SyncPlan) -> Void = { _ in }
    ) -> String {
        guard let number = plan.begin() else { return "refused" }
        var words: [String] = []
        var hasFailed = false
        do {
            while !hasFailed, let step = try plan.next(number) {
                switch step {
                case .bring(let brought):
                    words.append(".")
                    change(&plan)
                    hasFailed = brought == phase
                case .perform(let effect): words.append(Self.word(effect))
                }
            }
        } catch {
            words.append("dropped")
        }
        if hasFailed {
            while let effect = plan.close(number) { words.append(Self.word(effect)) }
            words += plan.fail(number, isCalledOff ? nil : Self.failure).map(Self.word)
        } else {
            words += plan.succeed(number).map(Self.word)
        }
        return words.joined(separator: " ")
    }

    // MARK: Runs

    @Test(.proves("SVC-071", "SVC-073", "SVC-074", "SVC-084"))
    func `a run goes through its phases, shows two of them, sums up the third and tells both lists once`() {
        var plan = plan()
        let line = timeline(&plan)

        #expect(line == "< contacts: ( . channels: . ) > messages: [ . ] synced contacts! conversations! serve")
        #expect(plan.run == nil)
    }

    @Test(.proves("SVC-073", "SVC-074", "SVC-085"))
    func `wherever a run fails, what it began has one end before the failure is shown`() {
        let lines = [SyncPhase.contacts, .channels, .messages].map { phase in
            var plan = plan()
            return timeline(&plan, failingIn: phase)
        }

        #expect(
            lines == [
                "< contacts: ( . > ) failed serve",
                "< contacts: ( . channels: . > ) failed serve",
                "< contacts: ( . channels: . ) > messages: [ . ] failed serve",
            ])
    }

    @Test(.proves("SVC-074")) func `a run that is called off ends the same way, and leads to idle`() {
        var plan = plan()

        #expect(
            timeline(&plan, failingIn: .channels, isCalledOff: true) == "< contacts: ( . channels: . > ) idle serve")
    }

    @Test(.proves("SVC-079")) func `another run is refused while one is on its way, and not behind it`() {
        var plan = plan()
        let first = plan.begin()

        #expect(plan.begin() == nil)
        _ = plan.fail(first ?? 0, nil)
        #expect(plan.begin() == 2)
    }

    @Test func `a run goes on without what it could not bring, and says so at its end`() throws {
        var plan = plan()
        let begun = plan.begin()
        let number = try #require(begun)
        plan.note(.contacts(received: 3), of: number)
        plan.note(.channels(["slot 4"]), of: number + 1)
        while try plan.next(number) != nil {}

        let outcome = SyncOutcome(omissions: [.contacts(received: 3)])
        let effects = plan.succeed(number)
        #expect(effects.first == .show(.synced, outcome: outcome))
    }

    @Test(.proves("SVC-085")) func `an error is told with its phase, and one of a synchronisation as it is`() throws {
        var plan = plan()
        let begun = plan.begin()
        let number = try #require(begun)
        while try plan.next(number) != .bring(.channels) {}
        let below = StackError(.channels, .session(.notConnected))

        #expect(plan.meaning(of: Trouble(), in: number) == Self.failure)
        #expect(plan.meaning(of: below, in: number).underlying == .session(.notConnected))
        #expect(plan.meaning(of: StackError(.sync, .notConnected), in: number) == StackError(.sync, .notConnected))
        #expect(plan.meaning(of: Trouble(), in: number + 1) == StackError(.sync, .syncFailed("trouble")))
    }

    @Test func `the count of messages is told one by one at first, then every thirty-second time`() {
        let told = (1...130).filter(SyncPlan.isTold)

        #expect(told == Array(1...32) + [64, 96, 128])
    }

    // MARK: Connections

    @Test(.proves("SVC-087")) func `the loss of the link hides what is shown, and the run does not count any more`()
        throws
    {
        var plan = plan()
        _ = plan.connect()
        let begun = plan.begin()
        let number = try #require(begun)
        while try plan.next(number) != .bring(.contacts) {}
        let dropped = plan.disconnect()
        var words: [String] = []
        while let effect = plan.hide() { words.append(Self.word(effect)) }
        words += [plan.rest].compactMap(\.self).map(Self.word)

        #expect(dropped == number)
        #expect(words == [")", "idle"])
        #expect(throws: CancellationError.self) { try plan.next(number) }
        #expect(plan.progress(number, .contacts, 1, 3) == nil)
        // Whoever worked on it has only the requests to release.
        #expect(plan.close(number) == .releaseRequests)
        #expect(plan.close(number) == nil)
        #expect(plan.fail(number, nil) == [])
        #expect(plan.succeed(number) == [])
    }

    @Test func `a run that begins while the last one is hidden is not taken for idle`() {
        var plan = plan()
        _ = plan.connect()
        _ = plan.begin()
        _ = plan.disconnect()
        _ = plan.begin()

        #expect(plan.rest == nil)
    }

    // MARK: Retries

    /// Returns the retries of a connection whose first synchronisation fails, until one of them succeeds.
    private func retries(_ plan: inout SyncPlan, failing count: Int) -> [String] {
        let connection = plan.connect()
        var words = ["\(plan.firstFailed(connection, Self.failure))"]
        var made = 0
        while true {
            switch plan.nextRetry(connection) {
            case .needless: return words
            case .giveUp: return words + ["gave up"]
            case .after(let pause):
                words.append("\(pause)")
                guard plan.isRetryDue(connection) else { return words + ["not due"] }
                made += 1
                if made <= count {
                    plan.retryFailed(connection, Self.failure)
                } else {
                    _ = timeline(&plan)
                    return words + ["\(plan.nextRetry(connection))"]
                }
            }
        }
    }

    @Test(.proves("SVC-086")) func `three retries follow, two seconds apart, behind the connection or before it`() {
        for (keeps, first) in [(true, "retriesBehind"), (false, "retriesFirst")] {
            var plan = plan { $0.keepsLinkAfterFailure = keeps }
            #expect(retries(&plan, failing: 9) == [first, "2.0 seconds", "2.0 seconds", "2.0 seconds", "gave up"])
            #expect(retries(&plan, failing: 1) == [first, "2.0 seconds", "2.0 seconds", "needless"])
        }
    }

    @Test(.proves("SVC-086")) func `without retries the first failure is the last`() {
        var plan = plan { $0.retries = 0 }
        let connection = plan.connect()
        _ = plan.firstFailed(connection, Self.failure)

        #expect(plan.nextRetry(connection) == .giveUp(Self.failure))
        #expect(plan.nextRetry(connection) == .needless)
    }

    @Test func `no retry follows the loss of the link, a success, somebody else's run or what was called off`() {
        let changes: [(String, (inout SyncPlan) -> Void)] = [
            ("link", { _ = $0.disconnect() }), ("connection", { _ = $0.connect() }),
            ("success", { plan in if let number = plan.begin() { _ = plan.succeed(number) } }),
            ("other", { $0.retryFailed(1, StackError(.sync, .alreadySyncing)) }),
            ("called off", { $0.retryFailed(1, CancellationError()) }),
        ]
        for (name, change) in changes {
            var plan = plan()
            let connection = plan.connect()
            _ = plan.firstFailed(connection, Self.failure)
            _ = plan.nextRetry(connection)
            change(&plan)

            let isDue = plan.isRetryDue(connection)
            #expect(!isDue, "\(name)")
            #expect(plan.nextRetry(connection) == .needless, "\(name)")
        }
        var plan = plan()
        let connection = plan.connect()
        #expect(plan.firstFailed(connection, CancellationError()) == .nothing)
        #expect(plan.firstFailed(7, Self.failure) == .nothing)
    }

    // MARK: Changes and requests

    @Test func `changes during a run are told once, also behind a failure, and at once where none runs`() {
        var plan = plan()
        #expect(plan.noteConversationsChanged() == true)
        let line = timeline(&plan, failingIn: .messages) { plan in
            let isToldAtOnce = plan.noteConversationsChanged()
            #expect(!isToldAtOnce)
        }

        #expect(line.hasSuffix("] failed conversations! serve"))
        let next = timeline(&plan, failingIn: .messages)
        #expect(next.hasSuffix("] failed serve"))
    }

    @Test(.proves("SVC-088")) func `requests meanwhile are served by one more, and none beside a run`() throws {
        var plan = plan()
        let connection = plan.connect()
        plan.request(connection - 1)
        #expect(plan.beginServing() == false)
        for _ in 0..<3 { plan.request(connection) }
        #expect(plan.beginServing() == true)
        #expect(plan.beginServing() == false)
        #expect(plan.nextRequest() == true)
        for _ in 0..<3 { plan.request(connection) }
        #expect(plan.nextRequest() == true)
        #expect(plan.nextRequest() == false)
        let begun = plan.begin()
        let number = try #require(begun)
        plan.request(connection)
        #expect(plan.beginServing() == false)
        _ = plan.fail(number, nil)
        #expect(plan.beginServing() == true)
    }

    // MARK: All of it

    /// All inputs of a plan, with the numbers that count and with those before.
    private static let events: [@Sendable (inout SyncPlan) -> Void] = {
        var events: [@Sendable (inout SyncPlan) -> Void] = [
            { _ = $0.connect() }, { _ = $0.disconnect() }, { _ = $0.hide() }, { _ = $0.begin() },
            { _ = $0.noteConversationsChanged() }, { _ = $0.beginServing() }, { _ = $0.nextRequest() },
        ]
        for age in [0, 1] {
            events += [
                { plan in _ = try? plan.next((plan.run?.number ?? 1) - age) },
                { plan in _ = plan.close((plan.run?.number ?? 1) - age) },
                { plan in _ = plan.succeed((plan.run?.number ?? 1) - age) },
                { plan in _ = plan.fail((plan.run?.number ?? 1) - age, failure) },
                { plan in _ = plan.firstFailed((plan.connection ?? 1) - age, failure) },
                { plan in _ = plan.nextRetry((plan.connection ?? 1) - age) },
                { plan in plan.retryFailed((plan.connection ?? 1) - age, failure) },
                { plan in plan.request((plan.connection ?? 1) - age) },
            ]
        }
        return events
    }()

    /// All that a plan holds, to compare plans that cannot be copied.
    private struct Situation: Hashable {
        let connection: Int?
        let debt: SyncPlan.Debt?
        let requests: [Bool]
        let run: SyncPlan.Run?
        let activity: Int?
        let burst: Int?
        let holder: Int?

        init(_ plan: borrowing SyncPlan) {
            connection = plan.connection
            debt = plan.debt
            requests = [plan.isRequested, plan.isServing]
            run = plan.run
            activity = plan.activity
            burst = plan.burst
            holder = plan.holder
        }
    }

    /// Plays events from the start: a plan cannot be copied.
    private func played(_ events: [Int]) -> SyncPlan {
        var plan = plan { $0.retries = 1 }
        for event in events { Self.events[event](&plan) }
        return plan
    }

    @Test(.proves("SVC-074", "SVC-087"))
    func `in every situation that eight events lead to the rules hold after each further one`() {
        var situations: Set<Situation> = [Situation(played([]))]
        var frontier: [[Int]] = [[]]
        for _ in 0..<8 {
            var next: [[Int]] = []
            for way in frontier {
                let before = Situation(played(way))
                for (index, event) in Self.events.enumerated() {
                    var plan = played(way)
                    event(&plan)
                    let after = Situation(plan)
                    check(before, after)
                    if situations.insert(after).inserted { next.append(way + [index]) }
                }
            }
            frontier = next
        }

        // As many as tests can see: states that no event leads to do not exist.
        #expect(situations.count > 600)
    }

    private func check(_ before: Situation, _ after: Situation) {
        // What is shown begins in a run that counts only, and no two runs follow one another without an end.
        if after.activity != nil, before.activity == nil { #expect(after.activity == after.run?.number) }
        if after.burst != nil, before.burst == nil { #expect(after.burst == after.run?.number) }
        if let run = after.run, let old = before.run { #expect(run.number == old.number && run.done >= old.done) }
        if after.connection == nil { #expect(after.debt == nil && after.requests == [false, false]) }
        if let debt = after.debt { #expect(0...1 ~= debt.retriesLeft) }
    }

    // MARK: Transitions

    private enum Link: CaseIterable { case down, up, owing }

    /// A plan with a link in a state; one that is owing has one retry left.
    private func plan(_ link: Link) -> SyncPlan {
        var plan = plan { $0.retries = 1 }
        if link == .down { return plan }
        let connection = plan.connect()
        if link == .owing { _ = plan.firstFailed(connection, Self.failure) }
        return plan
    }

    @Test func `retries are due to a link that owes them, and to no other`() {
        let expected: [SyncPlan.Retry] = [.needless, .needless, .after(.seconds(2))]
        for (link, expected) in zip(Link.allCases, expected) {
            var plan = plan(link)
            let before = Situation(plan)
            #expect(plan.nextRetry(2) == .needless, "\(link), of another connection")
            #expect(Situation(plan) == before, "\(link)")
            #expect(plan.nextRetry(1) == expected, "\(link)")
        }
    }

    @Test func `requests are noted for the link that is up only`() {
        for link in Link.allCases {
            var plan = plan(link)
            plan.request(1)
            let isBegun = plan.beginServing()
            #expect(isBegun == (link != .down), "\(link)")
            #expect(plan.isServing == (link != .down), "\(link)")
        }
    }

    @Test func `a failure makes a link owe that is up, and a failed retry changes one only that owes`() {
        let other = StackError(.sync, .syncFailed("messages: trouble"))
        for link in Link.allCases {
            var failed = plan(link)
            let aftermath = failed.firstFailed(1, other)
            #expect(aftermath == (link == .down ? .nothing : .retriesBehind), "\(link)")
            #expect(failed.debt?.last == (link == .down ? nil : other), "\(link)")

            var retried = plan(link)
            retried.retryFailed(1, other)
            #expect(retried.debt?.last == (link == .owing ? other : nil), "\(link)")
        }
    }

    @Test func `a run at rest accepts its beginning alone`() {
        var plan = plan()
        let before = Situation(plan)
        plan.note(.contacts(received: 3), of: 1)

        #expect(throws: CancellationError.self) { try plan.next(1) }
        #expect(plan.progress(1, .contacts, 1, 3) == nil)
        #expect(plan.succeed(1) == [])
        #expect(plan.fail(1, Self.failure) == [])
        #expect(plan.close(1) == nil)
        #expect(Situation(plan) == before)
        #expect(plan.begin() == 1)
        #expect(plan.begin() == nil)
    }
}
