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
            guard case .again(let pause) = plan.end(attempt, steady: .zero, draw: draw)?.next else { break }
            pauses.append(pause)
        }
        return pauses
    }

    @Test(.proves("SVC-056")) func `a user's connect has four attempts, with 0.3, 0.6 and 1.2 s between`() {
        var plan = ConnectionPlan(policy: policy())
        #expect(plan.want(Self.one, byUser: true) == .begin)
        var longest = plan

        #expect(pauses(&plan, 10) == [.milliseconds(300), .milliseconds(600), .milliseconds(1200)])
        #expect(pauses(&longest, 10, draw: 1) == [.milliseconds(330), .milliseconds(660), .milliseconds(1320)])
        #expect(plan.state == .disconnected)
        #expect(plan.intent == nil)
    }

    @Test(.proves("SVC-057")) func `reconnections wait half a second, twice as long each time, and thirty at most`() {
        var plan = ConnectionPlan(policy: policy())
        _ = plan.want(Self.one, byUser: false)
        let expected = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].map { Duration.milliseconds($0) }

        #expect(pauses(&plan, 8) == expected)
        #expect(plan.state == .connecting)
    }

    @Test(.proves("SVC-057")) func `reconnections end where the profile says so`() {
        var limited = ConnectionPlan(policy: policy { $0.maxReconnects = 2 })
        var none = ConnectionPlan(policy: policy { $0.reconnects = false })
        _ = limited.want(Self.one, byUser: false)
        _ = none.want(Self.one, byUser: false)

        #expect(pauses(&limited, 5).count == 2)
        #expect(limited.state == .disconnected)
        #expect(limited.intent == Self.one)
        #expect(pauses(&none, 5) == [])
        #expect(none.state == .disconnected)
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
        #expect(other.state == .disconnected)
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

    /// The states that may follow one another in one step.
    private static let successors: [DeviceConnectionState: [DeviceConnectionState]] = [
        .disconnected: [.connecting], .connecting: [.connected, .disconnected],
        .connected: [.ready, .connecting, .disconnected], .ready: [.connecting, .disconnected],
    ]

    @Test(.proves("SVC-048", "SVC-064"))
    func `in every situation that ten events lead to the rules hold after each further one`() {
        var plans: Set<ConnectionPlan> = [ConnectionPlan(policy: policy { $0.maxReconnects = 2 })]
        var frontier = Array(plans)
        for _ in 0..<10 {
            var next: [ConnectionPlan] = []
            for plan in frontier {
                for (index, event) in Self.events.enumerated() {
                    var after = plan
                    event(&after)
                    check(plan, after, isOld: index >= 13)
                    if plans.insert(after).inserted { next.append(after) }
                }
            }
            frontier = next
        }

        #expect(plans.count > 1000)
    }

    private func check(_ before: ConnectionPlan, _ after: ConnectionPlan, isOld: Bool) {
        if isOld { #expect(before == after, "an older generation changed something") }
        if before.state != after.state {
            #expect(Self.successors[before.state]?.contains(after.state) == true, "\(before.state) → \(after.state)")
        }
        #expect(after.generation >= before.generation)
        if before.target != after.target { #expect(after.generation > before.generation) }
        #expect((after.phase == .idle) == (after.target == nil))
        #expect(after.userAttempts ?? 0 < after.policy.connectAttempts)
        #expect(after.reconnections <= 2)
        if after.phase == .connected || after.phase == .ready { #expect(after.intent == after.target) }
    }
}
