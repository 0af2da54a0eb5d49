import MeshTime

/// What the world does at a moment.
enum WorldEvent: Sendable {
    /// A transmission leaves the air. The frame number guards against a place that was reused.
    case transmissionEnds(place: Int32, frame: UInt64)
    /// A node asked for a pass; stale when the node has been scheduled differently since.
    case wake(node: Int32)
    /// A board has finished starting.
    case boot(node: Int32, boots: Int32)
}

/// Events ordered by time, and among those of one moment by the order in which they were scheduled.
///
/// A binary heap over one array: no allocation per event once it has grown.
struct EventQueue: Sendable {
    struct Entry: Sendable {
        let time: Instant
        let sequence: UInt64
        let event: WorldEvent

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
        heap.append(Entry(time: time, sequence: nextSequence, event: event))
        nextSequence += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the first event if it is due at `time` or earlier.
    mutating func next(until time: Instant) -> Entry? {
        guard let first = heap.first, first.time <= time else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count {
                if heap[child].isBefore(heap[smallest]) { smallest = child }
            }
            guard smallest != parent else { break }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
        return first
    }
}
