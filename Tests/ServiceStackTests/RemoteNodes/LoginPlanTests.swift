import Foundation
import MeshCompanion
import MeshCore
import MeshWire
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// The life of the session with one node: what each state allows, and what each event makes of it.
@Suite struct LoginPlanTests {
    private enum Stage: CaseIterable {
        case out, owed, asking, renewing, again, late, inside
    }

    private static let info = LoginInfo(Push.LoginSuccess(permissions: 1, publicKeyPrefix: Frames.prefix(2)))

    /// A plan in this state. A login that is under way or too late has number 1, a keep-alive 9.
    private func plan(at stage: Stage) -> LoginPlan {
        var plan = LoginPlan(isMarked: stage == .owed || stage == .renewing)
        if stage == .out || stage == .owed { return plan }
        plan.ask(login(1))
        switch stage {
        case .late: _ = plan.fail(1, .silent(late(due: 60)))
        case .inside, .again:
            _ = plan.accept(1, LoginResult(Self.info))
            plan.change { $0.loop = KeepAliveLoop(number: 9, task: Task {}) }
            if stage == .again { plan.ask(login(1)) }
        default: break
        }
        return plan
    }

    private func login(_ number: Int) -> LoginPlan.Asking {
        .init(number: number, task: Task { throw CancellationError() })
    }

    private func late(due seconds: Int) -> LoginPlan.Late {
        let row = RemoteNodeSessionDTO(
            deviceID: UUID(), publicKey: Data(Frames.key(2).array), name: "room", role: .roomServer)
        return .init(
            number: 1, row: row, secret: SessionSecret(password: "x", isRemembered: true), due: .seconds(seconds))
    }

    /// The values that a plan shows, in the order of the stages.
    private func each<R>(_ look: (inout LoginPlan) -> R) -> [R] {
        Stage.allCases.map { stage in
            var plan = plan(at: stage)
            return look(&plan)
        }
    }

    // MARK: What a state allows

    @Test func `a mark of an earlier link is no session: nobody posts before a login`() {
        let owed = each { $0.shown }[1]
        let posts = each { $0.mayPost }
        let requests = each { $0.mayRequest }

        #expect(owed == .disconnected)
        #expect(posts == [false, false, false, false, false, false, true])
        #expect(requests == [false, true, false, true, true, false, true])
    }

    @Test func `users see a session only while there is one, and no login under way`() {
        let shown = each { $0.shown }
        let awaiting = each { $0.awaitsLogin }

        #expect(
            shown == [
                .disconnected, .disconnected, .authenticating, .authenticating, .authenticating, .disconnected,
                .connected(.admin),
            ])
        #expect(awaiting == [false, true, false, false, false, false, true])
    }

    @Test func `a session can be changed only where there is one`() {
        let numbers = each { plan in plan.change { $0.loop?.number ?? 0 } }

        #expect(numbers == [nil, nil, nil, nil, 9, nil, 9])
    }

    // MARK: Logins

    @Test func `a login begins in every state, and replaces the one before`() {
        let numbers = each { plan in
            plan.ask(login(2))
            return plan.asking?.number
        }
        let isFirstAccepted = each { plan in
            plan.ask(login(2))
            return plan.accept(1, LoginResult(Self.info))
        }
        let firstHasEnded = each { plan in
            plan.ask(login(2))
            return plan.fail(1, .refused) != nil || plan.asking?.number != 2
        }

        #expect(numbers == Array(repeating: 2, count: 7))
        #expect(isFirstAccepted == Array(repeating: false, count: 7))
        #expect(firstHasEnded == Array(repeating: false, count: 7))
    }

    @Test func `a success counts for the login that is under way or too late, and once`() {
        let accepted = each { plan in
            [plan.accept(1, LoginResult(Self.info)), plan.accept(1, LoginResult(Self.info))]
        }
        let shown = each { plan in
            _ = plan.accept(1, LoginResult(Self.info))
            return plan.shown
        }

        #expect(accepted.map { $0[0] } == [false, false, true, true, true, true, false])
        #expect(accepted.map { $0[1] } == Array(repeating: false, count: 7))
        #expect(shown == [.disconnected, .disconnected] + Array(repeating: .connected(.admin), count: 5))
    }

    @Test func `a login that follows a session keeps its keep-alive until another one begins`() {
        var plan = plan(at: .again)
        _ = plan.accept(1, LoginResult(Self.info))
        let loop = plan.visit?.loop?.number

        #expect(loop == 9)
    }

    @Test func `a login that is called off leaves the session as it was`() {
        let before = each { $0.mayRequest }
        let left = each { $0.fail(1, .passing) == nil }
        let after = each { plan in
            _ = plan.fail(1, .passing)
            return plan.mayRequest
        }

        #expect(left == Array(repeating: true, count: 7))
        #expect(after == before)
    }

    @Test func `a refusal ends the session that there was, and no other login does`() {
        let left = each { $0.fail(1, .refused).map { $0.loop != nil } }
        let other = each { $0.fail(2, .refused) == nil }
        let requests = each { plan in
            _ = plan.fail(1, .refused)
            return plan.mayRequest
        }

        #expect(left == [nil, nil, false, false, true, nil, nil])
        #expect(other == Array(repeating: true, count: 7))
        #expect(requests == [false, true, false, false, false, false, true])
    }

    @Test func `a success is noted for the login that waits, and counts late for a while`() {
        let late = each { $0.hear(Self.info, at: .seconds(60))?.number }
        let tooLate = each { $0.hear(Self.info, at: .seconds(61))?.number }
        let heard = each { plan in
            _ = plan.hear(Self.info, at: .zero)
            return plan.asking?.heard == Self.info
        }

        #expect(late == [nil, nil, nil, nil, nil, 1, nil])
        #expect(tooLate == Array(repeating: nil, count: 7))
        #expect(heard == [false, false, true, true, true, false, false])
    }

    @Test func `a login that came too late by far, or is forgotten, leads nowhere any more`() {
        var tooLate = plan(at: .late)
        _ = tooLate.hear(Self.info, at: .seconds(61))
        var forgotten = plan(at: .late)
        forgotten.forgetLate()
        var inside = plan(at: .inside)
        inside.forgetLate()
        let outcomes = [tooLate.accept(1, LoginResult(Self.info)), forgotten.accept(1, LoginResult(Self.info))]
        let mayPost = inside.mayPost

        #expect(outcomes == [false, false])
        #expect(mayPost)
    }

    // MARK: Ends

    @Test func `only its own keep-alive ends a session, and a login under way goes on`() {
        let ended = each { $0.lapse(9) }
        let foreign = each { $0.lapse(8) }
        var again = plan(at: .again)
        _ = again.lapse(9)
        let (asking, visit) = (again.asking?.number, again.visit?.loop)

        #expect(ended == [false, false, false, false, true, false, true])
        #expect(foreign == Array(repeating: false, count: 7))
        #expect(asking == 1)
        #expect(visit == nil)
    }

    @Test func `who leaves takes the tasks along, and a login that was under way has no effect`() {
        let left = each { plan in
            let left = plan.leave()
            return [left.login != nil, left.loop != nil, plan.mayRequest, plan.accept(1, LoginResult(Self.info))]
        }

        #expect(left.map { $0[0] } == [false, false, true, true, true, false, false])
        #expect(left.map { $0[1] } == [false, false, false, false, true, false, true])
        #expect(left.map { $0[2] } == Array(repeating: false, count: 7))
        #expect(left.map { $0[3] } == Array(repeating: false, count: 7))
    }
}
