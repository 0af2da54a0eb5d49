import Testing

@testable import MeshWeb

/// How many may come at once.
@Suite struct CrowdTests {
    @Test func `places are served, then turned away, then none, and free again`() {
        var limits = ControlLimits()
        (limits.connections, limits.turnedAway) = (2, 1)
        let crowd = Crowd(limits)

        #expect((0..<4).map { _ in crowd.enter() } == [.served, .served, .turnedAway, .none])
        crowd.leave(.none)
        #expect(crowd.enter() == .none)
        crowd.leave(.served)
        #expect(crowd.enter() == .served)
        crowd.leave(.turnedAway)
        #expect(crowd.enter() == .turnedAway)
    }

    @Test func `so many requests wait and no more`() {
        var limits = ControlLimits()
        limits.waitingRequests = 1
        let crowd = Crowd(limits)

        #expect(crowd.begin() && !crowd.begin())
        crowd.end()
        #expect(crowd.begin())
    }
}
