import MeshCapture
import MeshCore
import MeshTime
import MeshVirtualTime
import Testing

@testable import MeshScenarios

/// A replayed client and links that fail.
@Suite struct ClientReplayLinkTests {
    private func replay(_ link: RefusingLink, _ lines: String...) throws -> (checks: [ReplayCheck], took: Duration) {
        let recording = try RecordedDay.made(of: lines)
        return try VirtualTime.run { clock in
            let elapsed = clock.stopwatch()
            let checks = await ClientReplay(recording).run(over: link, clock: clock)
            return (checks, elapsed())
        }
    }

    private static let time: [UInt8] = [9, 1, 2, 3, 4]

    @Test func `a link that opens at the third attempt will do`() throws {
        let link = RefusingLink(answer: Self.time)
        link.change { $0.refusals = 2 }

        let (checks, _) = try replay(link, "0 +", "1 > 05", "2 < 0901020304")

        #expect(checks.filter { !$0.isKept } == [])
        #expect(link.state.connects == 3)
    }

    @Test func `a link that never opens is given up after its limit`() throws {
        let link = RefusingLink(answer: Self.time)
        link.change { $0.refusals = .max }

        let (checks, took) = try replay(link, "0 +", "1 > 05", "2 < 0901020304")

        #expect(checks.count == 1 && checks.first?.isNotConnected == true)
        #expect(took >= .seconds(30) && took < .seconds(31))
    }

    @Test func `a command that the link does not take is a link that was lost`() throws {
        let link = RefusingLink(answer: Self.time)
        link.change { $0.takesNothing = true }

        let (checks, took) = try replay(link, "0 +", "1 > 05", "2 < 0901020304")

        #expect(checks.contains { $0.problems == [.linkLost] })
        #expect(took < .seconds(1))
    }

    @Test func `a link that ends is a link that was lost`() throws {
        let link = RefusingLink(answer: nil)
        link.change { $0.endsAtSend = true }

        let (checks, took) = try replay(link, "0 +", "1 > 05", "2 < 0901020304")

        #expect(checks.contains { $0.problems == [.linkLost] })
        #expect(took < .seconds(1))
    }

    @Test func `each connection is ended, and what an earlier one says is not listened to`() throws {
        let link = RefusingLink(answer: Self.time)
        link.change { $0.endsOldStreamLate = true }

        let (checks, _) = try replay(
            link, "0 +", "1 > 05", "2 < 0901020304", "3 -", "4 +", "5 > 05", "6 < 0901020304", "7 > 05",
            "8 < 0901020304")

        #expect(checks.filter { !$0.isKept } == [])
        #expect(link.state.connects == 2 && link.state.disconnects == 2)
    }

    @Test func `the radio that is named is asked`() throws {
        var recording = try RecordedDay.session()
        recording.header.rows = [.init("world", "village"), .init("seed", "7")]
        var place = ClientReplay.Place(recording.header)
        func key() throws -> String? {
            let checks = try ClientReplay(recording, pace: .recorded).runInWorld(place)
            let fields = checks.flatMap(\.problems).flatMap { problem -> [FieldDifference] in
                if case .differs(_, let fields) = problem { fields } else { [] }
            }
            return fields.first { $0.field == "public_key" }?.seen
        }
        place.node = "alice"
        let alice = try key()
        place.node = "bob"

        #expect(try key() != alice)
    }
}
