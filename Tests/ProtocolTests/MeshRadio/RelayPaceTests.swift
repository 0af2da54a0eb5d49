import MeshTestSupport
import Testing

@testable import MeshRadio

/// The times of a packet along repeaters, and the moment at which the next one may follow.
@Suite struct RelayPaceTests {
    /// A packet of one second, whose relays pause for 1.5 s at most.
    private static func pace(hops: Int) -> RelayPace {
        RelayPace(frame: .seconds(1), hops: hops, delayHundredths: 30, slack: .milliseconds(100))
    }

    private static func turn(hops: Int, distance: Duration = .zero) -> RelayTurn {
        var turn = RelayTurn()
        turn.sent(pace(hops: hops), distance: distance, at: .seconds(10))
        return turn
    }

    @Test func `the whole way has each relay and its longest pause, and ends after the first relay and the rest`() {
        for hops in 1...5 {
            let pace = Self.pace(hops: hops)

            #expect(pace.whole == .milliseconds(1000 * (hops + 1) + 1600 * hops + 100))
            #expect(pace.firstRelay + pace.afterFirstRelay == pace.whole + .milliseconds(750 + 100))
            #expect(pace.mean == .milliseconds(1000 * (hops + 1) + 750 * hops))
        }
        #expect(Self.pace(hops: 0).whole == .milliseconds(1100))
    }

    @Test func `over one repeater the next packet follows a pause after the relay, or the longest pause`() {
        var turn = Self.turn(hops: 1)
        #expect(turn.next(at: .seconds(12)) == .wait(.milliseconds(1700)))
        #expect(turn.next(at: .milliseconds(13_700)) == .free)

        turn.relayed(at: .milliseconds(12_200))

        #expect(turn.next(at: .milliseconds(12_200)) == .wait(.milliseconds(850)))
        #expect(turn.next(at: .milliseconds(13_050)) == .free)
    }

    @Test func `over more repeaters the other relays are waited for from the first one on`() {
        var turn = Self.turn(hops: 3)

        turn.relayed(at: .milliseconds(12_200))

        #expect(turn.freeAt == .milliseconds(12_200 + 2 * 2600 + 850))
    }

    @Test func `a packet whose first relay is not heard goes once more, and its relay counts then`() {
        var turn = Self.turn(hops: 2)
        let due = Duration.seconds(10) + Self.pace(hops: 2).firstRelay
        #expect(turn.next(at: .seconds(11)) == .wait(due - .seconds(11)))
        #expect(turn.next(at: due) == .again)

        turn.repeated(at: due)
        #expect(turn.next(at: due) == .wait(Self.pace(hops: 2).firstRelay))
        var other = turn
        #expect(other.next(at: due + .seconds(9)) == .free)

        other.relayed(at: due + .seconds(3))
        #expect(other.freeAt == due + .seconds(3) + Self.pace(hops: 2).afterFirstRelay)
    }

    @Test func `a relay later than the longest pause is waited for as well`() {
        var turn = Self.turn(hops: 2)

        turn.relayed(at: .seconds(16))

        #expect(turn.freeAt == .seconds(16) + Self.pace(hops: 2).afterFirstRelay)
    }

    @Test func `where the air is to be spared the distance is kept, and no packet goes twice`() {
        var turn = Self.turn(hops: 2, distance: .seconds(20))
        #expect(turn.next(at: .seconds(16)) == .wait(.seconds(14)))

        turn.relayed(at: .seconds(12))

        #expect(turn.freeAt == .seconds(30))
    }

    @Test func `nothing is waited for without a repeater, or where nobody listens`() {
        var turn = Self.turn(hops: 0)
        turn.relayed(at: .milliseconds(10_100))
        #expect(turn.freeAt == .milliseconds(11_100))

        var deaf = RelayTurn()
        deaf.sent(Self.pace(hops: 2), isHeard: false, at: .zero)
        #expect(deaf.next(at: .seconds(5)) == .wait(Self.pace(hops: 2).whole - .seconds(5)))
    }
}
