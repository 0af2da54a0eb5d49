/// The effects of one fault so far, counted by the place that causes them.
///
/// Every place that does something for a fault reports here: the air and the boards of a world, and the links between
/// apps and radios. A fault whose count is zero at the end of a run was asked for and did nothing.
public struct FaultCount: Hashable, Sendable {
    /// The times that the fault took effect.
    public private(set) var times = 0
    /// The frames that it lost, changed, added or held back.
    public private(set) var frames = 0
    /// The bytes of these frames.
    public private(set) var bytes = 0
    /// The places of the nodes that met it, in order, each once.
    public private(set) var nodes: [Int] = []
    /// The time of its first effect; `nil` without one, and where the place has no time.
    public private(set) var first: Instant?
    /// The time of its latest effect; `nil` without one, and where the place has no time.
    public private(set) var last: Instant?

    /// The count of a fault that has done nothing.
    public init() {}

    /// True when the fault has taken effect.
    public var hasFired: Bool { times > 0 }

    /// Counts an effect, or several at once.
    public mutating func note(
        times: Int = 1, frames: Int = 0, bytes: Int = 0, node: Int? = nil, at time: Instant? = nil
    ) {
        guard times > 0 else { return }
        self.times += times
        self.frames += frames
        self.bytes += bytes
        if let node { add(node: node) }
        guard let time else { return }
        first = min(first ?? time, time)
        last = max(last ?? time, time)
    }

    /// Adds the effects of another count.
    public mutating func add(_ other: FaultCount) {
        times += other.times
        frames += other.frames
        bytes += other.bytes
        for node in other.nodes { add(node: node) }
        if let time = other.first { first = min(first ?? time, time) }
        if let time = other.last { last = max(last ?? time, time) }
    }

    private mutating func add(node: Int) {
        var (low, high) = (0, nodes.count)
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle] < node { low = middle + 1 } else { high = middle }
        }
        if low == nodes.count || nodes[low] != node { nodes.insert(node, at: low) }
    }
}
