import MeshTime
import Testing

@testable import MeshCompanion

/// The ring behind sockets and serial lines, held against a list.
@Suite struct ByteQueueTests {
    @Test(arguments: [1, 2, 7, 64])
    func `bytes leave in the order in which they came, wherever the ring ends`(capacity: Int) {
        var stream = Seed(UInt64(capacity)).stream("queue")
        var queue = ByteQueue(capacity: capacity)
        var list: [UInt8] = []
        var next: UInt8 = 0
        for _ in 0..<2000 {
            let offered = (0..<Int(stream.draw(0, UInt32(capacity) + 4))).map { next &+ UInt8($0) }
            let room = capacity - list.count
            let taken = offered.withUnsafeBytes { queue.append($0) }
            #expect(taken == min(offered.count, room))
            list += offered.prefix(taken)
            next &+= UInt8(taken)
            let wanted = Int(stream.draw(0, UInt32(capacity) + 4))
            #expect(queue.take(wanted) == Array(list.prefix(wanted)))
            list.removeFirst(min(wanted, list.count))
            #expect(queue.count == list.count && queue.free == capacity - list.count)
        }
    }
}
