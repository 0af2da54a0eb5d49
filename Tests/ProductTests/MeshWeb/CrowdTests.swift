import Synchronization
import Testing

@testable import MeshWeb

/// The number of connections at once.
@Suite struct CrowdTests {
    @Test func `places are served, then turned away, then none, and free again`() {
        var limits = WebLimits()
        (limits.connections, limits.turnedAway) = (2, 1)
        let crowd = Crowd(limits)

        #expect((1...2).map { known($0, crowd) } == [.served, .served])
        #expect((3...4).map { known($0, crowd) } == [.turnedAway, .none])
        crowd.leave(.none, 4)
        #expect(known(5, crowd) == .none)
        crowd.leave(.served, 1)
        #expect(known(6, crowd) == .served)
        crowd.leave(.turnedAway, 3)
        #expect(known(7, crowd) == .turnedAway)
    }

    /// Enters a connection of which a request is admitted.
    private func known(_ number: Int, _ crowd: Crowd) -> Crowd.Place {
        let place = crowd.enter(number) {}
        crowd.keep(number)
        return place
    }

    @Test func `the stranger that has stood longest makes room, and nobody who is known`() {
        var limits = WebLimits()
        (limits.connections, limits.turnedAway) = (3, 1)
        let crowd = Crowd(limits)
        let gone = Mutex<[Int]>([])
        func enter(_ number: Int) -> Crowd.Place { crowd.enter(number) { gone.withLock { $0.append(number) } } }

        #expect((1...3).map(enter) == [.served, .served, .served])
        crowd.keep(1)
        #expect((4...6).map(enter) == [.served, .served, .served])
        #expect(gone.withLock(\.self) == [2, 3, 4])

        // A request that was refused makes nobody known.
        crowd.keep(5)
        crowd.forget(5) { gone.withLock { $0.append(5) } }
        #expect(enter(7) == .served && enter(8) == .served)
        #expect(gone.withLock(\.self) == [2, 3, 4, 6, 5])

        (7...8).forEach(crowd.keep)
        #expect(enter(9) == .turnedAway && enter(10) == .none)
    }

    @Test func `so many requests wait and no more`() {
        var limits = WebLimits()
        limits.waitingRequests = 1
        let crowd = Crowd(limits)

        #expect(crowd.begin() && !crowd.begin())
        crowd.end()
        #expect(crowd.begin())
    }
}
