import MeshTime
import MeshVirtualTime
import PocketMeshServices
import Testing

@testable import MeshLab

/// A few minutes of what `meshbed bench stack` does for an hour.
@Suite struct StackHourTests {
    private static let minutes: StackHour = {
        var hour = StackHour()
        (hour.near, hour.far, hour.channels, hour.rooms, hour.membersOfARoom) = (4, 2, 2, 1, 2)
        (hour.directEachWay, hour.channelTextsEachWay, hour.postsEachWay) = (60, 12, 6)
        (hour.talk, hour.quiet) = (.seconds(240), .seconds(120))
        (hour.untilCut, hour.cutLength) = (.seconds(40)...(.seconds(80)), .seconds(2)...(.seconds(10)))
        return hour
    }()

    @Test(arguments: [1, 2, 3] as [UInt64], [nil, 7] as [UInt64?])
    func `nothing is lost, doubled or untrue in a lossy mesh with a link that goes away`(
        seed: UInt64, order: UInt64?
    ) throws {
        var hour = Self.minutes
        hour.order = order.map(Seed.init)

        let outcome = try hour.run(seed: Seed(seed))

        #expect(outcome.isSound, "\(outcome.findings)")
        #expect(outcome.losses >= 2)
        #expect(outcome.readies == outcome.losses + 1)
        #expect(outcome.stored >= 55)
        #expect(outcome.delivered + outcome.failed == 60)
        #expect(outcome.sentOnChannels == 12)
    }

    @Test func `a seed gives the same minutes each time, and another seed others`() throws {
        let first = try Self.minutes.run(seed: Seed(4))
        let again = try Self.minutes.run(seed: Seed(4))
        let other = try Self.minutes.run(seed: Seed(5))

        #expect(first == again)
        #expect(first.digest != other.digest)
    }

    @Test func `what is missing, there twice or wrongly marked is found`() throws {
        let minutes = Self.minutes
        var record = try VirtualTime.run { clock in
            try await HourRun(hour: minutes, seed: Seed(6), clock: clock).run()
        }
        var sound = HourChecks(record)
        sound.run()

        let incoming = try #require(record.books.contacts[0].rows.firstIndex { !$0.isOutgoing })
        record.books.contacts[0].rows.remove(at: incoming)
        let twin = try #require(record.books.contacts[1].rows.first { !$0.isOutgoing })
        record.books.contacts[1].rows.append(twin)
        let delivered = try #require(
            record.books.contacts[2].rows.firstIndex { $0.status == .delivered && $0.isOutgoing })
        record.books.contacts[2].rows[delivered].status = .failed
        record.books.channels[0].unread += 1
        var broken = HourChecks(record)
        broken.run()

        #expect(sound.findings.texts.isEmpty)
        #expect(broken.findings[.lost] == 1)
        #expect(broken.findings[.doubled] == 1)
        // The two conversations that were changed count otherwise as well.
        #expect(broken.findings[.untrue] == 4)
    }
}
