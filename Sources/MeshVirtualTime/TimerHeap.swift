/// A heap of entries by (deadline, sequence): the earliest deadline first, and of equal ones the first that came.
struct TimerHeap<Payload> {
    struct Entry {
        var deadline: Duration
        var sequence: UInt64
        var payload: Payload

        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
        }
    }

    private(set) var entries: [Entry] = []

    var count: Int { entries.count }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> Entry? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink(from: 0)
        }
        return first
    }

    /// Forgets entries, and puts the others in order again.
    mutating func removeAll(where isGone: (Payload) -> Bool) {
        entries.removeAll { isGone($0.payload) }
        for parent in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(from: parent) }
    }

    private mutating func sink(from start: Int) {
        var parent = start
        while true {
            var child = 2 * parent + 1
            guard child < entries.count else { return }
            if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }
}
