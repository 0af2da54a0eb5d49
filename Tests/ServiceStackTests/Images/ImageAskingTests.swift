import Foundation
import Testing

@testable import PocketMeshServices

/// The moments at which the receiver of a picture says what it lacks, without radio, store or clock.
@Suite struct ImageAskingTests {
    private static let interval: Duration = .seconds(4)

    /// Hands in chunks of a picture of ten, one an interval; returns the steps.
    private func play(_ indexes: [Int]) -> (asking: ImageAsking, steps: [ImageAsking.Step], received: ChunkSet) {
        var asking = ImageAsking(total: 10, interval: Self.interval, travel: .seconds(1))
        var received = ChunkSet(total: 10)
        let steps = indexes.enumerated().map { place, index in
            let isNew = received.insert(index)
            return asking.came(index, isNew: isNew, received, at: Self.interval * place)
        }
        return (asking, steps, received)
    }

    @Test func `nothing is said while chunks come, and at the last one it is, what ever lacks`() {
        let (_, steps, _) = play([0, 1, 2, 4, 5, 6, 7, 8, 9])

        #expect(
            steps.dropLast().allSatisfy { if case .wait(let span) = $0 { span >= Self.interval * 3 } else { false } })
        #expect(steps.last == .report)
        #expect(play(Array(0..<10)).steps.last == .report)
    }

    @Test func `the more is lost, the longer it waits before it takes the sender to have stopped`() {
        #expect(play([0, 1, 2, 3]).steps.last == .wait(Self.interval * 3))
        #expect(play([0, 3, 6]).steps.last == .wait(Self.interval * 5))
        #expect(play([8]).steps.last == .wait(Self.interval * 8))
    }

    @Test func `a chunk that comes twice is answered when it is the last one, as the sender asks by it`() {
        #expect(play([0, 1, 1]).steps.last == .wait(Self.interval * 2))
        #expect(play([0, 9, 9]).steps.last == .report)
    }

    @Test func `after a report the last of the chunks that it names is the last one`() {
        var (asking, _, received) = play([0, 1, 2, 4, 6, 7, 8, 9])
        #expect(asking.reported(received, at: .seconds(36)).map { $0 > .seconds(7) } == true)

        received.insert(3)
        guard case .wait = asking.came(3, isNew: true, received, at: .seconds(42)) else {
            Issue.record("chunk 5 is still to come")
            return
        }
        // The last of them, while chunk 3 was lost again: answered, and not twice in a row.
        var other = received
        #expect(asking.came(5, isNew: true, other, at: .seconds(46)) == .report)
        _ = asking.reported(other, at: .seconds(46))
        #expect(asking.came(9, isNew: false, other, at: .seconds(47)) == .wait(Self.interval))
        other.insert(5)
        #expect(other.isComplete && asking.came(5, isNew: true, other, at: .seconds(48)) == .report)
    }

    @Test func `reports that nobody answers come at growing distances`() {
        var (asking, _, received) = play([0, 1])
        let pauses = (0..<8).compactMap { asking.reported(received, at: .seconds(20 * $0)) }

        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 < $1 })
        #expect(pauses[7] <= pauses[0] * 2)
        received.insert(2)
        _ = asking.came(2, isNew: true, received, at: .seconds(200))
        #expect(asking.reported(received, at: .seconds(210)) == pauses[0])
    }

    @Test func `chunks that are there already are answered so often, and then no more until a new one comes`() {
        var (asking, _, received) = play([0, 1, 9])
        var reports = 0
        for number in 0..<1000 {
            let now = Duration.seconds(100 + 8 * number)
            if asking.came(9, isNew: false, received, at: now) == .report {
                reports += 1
                _ = asking.reported(received, at: now)
            }
        }

        #expect(reports == ImageAsking.limit)
        #expect(asking.came(9, isNew: false, received, at: .seconds(10_000)) == .silence)
        #expect(asking.reported(received, at: .seconds(10_000)) == nil)
        received.insert(5)
        #expect(asking.came(5, isNew: true, received, at: .seconds(10_001)) != .silence)
    }
}
