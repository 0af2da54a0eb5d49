/// Packets that wait for their time, as slots of the pool: the send queue and the delayed inbound queue.
///
/// Entries keep the order in which they came. Source: firmware, `PacketQueue`; over-the-air document §10.2.
struct PacketQueue: Sendable {
    struct Entry: Sendable {
        let slot: UInt16
        /// Lower is more urgent; 255 is never selected.
        let priority: UInt8
        let due: Millis
    }

    private(set) var entries: [Entry] = []
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// Appends an entry; `false` when the queue is full.
    mutating func add(_ entry: Entry) -> Bool {
        guard entries.count < capacity else { return false }
        entries.append(entry)
        return true
    }

    /// Whether any entry is due, selectable or not.
    func hasDue(at now: Millis) -> Bool {
        for entry in entries where entry.due.isDue(at: now) { return true }
        return false
    }

    /// Removes the due entry with the smallest priority number, the oldest of equals.
    mutating func takeDue(at now: Millis) -> Entry? {
        var best: Int?
        var lowest = UInt8.max
        for (index, entry) in entries.enumerated() where entry.due.isDue(at: now) && entry.priority < lowest {
            lowest = entry.priority
            best = index
        }
        guard let best else { return nil }
        return entries.remove(at: best)
    }

    /// The earliest moment at which an entry can be selected.
    func earliestDue(at now: Millis) -> Millis? {
        var earliest: Millis?
        for entry in entries where entry.priority != .max {
            guard let known = earliest else {
                earliest = entry.due
                continue
            }
            if now.distance(to: entry.due) < now.distance(to: known) { earliest = entry.due }
        }
        return earliest
    }
}
