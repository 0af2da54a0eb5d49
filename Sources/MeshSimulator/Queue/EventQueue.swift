import MeshTime

/// An event that is due in the world at a moment.
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
    /// A node's body is looked at; stale when another look was planned since.
    case body(place: Int32)
    /// Bytes arrive at the other end of a bridge.
    case bridge(write: Int32)
    /// A repeater whose button was held switches itself off; stale when its board has started again since.
    case button(node: Int32, boots: Int32)
}

/// Events ordered by time, and among those of one moment by the order in which they were scheduled.
///
/// Time is cut into slots of about a millisecond. Events of the present slot are in a small heap, and those of the
/// next eight seconds in unordered lists, one a slot. The few later ones are in a large heap. So an event costs the
/// same however many wait with it.
struct EventQueue: Sendable {
    /// A slot is 2¹⁰ µs long.
    private static let slotBits = 10
    private static let slotCount: Int64 = 8192

    /// An event in a list of its slot.
    private struct Listed: Sendable {
        var entry: QueuedEvent
        /// The place of the next one, or of the next free place; −1 for none.
        var next: Int32
    }

    /// The slot that is being worked off, as a number since the beginning of time.
    private var slot: Int64 = 0
    /// Events of that slot, and those that were scheduled for the past.
    private var current = EventHeap()
    /// Events that were more than all lists away when they were scheduled.
    private var far = EventHeap()
    /// The list of each slot after the current one, by number modulo their count.
    private var lists = [Int32](repeating: -1, count: Int(slotCount))
    /// The lists that hold something, one bit each.
    private var filled = [UInt64](repeating: 0, count: Int(slotCount / 64))
    private var listed: [Listed] = []
    private var vacant: Int32 = -1
    private var listedCount = 0
    private var nextSequence: UInt64 = 0

    /// The time of the first event, `.never` when there is none.
    var nextTime: Instant {
        if let first = current.first { return first.time }
        var time = far.first?.time ?? .never
        if let slot = nextListedSlot() {
            var place = lists[Self.index(slot)]
            while place >= 0 {
                time = min(time, listed[Int(place)].entry.time)
                place = listed[Int(place)].next
            }
        }
        return time
    }

    var count: Int { current.count + far.count + listedCount }

    mutating func schedule(_ event: WorldEvent, at time: Instant) {
        let entry = QueuedEvent(time: time, sequence: nextSequence, event: event)
        nextSequence += 1
        let slot = Self.slot(of: time)
        if slot <= self.slot {
            current.add(entry)
        } else if slot < self.slot + Self.slotCount {
            list(entry, in: slot)
        } else {
            far.add(entry)
        }
    }

    /// Removes and returns the first event if it is due at `time` or earlier.
    mutating func next(until time: Instant) -> QueuedEvent? {
        if current.isEmpty { advance(until: Self.slot(of: time)) }
        guard let first = current.first, first.time <= time else { return nil }
        return current.removeFirst()
    }

    /// Advances to the next slot that holds an event, unless it is after `limit`.
    private mutating func advance(until limit: Int64) {
        let next = min(nextListedSlot() ?? .max, far.first.map { Self.slot(of: $0.time) } ?? .max)
        guard next <= limit else { return }
        slot = next
        unlist(next)
        while let entry = far.first, Self.slot(of: entry.time) == next { current.add(far.removeFirst()) }
    }

    private mutating func list(_ entry: QueuedEvent, in slot: Int64) {
        let index = Self.index(slot)
        let node = Listed(entry: entry, next: lists[index])
        if vacant >= 0 {
            lists[index] = vacant
            vacant = listed[Int(vacant)].next
            listed[Int(lists[index])] = node
        } else {
            lists[index] = Int32(listed.count)
            listed.append(node)
        }
        filled[index / 64] |= 1 << UInt64(index % 64)
        listedCount += 1
    }

    /// Moves the list of a slot to the current events.
    private mutating func unlist(_ slot: Int64) {
        let index = Self.index(slot)
        guard lists[index] >= 0 else { return }
        Self.move(from: lists[index], in: &listed, to: &current, &vacant, &listedCount)
        lists[index] = -1
        filled[index / 64] &= ~(1 << UInt64(index % 64))
    }

    private static func move(
        from first: Int32, in listed: inout [Listed], to heap: inout EventHeap, _ vacant: inout Int32,
        _ count: inout Int
    ) {
        listed.withUnsafeMutableBufferPointer { listed in
            var place = first
            while place >= 0 {
                heap.add(listed[Int(place)].entry)
                let next = listed[Int(place)].next
                listed[Int(place)].next = vacant
                vacant = place
                place = next
                count -= 1
            }
        }
    }

    /// The first slot after the current one that has a list.
    private func nextListedSlot() -> Int64? {
        guard listedCount > 0 else { return nil }
        let start = Self.index(slot + 1)
        var word = start / 64
        var bits = filled[word] & (.max << UInt64(start % 64))
        // The word of the start is looked at twice: its lower bits belong to the last slots.
        for _ in 0...filled.count {
            if bits != 0 {
                let index = word * 64 + bits.trailingZeroBitCount
                return slot + 1 + Int64((index - start) & (lists.count - 1))
            }
            word = (word + 1) % filled.count
            bits = filled[word]
        }
        return nil
    }

    private static func slot(of time: Instant) -> Int64 { time.microseconds >> Int64(slotBits) }
    private static func index(_ slot: Int64) -> Int { Int(slot & (slotCount - 1)) }
}
