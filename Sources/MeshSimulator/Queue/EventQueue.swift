import MeshTime

/// What the world does at a moment.
enum WorldEvent: Sendable, Hashable {
    /// A transmission leaves the air. The frame number guards against a place that was reused.
    case transmissionEnds(place: Int32, frame: UInt32)
    /// A node asked for a pass; stale when the node has been scheduled differently since.
    case wake(node: Int32)
    /// A board has finished starting.
    case boot(node: Int32, boots: Int32)
    /// A fault begins or is over.
    case fault(index: Int32, begins: Bool)
    /// A recorded frame is sent again.
    case replay(index: Int32)
}

/// Events ordered by time, and among those of one moment by the order in which they were scheduled.
///
/// A heap of four children per entry over one array: no allocation per event once it has grown, and half the levels of
/// a binary one.
struct EventQueue: Sendable {
    struct Entry: Sendable {
        let time: Instant
        let sequence: UInt64
        let event: WorldEvent

        @inline(__always)
        func isBefore(_ other: Entry) -> Bool {
            time == other.time ? sequence < other.sequence : time < other.time
        }
    }

    private var heap: [Entry] = []
    private var nextSequence: UInt64 = 0

    /// The time of the first event, `.never` when there is none.
    var nextTime: Instant { heap.first?.time ?? .never }

    var count: Int { heap.count }

    mutating func schedule(_ event: WorldEvent, at time: Instant) {
        let entry = Entry(time: time, sequence: nextSequence, event: event)
        nextSequence += 1
        heap.append(entry)
        heap.withUnsafeMutableBufferPointer { heap in
            var child = heap.count - 1
            while child > 0 {
                let parent = (child - 1) / 4
                guard entry.isBefore(heap[parent]) else { break }
                heap[child] = heap[parent]
                child = parent
            }
            heap[child] = entry
        }
    }

    /// Takes the first event if it is due at `time` or earlier.
    mutating func next(until time: Instant) -> Entry? {
        guard let first = heap.first, first.time <= time else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap.withUnsafeMutableBufferPointer { heap in
            var parent = 0
            while true {
                let children = 4 * parent + 1
                guard children < heap.count else { break }
                var smallest = children
                for child in (children + 1)..<max(children + 1, min(children + 4, heap.count))
                where heap[child].isBefore(heap[smallest]) { smallest = child }
                guard heap[smallest].isBefore(last) else { break }
                heap[parent] = heap[smallest]
                parent = smallest
            }
            heap[parent] = last
        }
        return first
    }
}
