import Foundation
import MeshCore
import MeshTestSupport
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// The parts of one connection: which follows which, and what a loss leaves to be ended.
@MainActor @Suite struct LinkLifeTests {
    private enum Stage: CaseIterable {
        case nothing, link, session, services, lost, ended
    }

    private let transport = MockTransport()

    /// The life of a connection in this state; a lost or ended one had a session.
    private func life(at stage: Stage) -> LinkLife {
        var life = LinkLife()
        if stage == .nothing { return life }
        _ = life.open(transport)
        if stage == .link { return life }
        _ = life.begin(session)
        if stage == .services { _ = life.serve(IdleGraph()) }
        if stage == .lost || stage == .ended { _ = life.lose(.notStarted) }
        if stage == .ended { _ = life.end() }
        return life
    }

    private func session(_ transport: any MeshTransport) -> MeshCoreSession {
        MeshCoreSession(transport: transport, clock: StoppedClock())
    }

    /// The values that a life shows, in the order of the stages.
    private func each<R>(_ look: (inout LinkLife) -> R) -> [R] {
        Stage.allCases.map { stage in
            var life = life(at: stage)
            return look(&life)
        }
    }

    @Test func `each part stands on the one before, also when the link has gone meanwhile`() {
        let opened = each { $0.open(transport) }
        let begun = each { $0.begin(session) != nil }
        let served = each { $0.serve(IdleGraph()) }

        #expect(opened == [true, false, false, false, false, false])
        #expect(begun == [false, true, false, false, false, false])
        #expect(served == [false, false, true, false, true, false])
    }

    @Test func `the parts are those that were added`() {
        let parts = each { [$0.parts.transport != nil, $0.parts.session != nil, $0.parts.graph != nil] }

        #expect(parts.map { $0[0] } == [false, true, true, true, true, false])
        #expect(parts.map { $0[1] } == [false, false, true, true, true, false])
        #expect(parts.map { $0[2] } == [false, false, false, true, false, false])
    }

    @Test func `a session is made only over a link that has none`() {
        var count = 0
        _ = each { life in
            life.begin { transport in
                count += 1
                return session(transport)
            }
        }

        #expect(count == 1)
    }

    @Test func `the first loss ends the waits, and later ones find it`() {
        let waits = each { life in
            let error = life.wait(Once<Void>())
            return [error != nil, life.lose(.connectionLost("gone")).count == 1, life.lose(.notStarted).isEmpty]
        }
        let losses = each { life in
            _ = life.lose(.connectionLost("gone"))
            return life.loss
        }
        let before = each { $0.loss != nil }

        #expect(waits.map { $0[0] } == [false, false, false, false, true, true])
        #expect(waits.map { $0[1] } == [true, true, true, true, false, false])
        #expect(waits.allSatisfy { $0[2] })
        #expect(losses == Array(repeating: .connectionLost("gone"), count: 4) + [.notStarted, .notStarted])
        #expect(before == [false, false, false, false, true, true])
    }

    @Test func `the parts are given to be ended once, after the loss`() {
        let whileUp = each { $0.end().transport != nil }
        let afterLoss = each { life in
            _ = life.lose(.notStarted)
            return [life.end().transport != nil, life.end().transport != nil, life.parts.transport != nil]
        }

        #expect(whileUp == [false, false, false, false, true, false])
        #expect(afterLoss.map { $0[0] } == [false, true, true, true, true, false])
        #expect(afterLoss.map { $0[1] } == Array(repeating: false, count: 6))
        #expect(afterLoss.map { $0[2] } == Array(repeating: false, count: 6))
    }
}

/// Services that do nothing.
private final class IdleGraph: ServiceGraph {
    func onConnectionEstablished(deviceID: UUID) async throws {}
    func onConnectionReady(deviceID: UUID) async {}
    func tearDown() async {}
}
