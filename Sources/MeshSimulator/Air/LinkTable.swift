public import MeshFirmware

/// The signal and the loss of frames from one node to another, in one direction.
public struct AirLink: Hashable, Sendable {
    /// The strength at which the frame arrives, and its distance from the noise.
    public var signal: Signal
    /// Frames lost on the way for no audible reason, per ten thousand.
    public var lossPerTenThousand: UInt16

    public init(_ signal: Signal, lossPerTenThousand: UInt16 = 0) {
        self.signal = signal
        self.lossPerTenThousand = lossPerTenThousand
    }
}

/// The links of a mesh and their strength: for each sender its listeners, `nil` for out of range.
///
/// Only links that exist need memory. A frame costs as many steps as it has listeners, which are adjacent in
/// memory.
public struct LinkTable: Sendable {
    struct Entry: Sendable {
        let listener: Int32
        var signal: Signal
        var lossPerTenThousand: UInt16
    }

    /// The links of one sender: some entries in a row, sorted by listener, and room for more behind them.
    struct Row: Sendable {
        var start: Int32 = 0
        var count: Int32 = 0
        var capacity: Int32 = 0

        var places: Range<Int> { Int(start)..<Int(start + count) }
    }

    /// By sender.
    private(set) var rows: [Row] = []
    /// The rows in the order in which they last grew; the entries that they have left behind are unused.
    private(set) var entries: [Entry] = []

    public init() {}

    /// The signal of the frames of `sender` at `listener`. Setting a signal keeps the link's loss.
    public subscript(sender: NodeID, listener: NodeID) -> Signal? {
        get { self[link: sender, listener]?.signal }
        set {
            let loss = self[link: sender, listener]?.lossPerTenThousand ?? 0
            self[link: sender, listener] = newValue.map { AirLink($0, lossPerTenThousand: loss) }
        }
    }

    /// The link from `sender` to `listener` with everything that belongs to it.
    public subscript(link sender: NodeID, listener: NodeID) -> AirLink? {
        get {
            let place = place(sender, listener)
            guard place.isFound else { return nil }
            let entry = entries[place.index]
            return AirLink(entry.signal, lossPerTenThousand: entry.lossPerTenThousand)
        }
        set {
            let place = place(sender, listener)
            switch (newValue, place.isFound) {
            case (nil, false): break
            case (nil, true): remove(place.index, from: sender.index)
            case (let link?, true):
                entries[place.index].signal = link.signal
                entries[place.index].lossPerTenThousand = link.lossPerTenThousand
            case (let link?, false):
                let entry = Entry(
                    listener: Int32(listener.index), signal: link.signal, lossPerTenThousand: link.lossPerTenThousand)
                insert(entry, after: place.index - Int(rows[sender.index].start), in: sender.index)
            }
        }
    }

    /// Returns the listeners of `sender`, in the order of the nodes.
    public func listeners(of sender: NodeID) -> [NodeID] {
        entries[rows[sender.index].places].map { NodeID(index: Int($0.listener)) }
    }

    /// All links, each direction for itself.
    public var linkCount: Int { rows.reduce(0) { $0 + Int($1.count) } }

    /// Makes the same link in both directions.
    public mutating func connect(_ one: NodeID, _ other: NodeID, _ link: AirLink) {
        self[link: one, other] = link
        self[link: other, one] = link
    }

    /// Cuts a node off from all others.
    public mutating func disconnect(_ node: NodeID) {
        rows[node.index].count = 0
        for sender in rows.indices { self[link: NodeID(index: sender), node] = nil }
    }

    mutating func addNode() { rows.append(Row()) }

    /// Returns the index of the entry, or the one at which it belongs.
    private func place(_ sender: NodeID, _ listener: NodeID) -> (index: Int, isFound: Bool) {
        precondition(sender.index < rows.count && listener.index < rows.count, "no such node")
        let places = rows[sender.index].places
        var low = places.lowerBound
        var high = places.upperBound
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].listener < listener.index { low = middle + 1 } else { high = middle }
        }
        return (low, low < places.upperBound && entries[low].listener == listener.index)
    }

    private mutating func remove(_ place: Int, from sender: Int) {
        for next in (place + 1)..<max(place + 1, rows[sender].places.upperBound) { entries[next - 1] = entries[next] }
        rows[sender].count -= 1
    }

    private mutating func insert(_ entry: Entry, after count: Int, in sender: Int) {
        if rows[sender].count == rows[sender].capacity { grow(sender) }
        let places = rows[sender].places
        let place = places.lowerBound + count
        for next in stride(from: places.upperBound, to: place, by: -1) { entries[next] = entries[next - 1] }
        entries[place] = entry
        rows[sender].count += 1
    }

    /// Moves a row to the end, where there is room for twice as many.
    private mutating func grow(_ sender: Int) {
        let old = rows[sender].places
        let capacity = max(4, 2 * rows[sender].capacity)
        rows[sender].start = Int32(entries.count)
        rows[sender].capacity = capacity
        for place in old { entries.append(entries[place]) }
        let none = Entry(listener: -1, signal: Signal(snrHundredths: 0, rssiHundredths: 0), lossPerTenThousand: 0)
        for _ in old.count..<Int(capacity) { entries.append(none) }
    }
}
