import MeshFirmware
public import MeshTime

/// Something that goes wrong for a while, as a value: what, where, from when to when.
public struct Fault: Hashable, Sendable {
    /// The effect of a fault. Shares are out of ten thousand; a `nil` end of a link stands for every node.
    public enum Kind: Hashable, Sendable {
        /// A share of the frames is not received.
        case loss(perTenThousand: Int, from: NodeID? = nil, to: NodeID? = nil)
        /// A partition: these nodes receive no others, and no others receive them.
        case partition([NodeID])
        /// The node receives nothing, and the air seems quiet to it.
        case deafness(NodeID)
        /// The board is without power until the end.
        case crash(NodeID)
        /// The board restarts at the beginning, with its flash or with an empty one. The end means nothing.
        case reboot(NodeID, keepingFlash: Bool = true)
        /// The calendar clock jumps at the beginning. The end means nothing.
        case clockJump(NodeID, seconds: Int32)
        /// Writing to the node's flash and formatting it fail.
        case flashFailure(NodeID)
        /// The power fails in the middle of the next write of a file, and is back at the end. See `Flash.PowerCut`.
        ///
        /// It is any file when `path` is `nil`. `bytes` of the new content are left, or no file.
        case tornWrite(NodeID, path: String? = nil, bytes: Int?)
        /// A share of the frames is spoiled: with a wrong checksum, or so that the checksum is right all the same.
        case corruption(perTenThousand: Int, from: NodeID? = nil, to: NodeID? = nil, passesChecksum: Bool = false)
        /// A share of the frames is spoiled in the sender, before its chip adds the checksum.
        ///
        /// Every listener receives the same wrong bytes, and their checksum is right.
        case senderCorruption(perTenThousand: Int, of: NodeID? = nil)
        /// A share of the frames that the node receives is sent again from its place, after a delay.
        case replay(near: NodeID, perTenThousand: Int = 10_000, after: TimeSpan)
        /// The link is another one, or none, until the end.
        case link(from: NodeID, to: NodeID, AirLink?)
        /// The chip reports a detected preamble until its driver clears the flag. Frames on the air are received as
        /// ever.
        case stuckPreamble(NodeID)
        /// The receiver listens and sleeps by turns, beginning with a sleep. It receives a frame whose preamble is
        /// long enough within a time of listening to be detected, and listens to its end.
        case dutyCycle(NodeID, listens: TimeSpan, sleeps: TimeSpan)
    }

    /// The effect of the fault.
    public var kind: Kind
    /// The time at which it begins.
    public var begin: Instant
    /// The time at which it is over.
    public var end: Instant
    /// True when a run in which it does nothing is valid all the same.
    public var mayNotFire = false

    /// A fault from one moment to a later one; without moments, the whole run.
    public init(_ kind: Kind, from begin: Instant = .start, to end: Instant = .never) {
        precondition(begin < end, "a fault that ends before it begins")
        self.kind = kind
        self.begin = begin
        self.end = end
    }
}

extension Fault.Kind {
    /// True when its end has an effect.
    var hasEnd: Bool {
        switch self {
        case .reboot, .clockJump: false
        case .loss, .partition, .deafness, .crash, .flashFailure, .tornWrite, .corruption, .senderCorruption, .replay,
            .link, .stuckPreamble, .dutyCycle:
            true
        }
    }

    /// True when it decides on the fate of frames.
    var concernsFrames: Bool {
        switch self {
        case .loss, .partition, .corruption, .senderCorruption, .replay, .dutyCycle: true
        case .deafness, .crash, .reboot, .clockJump, .flashFailure, .tornWrite, .link, .stuckPreamble: false
        }
    }

    /// The node it is about, if it is about one.
    var node: NodeID? {
        switch self {
        case .deafness(let node), .crash(let node), .reboot(let node, _), .clockJump(let node, _),
            .flashFailure(let node), .tornWrite(let node, _, _), .replay(let node, _, _), .link(let node, _, _),
            .stuckPreamble(let node), .dutyCycle(let node, _, _):
            node
        case .loss(_, let from, _): from
        case .corruption(_, let from, _, _), .senderCorruption(_, let from): from
        case .partition(let nodes): nodes.first
        }
    }
}

/// The faults of a world: each with a stream of its own, so that one more changes no other numbers.
struct FaultDesk: Sendable {
    private(set) var faults: [Fault] = []
    var streams: [RandomStream] = []
    /// The link that a fault has replaced.
    var replaced: [AirLink?] = []
    /// Numbers of those that are going on and concern frames, in order.
    private(set) var active: [Int] = []
    /// Those that were ended before their time: their ends have no effect.
    private var endedEarly: Set<Int> = []
    /// Nodes whose chips have a preamble that does not go away, and since when.
    var stuckPreambles: [(node: Int, since: Instant, fault: Int)] = []
    /// Frames that wait to be sent again; emptied when none does.
    var replays: [(node: Int, bytes: RadioFrame, fault: Int)] = []
    var replaysDone = 0
    /// The effects of each fault.
    private(set) var counts: [FaultCount] = []
    /// Faults under which nodes miss all frames, and the nodes.
    private(set) var missing: [(node: Int, fault: Int)] = []
    /// The figures of a node when a fault on it began whose effects are the difference from it; `nil` when not open.
    var baselines: [Int?] = []

    /// True when any active fault decides on the fate of frames.
    var watchesFrames: Bool { !active.isEmpty }

    mutating func add(_ fault: Fault, stream: RandomStream) -> Int {
        faults.append(fault)
        streams.append(stream)
        replaced.append(nil)
        counts.append(FaultCount())
        baselines.append(nil)
        return faults.count - 1
    }

    /// Returns whether a fault has begun and is to end at a time that has not yet come.
    func isOpen(_ number: Int, at now: Instant) -> Bool {
        guard faults.indices.contains(number), !endedEarly.contains(number) else { return false }
        let fault = faults[number]
        return fault.begin <= now && now < fault.end && fault.kind.hasEnd
    }

    /// Returns whether a beginning or an end has an effect: an end has it once.
    func turns(_ number: Int, begins: Bool) -> Bool { begins || !endedEarly.contains(number) }

    mutating func endEarly(_ number: Int) { endedEarly.insert(number) }

    mutating func turn(_ number: Int, begins: Bool) {
        guard faults[number].kind.concernsFrames else { return }
        active.removeAll { $0 == number }
        if begins {
            active.append(number)
            active.sort()
        }
    }

    /// Counts an effect of a fault, or several.
    mutating func note(
        _ number: Int, times: Int = 1, frames: Int = 0, bytes: Int = 0, node: Int? = nil, at time: Instant
    ) {
        counts[number].note(times: times, frames: frames, bytes: bytes, node: node, at: time)
    }

    mutating func add(_ count: FaultCount, to number: Int) { counts[number].add(count) }

    /// A node begins or ends to miss all frames under a fault.
    mutating func misses(_ number: Int, node: Int, begins: Bool) {
        missing.removeAll { $0.fault == number }
        if begins { missing.append((node, number)) }
    }

    /// Draws whether a fault strikes, at its share.
    mutating func strikes(_ number: Int, perTenThousand: Int) -> Bool {
        streams[number].next() % 10_000 < UInt64(clamping: perTenThousand)
    }
}
