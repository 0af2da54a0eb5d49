import MeshCore
import MeshTestSupport
import Testing

@testable import PocketMeshServices

/// The decisions of a connection manager, without any time passing.
@Suite struct ConnectionPlanTests {
    private static let one = RadioEndpoint(kind: .tcp, address: "one:5000")
    private static let two = RadioEndpoint(kind: .serial, address: "/dev/ttyUSB0")

    private func policy(_ change: (inout ConnectionPolicy) -> Void = { _ in }) -> ConnectionPolicy {
        var policy = ConnectionPolicy()
        change(&policy)
        return policy
    }

    /// Fails attempts in a phase until the plan gives up or this number of pauses is known.
    private func pauses(
        _ plan: inout ConnectionPlan, _ count: Int, failingIn phases: [ConnectionPlan.Phase] = [], draw: Double = 0
    ) -> [Duration] {
        var pauses: [Duration] = []
        while pauses.count < count, let attempt = plan.begin(plan.generation) {
            for phase in phases { _ = plan.advance(attempt, to: phase) }
            _ = plan.lose(attempt)
            guard case .again(let pause) = plan.end(attempt, steady: .zero, draw: draw)?.next else { break }
            pauses.append(pause)
        }
        return pauses
    }

    @Test(.proves("SVC-056")) func `a user's connect has four attempts, with 0.3, 0.6 and 1.2 s between`() {
        var plan = ConnectionPlan(policy: policy())
        var longest = ConnectionPlan(policy: policy())
        #expect(plan.want(Self.one, byUser: true) == .begin)
        #expect(longest.want(Self.one, byUser: true) == .begin)

        #expect(pauses(&plan, 10) == [.milliseconds(300), .milliseconds(600), .milliseconds(1200)])
        #expect(pauses(&longest, 10, draw: 1) == [.milliseconds(330), .milliseconds(660), .milliseconds(1320)])
        #expect(plan.shown == .disconnected)
        #expect(plan.intent == nil)
    }

    @Test(.proves("SVC-057")) func `reconnections wait half a second, twice as long each time, and thirty at most`() {
        var plan = ConnectionPlan(policy: policy())
        _ = plan.want(Self.one, byUser: false)
        let expected = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].map { Duration.milliseconds($0) }

