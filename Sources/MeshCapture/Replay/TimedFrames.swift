import MeshTime

/// Frames that wait for their moment; those of the same moment keep their order.
struct TimedFrames: Sendable {
    enum Item: Hashable, Sendable {
        case frame([UInt8])
        /// The link ends here.
        case end
    }

    private var items: [(due: Instant, item: Item)] = []
    private var head = 0
    /// The due time of the last frame among those that keep the order of their commands.
    private var lastInOrder = Instant.start

    var nextDue: Instant? { head < items.count ? items[head].due : nil }

    /// With `inOrder`, behind all others that were added so.
    mutating func add(_ item: Item, at moment: Instant, inOrder: Bool = false) {
        let due = inOrder ? max(moment, lastInOrder) : moment
        if inOrder { lastInOrder = due }
        var place = items.count
        while place > head, items[place - 1].due > due { place -= 1 }
        items.insert((due, item), at: place)
    }

    mutating func take(upTo now: Instant) -> Item? {
        guard head < items.count, items[head].due <= now else { return nil }
        let item = items[head].item
        head += 1
        if head == items.count || head > 1024 {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    mutating func removeAll() {
        items.removeAll(keepingCapacity: true)
        head = 0
        lastInOrder = .start
    }
}
