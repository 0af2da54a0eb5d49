import MeshTime
import Testing

@testable import MeshSimulator

@Suite struct `The event queue` {
    /// Numbers of wakes, by which events are identified.
    private static func number(_ event: WorldEvent) -> Int32 {
        if case .wake(let node) = event { node } else { -1 }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `events come in the order of time, and of scheduling within a moment`(seed: UInt64) {
        var random = Seed(seed).stream("queue")
        var queue = EventQueue()
        var waiting: [(time: Int64, number: Int32)] = []
        var now: Int64 = 0
        for number in 0..<Int32(2000) {
            // Now, soon, about as far as the lists reach, and far beyond.
            let reaches: [UInt32] = [1, 3000, 8_400_000, 100_000_000, .max]
            let time = now + Int64(random.draw(0, reaches[Int(random.draw(0, 5))]))
            queue.schedule(.wake(node: number), at: Instant(microseconds: time))
            waiting.append((time, number))
            guard random.draw(0, 3) == 0 else { continue }
            now += Int64(random.draw(0, random.draw(0, 20) == 0 ? 30_000_000 : 400_000))
            while let event = queue.next(until: Instant(microseconds: now)) {
                let first = waiting.indices.min {
                    (waiting[$0].time, waiting[$0].number) < (waiting[$1].time, waiting[$1].number)
                }
                guard let first else { return #expect(Bool(false), "seed \(seed): an event out of nothing") }
                #expect(event.time.microseconds == waiting[first].time, "seed \(seed)")
                #expect(Self.number(event.event) == waiting[first].number, "seed \(seed)")
                waiting.remove(at: first)
            }
            #expect(waiting.allSatisfy { $0.time > now }, "seed \(seed): an event that is due was not given out")
            #expect(queue.nextTime.microseconds == waiting.map(\.time).min() ?? .max, "seed \(seed)")
            #expect(queue.count == waiting.count)
        }
    }

    @Test func `an empty queue never has a next event`() {
        var queue = EventQueue()

        #expect(queue.next(until: .never) == nil)
        #expect(queue.nextTime == .never && queue.count == 0)
    }

    @Test func `what is scheduled for the past comes first`() {
        var queue = EventQueue()
        queue.schedule(.wake(node: 1), at: .seconds(50))
        #expect(queue.next(until: .seconds(60)).map { Self.number($0.event) } == 1)

        queue.schedule(.wake(node: 2), at: .seconds(51))
        queue.schedule(.wake(node: 3), at: .seconds(1))

        #expect(queue.next(until: .seconds(60)).map { Self.number($0.event) } == 3)
        #expect(queue.next(until: .seconds(60)).map { Self.number($0.event) } == 2)
    }
}
