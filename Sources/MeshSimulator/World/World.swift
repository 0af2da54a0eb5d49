public import MeshFirmware
public import MeshRadio
public import MeshTime

/// Boards, their cores, and the air between them, on a time of their own.
///
/// A world is a value: a copy is a snapshot. It never waits and never asks a clock; whoever holds it hands inputs in,
/// runs it to a moment, and takes what came out. Events happen in the order of (time, sequence), and all randomness
/// comes from one seed, so the same seed and the same inputs at the same times give the same `digest`.
///
/// ```swift
/// var world = World(.pair, seed: Seed(7))
/// world.inject(.appConnected, into: alice)
/// world.run(until: .seconds(10))
/// for output in world.takeOutputs() { … }
/// ```
public struct World: Sendable {
    public let seed: Seed
    public let air: AirModel
    /// The moment up to which the world has run.
    public private(set) var now = Instant.start
    public internal(set) var digest = Digest()
    public internal(set) var trace: Trace
    /// Who reaches whom. A change holds from the next frame on.
    public var links = LinkMatrix()

    var slots: [NodeSlot] = []
    var companions: [CompanionRadio] = []
    var repeaters: [Repeater] = []
    var guests: [any GuestNode] = []
    var queue = EventQueue()
    var transmissions: [Transmission?] = []
    var framesSent: UInt64 = 0
    var outputs: [WorldOutput] = []
    /// Reused by every pass.
    var effects: [NodeEffect] = []

    public init(seed: Seed, air: AirModel = AirModel(), traceCapacity: Int = 0) {
        self.seed = seed
        self.air = air
        trace = Trace(capacity: traceCapacity)
    }

    // MARK: Nodes

    /// Switches a node on. It reaches nobody until `links` says so.
    @discardableResult
    public mutating func add(_ description: NodeDescription) -> NodeID {
        precondition(!slots.contains { $0.label == description.label }, "two nodes named \(description.label)")
        let node = NodeID(index: slots.count)
        let boot = BootRecord(
            label: description.label, board: description.board, quirks: description.quirks, flash: description.flash,
            seed: bootSeed(description.label, boots: 0), boots: 0, now: now)
        let place = makeCore(description.role, boot)
        let slot = NodeSlot(
            label: description.label, role: description.role, board: description.board, quirks: description.quirks,
            place: place, airtime: Airtime(description.board.radio))
        slots.append(slot)
        links.addNode()
        pass(.woke, to: node)
        return node
    }

    public var nodes: [NodeID] { slots.indices.map(NodeID.init(index:)) }

    /// The node of this label.
    public func node(labelled label: String) -> NodeID? {
        slots.firstIndex { $0.label == label }.map(NodeID.init(index:))
    }

    public func label(of node: NodeID) -> String { slots[node.index].label }
    public func board(of node: NodeID) -> BoardProfile { slots[node.index].board }
    /// Whether the board runs; it does not while it restarts.
    public func isUp(_ node: NodeID) -> Bool { slots[node.index].isUp }
    /// The radio parameters a node works with now.
    public func parameters(of node: NodeID) -> LoRaParameters { slots[node.index].parameters }

    /// The files of a node as they are now.
    public func flash(of node: NodeID) -> Flash {
        switch slots[node.index].place {
        case .companion(let index): companions[index].flash
        case .repeater(let index): repeaters[index].flash
        case .guest(let index): guests[index].flash
        }
    }

    /// Bytes that the client of a node may send now; the rest stays with the operating system, as with a small board.
    public func appWindow(of node: NodeID) -> Int {
        guard slots[node.index].isUp else { return slots[node.index].waiting.window }
        switch slots[node.index].place {
        case .companion(let index): return companions[index].appWindow
        case .repeater: return 0
        case .guest(let index): return guests[index].appWindow
        }
    }

    /// The companion radio that a node is, for looking at.
    public func companion(_ node: NodeID) -> CompanionRadio? {
        guard case .companion(let index) = slots[node.index].place else { return nil }
        return companions[index]
    }

    /// The repeater that a node is, for looking at.
    public func repeater(_ node: NodeID) -> Repeater? {
        guard case .repeater(let index) = slots[node.index].place else { return nil }
        return repeaters[index]
    }

    /// Plays the surroundings of a companion radio: its clock, its sensors, faults of its flash.
    public mutating func withCompanion<R>(_ node: NodeID, _ change: (inout CompanionRadio) throws -> R) rethrows -> R? {
        guard case .companion(let index) = slots[node.index].place else { return nil }
        return try change(&companions[index])
    }

    // MARK: Running

    /// When the next thing happens; `.never` in a world that only an input can move.
    public var nextEventTime: Instant { queue.nextTime }

    /// Lets everything happen that is due until `end`, and ends there.
    public mutating func run(until end: Instant) {
        while let entry = queue.next(until: end) {
            now = max(now, entry.time)
            happen(entry.event)
        }
        if end != .never { now = max(now, end) }
    }

    /// Hands a node an input now; the node makes one pass with it.
    ///
    /// What a client sends to a board that is restarting waits for it, as far as a socket buffer reaches.
    public mutating func inject(_ input: NodeInput, into node: NodeID) {
        if slots[node.index].isUp {
            pass(input, to: node)
        } else {
            slots[node.index].waiting.add(input)
        }
    }

    /// What has come out since the last call. A world whose outputs nobody takes keeps them all.
    public mutating func takeOutputs() -> [WorldOutput] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    private mutating func happen(_ event: WorldEvent) {
        switch event {
        case .transmissionEnds(let place, let frame): endTransmission(place: Int(place), frame: frame)
        case .wake(let index): wake(NodeID(index: Int(index)))
        case .boot(let index, let boots): boot(NodeID(index: Int(index)), boots: Int(boots))
        }
    }

    mutating func record(_ node: NodeID, _ event: @autoclosure () -> TraceEvent) {
        guard trace.isOn else { return }
        trace.append(TraceRecord(time: now, node: node, event: event()))
    }

    mutating func output(_ node: NodeID, _ kind: WorldOutput.Kind) {
        outputs.append(WorldOutput(node: node, time: now, kind: kind))
    }
}
