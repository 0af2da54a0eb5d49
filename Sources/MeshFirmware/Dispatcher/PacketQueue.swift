/// Packets that wait for their time, as slots of the pool: the send queue and the delayed inbound queue.
///
/// Entries keep the order in which they came. Source: firmware, `PacketQueue`; OverTheAir, "Queues and pool" (OTA-095).
struct PacketQueue: Sendable {
    struct Entry: Sendable {
        let slot: UInt16
        /// Lower is more urgent; 255 is never selected.
        let priority: UInt8
        let due: Millis
    }

    /// The moment before which nothing is due; kept so that a pass with nothing due need not look at the entries.
    ///
    /// `nil` when it is not known: an empty queue, or one with an entry that is never selected. Such an entry may
    /// wait for weeks, in which the order of moments turns round.
    private var earliest: Millis?
    private var entryCount: UInt8 = 0
    private let limit: UInt8
    private(set) var entries: [Entry] = []

    /// A queue of at most 255 entries.
    init(capacity: Int) {
        limit = UInt8(clamping: capacity)
    }

    /// Entries; kept beside the list, so that asking need not look into it.
    var count: Int { Int(entryCount) }
    var capacity: Int { Int(limit) }

    /// Appends an entry; `false` when the queue is full.
    mutating func add(_ entry: Entry) -> Bool {
        guard count < capacity else { return false }
        entries.append(entry)
        entryCount += 1
        if let known = earliest, entry.priority != .max {
            if entry.due.distance(to: known) > 0 { earliest = entry.due }
        } else {
            earliest = count == 1 && entry.priority != .max ? entry.due : nil
        }
        return true
    }

    /// Returns whether any entry is due, selectable or not.
    func hasDue(at now: Millis) -> Bool {
        if let earliest { return earliest.isDue(at: now) }
        if count == 0 { return false }
        for entry in entries where entry.due.isDue(at: now) { return true }
        return false
    }

    /// Removes the due entry with the smallest priority number, the oldest of equals.
    mutating func takeDue(at now: Millis) -> Entry? {
        guard hasDue(at: now) else { return nil }
        var best: Int?
        var lowest = UInt8.max
        for (index, entry) in entries.enumerated() where entry.due.isDue(at: now) && entry.priority < lowest {
            lowest = entry.priority
            best = index
        }
        guard let best else { return nil }
        entryCount -= 1
        let taken = entries.remove(at: best)
        earliest = entries.contains { $0.priority == .max } ? nil : scanEarliest(at: now)
        return taken
    }

    /// True when `earliest` gives the time at which `hasDue` turns true; otherwise each moment needs a look of its
    /// own.
    var isPredictable: Bool { count == 0 || earliest != nil }

    /// The earliest moment at which an entry can be selected.
    func earliestDue(at now: Millis) -> Millis? {
        earliest ?? (count == 0 ? nil : scanEarliest(at: now))
    }

    private func scanEarliest(at now: Millis) -> Millis? {
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