        #expect(pauses(&plan, 8) == expected)
        #expect(plan.shown == .connecting)
    }

    @Test(.proves("SVC-057")) func `reconnections end where the profile says so`() {
        var limited = ConnectionPlan(policy: policy { $0.maxReconnects = 2 })
        var none = ConnectionPlan(policy: policy { $0.reconnects = false })
        _ = limited.want(Self.one, byUser: false)
        _ = none.want(Self.one, byUser: false)

        #expect(pauses(&limited, 5).count == 2)
        #expect(limited.shown == .disconnected)
        #expect(limited.intent == Self.one)
        #expect(pauses(&none, 5) == [])
        #expect(none.shown == .disconnected)
    }

    @Test func `the circuit breaker waits longest after three attempts that failed behind an open link`() {
        var plan = ConnectionPlan(policy: policy())
        _ = plan.want(Self.one, byUser: false)

        let pauses = pauses(&plan, 5, failingIn: [.settingUp])

        #expect(pauses == [500, 1000, 30_000, 30_000, 30_000].map { Duration.milliseconds($0) })
    }

    @Test func `only a connection that held makes the pauses short again`() {
        for (steady, expected) in [(Duration.seconds(29), Duration.seconds(4)), (.seconds(30), .milliseconds(500))] {
            var plan = ConnectionPlan(policy: policy())
            _ = plan.want(Self.one, byUser: false)
            _ = pauses(&plan, 3)
            let attempt = plan.begin(plan.generation) ?? 0
            for phase in [ConnectionPlan.Phase.settingUp, .connected, .ready] { _ = plan.advance(attempt, to: phase) }
            _ = plan.lose(attempt)

            #expect(plan.end(attempt, steady: steady, draw: 0)?.next == .again(after: expected))
        }
    }

    @Test(.proves("SVC-R-090")) func `a user who wants what is being connected uses the attempt that runs`() {
        var plan = ConnectionPlan(policy: policy())
        _ = plan.want(Self.one, byUser: false)
        let attempt = plan.begin(plan.generation)

        #expect(plan.want(Self.one, byUser: true) == .join)
        #expect(plan.want(Self.one, byUser: false) == .join)
        #expect(plan.generation == attempt)
    }

    @Test func `a user's failed connect leaves what was wanted before, and nothing else`() {
        var same = ConnectionPlan(policy: policy())
        _ = same.want(Self.one, byUser: false)
        _ = same.want(Self.one, byUser: true)
        var other = ConnectionPlan(policy: policy())
        _ = other.want(Self.one, byUser: false)
        _ = other.want(Self.two, byUser: true)

        #expect(pauses(&same, 4) == [300, 600, 1200, 500].map { Duration.milliseconds($0) })
        #expect(same.intent == Self.one)
        #expect(pauses(&other, 4).count == 3)
        #expect(other.intent == nil)
        #expect(other.shown == .disconnected)
    }

    // MARK: Transitions

    /// A plan that a user's wish has led to a phase.
    private func plan(in phase: ConnectionPlan.Phase) -> ConnectionPlan {
        var plan = ConnectionPlan(policy: policy())
        guard phase != .idle else { return plan }
        _ = plan.want(Self.one, byUser: true)
        guard phase != .pausing, let attempt = plan.begin(plan.generation) else { return plan }
        for next in [ConnectionPlan.Phase.settingUp, .connected, .ready] where plan.phase != phase {
            if phase != .closing { _ = plan.advance(attempt, to: next) }
        }
        if phase == .closing { _ = plan.lose(attempt) }
        return plan
    }

    /// The inputs of an attempt, and for each phase that accepts one the phase that follows.
    private static let steps: [(String, @Sendable (inout ConnectionPlan) -> Void, [Phases])] = [
        ("begin", { _ = $0.begin($0.generation) }, [(.pausing, .opening)]),
        ("open", { _ = $0.advance($0.generation, to: .settingUp) }, [(.opening, .settingUp)]),
        ("introduce", { _ = $0.advance($0.generation, to: .connected) }, [(.settingUp, .connected)]),
        ("synchronise", { _ = $0.advance($0.generation, to: .ready) }, [(.connected, .ready)]),
        ("go back", { _ = $0.advance($0.generation, to: .opening) }, []),
        (
            "lose", { _ = $0.lose($0.generation) },
            [(.opening, .closing), (.settingUp, .closing), (.connected, .closing), (.ready, .closing)]
        ),
        ("end", { _ = $0.end($0.generation, steady: .zero, draw: 0) }, [(.closing, .pausing)]),
        ("end for good", { _ = $0.end($0.generation, steady: .zero, isFinal: true, draw: 0) }, [(.closing, .idle)]),
        ("drop", { $0.drop() }, ConnectionPlan.Phase.allCases.map { ($0, .idle) }),
        ("halt", { $0.halt() }, ConnectionPlan.Phase.allCases.map { ($0, .idle) }),
        (
            "want another", { _ = $0.want(two, byUser: false) },
            ConnectionPlan.Phase.allCases.map { ($0, .pausing) }
        ),
        (
            "leave", { _ = $0.leave() },
            [(.pausing, .idle), (.opening, .idle), (.settingUp, .idle), (.closing, .idle)]
        ),
    ]

    private typealias Phases = (from: ConnectionPlan.Phase, to: ConnectionPlan.Phase)

    @Test func `each phase accepts its own inputs, and every other input changes nothing`() {
        for (name, step, accepted) in Self.steps {
            for phase in ConnectionPlan.Phase.allCases {
                var plan = plan(in: phase)
                let before = Situation(plan)
                #expect(before.phase == phase)
                step(&plan)

                if let next = accepted.first(where: { $0.from == phase })?.to {
                    #expect(plan.phase == next, "\(name) in \(phase)")
                } else if name == "leave", phase == .connected {
                    // The radio is wanted from here on, so that the wish goes on without its user.
                    #expect(plan.phase == .connected)
                    #expect(plan.pursuit?.userAttempts == nil)
                } else {
                    #expect(Situation(plan) == before, "\(name) in \(phase)")
                }
            }
        }
    }

    @Test func `an attempt that would fail the same way again answers its user and ends`() {
        var plan = plan(in: .closing)

        let verdict = plan.end(plan.generation, steady: .zero, isFinal: true, draw: 0)
        #expect(verdict == ConnectionPlan.Verdict(next: .end, answersUser: true))
    }

    @Test func `a radio that is ready has no waiting user, and its lost link is reconnected for none`() {
        var plan = plan(in: .ready)
        #expect(plan.want(Self.one, byUser: true) == .isReady)
        #expect(plan.pursuit == ConnectionPlan.Pursuit(target: Self.one))
        _ = plan.lose(plan.generation)

        let verdict = plan.end(plan.generation, steady: .zero, draw: 0)
        #expect(verdict == .init(next: .again(after: .milliseconds(500)), answersUser: false))
    }

    // MARK: All of it

    /// All inputs of a plan, with the generation that counts and with an older one.
    private static let events: [@Sendable (inout ConnectionPlan) -> Void] = {
        var events: [@Sendable (inout ConnectionPlan) -> Void] = [
            { _ = $0.want(one, byUser: true) }, { _ = $0.want(one, byUser: false) }, { _ = $0.want(two, byUser: true) },
            { $0.drop() }, { $0.halt() }, { _ = $0.leave() },
        ]
        for age: UInt64 in [0, 1] {
            events += [
                { _ = $0.begin($0.generation &- age) },
                { _ = $0.advance($0.generation &- age, to: .settingUp) },
                { _ = $0.advance($0.generation &- age, to: .connected) },
                { _ = $0.advance($0.generation &- age, to: .ready) },
                { _ = $0.lose($0.generation &- age) },
                { _ = $0.end($0.generation &- age, steady: .zero, draw: 0.5) },
                { _ = $0.end($0.generation &- age, steady: .seconds(60), draw: 1) },
            ]
        }
        return events
    }()

    /// All that a plan holds, to compare plans that cannot be copied.
    private struct Situation: Hashable {
        let phase: ConnectionPlan.Phase
        let shown: DeviceConnectionState
        let intent: RadioEndpoint?
        let generation: UInt64
        let pursuit: ConnectionPlan.Pursuit?

        init(_ plan: borrowing ConnectionPlan) {
            phase = plan.phase
            shown = plan.shown
            intent = plan.intent
            generation = plan.generation
            pursuit = plan.pursuit
        }
    }

    /// The states that may follow one another in one step.
    private static let successors: [DeviceConnectionState: [DeviceConnectionState]] = [
        .disconnected: [.connecting], .connecting: [.connected, .disconnected],
        .connected: [.ready, .connecting, .disconnected], .ready: [.connecting, .disconnected],
    ]

    /// Plays events from the start: a plan cannot be copied.
    private func played(_ events: [Int]) -> ConnectionPlan {
        var plan = ConnectionPlan(policy: policy { $0.maxReconnects = 2 })
        for event in events { Self.events[event](&plan) }
        return plan
    }

    @Test(.proves("SVC-048", "SVC-064"))
    func `in every situation that ten events lead to the rules hold after each further one`() {
        var situations: Set<Situation> = [Situation(played([]))]
        var frontier: [[Int]] = [[]]
        for _ in 0..<10 {
            var next: [[Int]] = []
            for way in frontier {
                let before = Situation(played(way))
                for (index, event) in Self.events.enumerated() {
                    var plan = played(way)
                    event(&plan)
                    let after = Situation(plan)
                    check(before, after, isOld: index >= 13)
                    if situations.insert(after).inserted { next.append(way + [index]) }
                }
            }
            frontier = next
        }

        // As many as tests can see: states that no event leads to do not exist.
        #expect(situations.count > 800)
    }

    private func check(_ before: Situation, _ after: Situation, isOld: Bool) {
        if isOld { #expect(before == after, "an older generation changed something") }
        if before.shown != after.shown {
            #expect(Self.successors[before.shown]?.contains(after.shown) == true, "\(before.shown) → \(after.shown)")
        }
        #expect(after.generation >= before.generation)
        if before.pursuit?.target != after.pursuit?.target { #expect(after.generation > before.generation) }
        #expect((after.phase == .idle) == (after.pursuit == nil))
        #expect(after.pursuit?.userAttempts ?? 0 < ConnectionPolicy().connectAttempts)
        #expect(after.pursuit?.reconnections ?? 0 <= 2)
        if after.phase == .connected || after.phase == .ready { #expect(after.intent == after.pursuit?.target) }
        if after.phase == .ready { #expect(after.pursuit?.userAttempts == nil && after.pursuit?.setUpFailures == 0) }
    }
}
