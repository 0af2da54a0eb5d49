import MeshTime

/// An event and its place in the order of all.
struct QueuedEvent: Sendable {
    let time: Instant
    let sequence: UInt64
    let event: WorldEvent

    @inline(__always)
    func isBefore(_ other: QueuedEvent) -> Bool {
        time == other.time ? sequence < other.sequence : time < other.time
    }
}

/// A heap of events with the first one on top: four children per entry over one array.
///
/// It needs no allocation per event once it has grown, and has half the levels of a binary heap.
struct EventHeap: Sendable {
    private var heap: [QueuedEvent] = []

    var first: QueuedEvent? { heap.first }
    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }

    mutating func add(_ entry: QueuedEvent) {
        heap.append(entry)
        if heap.count == 1 { return }
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

    mutating func removeFirst() -> QueuedEvent {
        let first = heap[0]
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap.withUnsafeMutableBufferPointer { heap in
            var parent = 0
            while true {
                let children = 4 * parent + 1
                guard children < heap.count else { break }
                var smallest = children
                var child = children + 1
                let end = min(children + 4, heap.count)
                while child < end {
                    if heap[child].isBefore(heap[smallest]) { smallest = child }
                    child += 1
                }
                guard heap[smallest].isBefore(last) else { break }
                heap[parent] = heap[smallest]
                parent = smallest
            }
            heap[parent] = last
        }
        return first
    }
}
