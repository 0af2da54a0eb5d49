public import MeshFirmware

/// How frames travel from one node to another, in one direction.
public struct AirLink: Hashable, Sendable {
    public var signal: Signal
    /// Frames lost on the way for no reason that anybody hears, per ten thousand.
    public var lossPerTenThousand: UInt16

    public init(_ signal: Signal, lossPerTenThousand: UInt16 = 0) {
        self.signal = signal
        self.lossPerTenThousand = lossPerTenThousand
    }
}

/// Who reaches whom, and how strongly: for each sender its listeners, `nil` for out of range.
///
/// Only links that exist take memory, and a frame costs as many steps as it has listeners.
public struct LinkTable: Sendable {
    struct Entry: Sendable {
        let listener: Int32
        var signal: Signal
        var lossPerTenThousand: UInt16
    }

    /// By sender; each sorted by listener.
    private(set) var rows: [[Entry]] = []

    public init() {}

    public var nodeCount: Int { rows.count }

    /// How the frames of `sender` arrive at `listener`. Setting a signal keeps the link's loss.
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
            let entry = rows[sender.index][place.index]
            return AirLink(entry.signal, lossPerTenThousand: entry.lossPerTenThousand)
        }
        set {
            let place = place(sender, listener)
            switch (newValue, place.isFound) {
            case (nil, false): break
            case (nil, true): rows[sender.index].remove(at: place.index)
            case (let link?, true):
                rows[sender.index][place.index].signal = link.signal
                rows[sender.index][place.index].lossPerTenThousand = link.lossPerTenThousand
            case (let link?, false):
                rows[sender.index].insert(
                    Entry(
                        listener: Int32(listener.index), signal: link.signal,
                        lossPerTenThousand: link.lossPerTenThousand), at: place.index)
            }
        }
    }

    /// Who hears `sender`, in the order of the nodes.
    public func listeners(of sender: NodeID) -> [NodeID] {
        rows[sender.index].map { NodeID(index: Int($0.listener)) }
    }

    /// All links, each direction for itself.
    public var linkCount: Int { rows.reduce(0) { $0 + $1.count } }

    /// Makes the same link in both directions.
    public mutating func connect(_ one: NodeID, _ other: NodeID, _ link: AirLink) {
        self[link: one, other] = link
        self[link: other, one] = link
    }

    /// Cuts a node off from everybody.
    public mutating func disconnect(_ node: NodeID) {
        rows[node.index] = []
        for sender in rows.indices { self[link: NodeID(index: sender), node] = nil }
    }

    mutating func addNode() { rows.append([]) }

    private func place(_ sender: NodeID, _ listener: NodeID) -> (index: Int, isFound: Bool) {
        precondition(sender.index < rows.count && listener.index < rows.count, "no such node")
        let row = rows[sender.index]
        var low = 0
        var high = row.count
        while low < high {
            let middle = (low + high) / 2
            if row[middle].listener < listener.index { low = middle + 1 } else { high = middle }
        }
        return (low, low < row.count && row[low].listener == listener.index)
    }
}
