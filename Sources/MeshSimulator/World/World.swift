public import MeshFirmware
import MeshRadio
public import MeshTime

/// Boards, their cores, and the air between them, on a time of their own.
///
/// A world is a value: a copy is a snapshot. It never waits and never asks a clock. Its owner injects inputs, runs
/// it to a moment, and fetches its outputs. Events are handled in the order of (time, sequence), and all randomness
/// comes from one seed. So the same seed and the same inputs at the same times give the same `digest`.
///
/// ```swift
/// var world = World(.pair, seed: Seed(7))
/// world.inject(.appConnected, into: alice)
/// world.run(until: .seconds(10))
/// for output in world.takeOutputs() { … }
/// ```
public struct World: Sendable {
    /// The number from which the run can be repeated.
    public let seed: Seed
    /// The numbers by which frames meet.
    public let air: AirModel
    /// The moment up to which the world has run.
    public private(set) var now = Instant.start
    /// Over everything that was emitted so far.
    public internal(set) var digest = Digest()
    /// The events of the run, as many as its capacity keeps.
    public internal(set) var trace: EventTrace
    /// Events, frames and drops, counted.
    public internal(set) var statistics = WorldStatistics()
    /// The invariants, which compare the run with the rules that every run must keep.
    public internal(set) var invariants: InvariantWatch
    /// The links between the nodes. A change holds from the next frame on.
    public var links = LinkTable()
    /// The model by which links follow from positions, for `connectPlacedNodes` and `move`.
    public var propagation: Propagation?

    var radios: [ReceiverState] = []
    var states: [NodeState] = []
    var slots: [NodeSlot] = []
    /// The kit of the node that was added last.
    private var latestKit: [NodeKit] = []
    /// Nodes by label; asked, never walked.
    private var places: [String: Int] = [:]
    var cores = Cores()
    var tunings: [Tuning] = []
    var queue = EventQueue()
    var transmissions = Slab<Transmission>()
    var receptions = ReceptionTable()
    var memo = PacketMemo()
    var faults = FaultDesk()
    /// The bodies of nodes that have one; a slot knows its place among them.
    var bodies: [BodyState] = []
    /// True when the noise floor of any place was not that of the air.
    var hasNoisyPlaces = false
    /// The displays of infrastructure nodes whose button was pressed; asked by node, never walked.
    var screens: [Int: ServerScreen] = [:]
    var bridges: [BridgeLine] = []
    /// What is on its way over bridges, by its number; asked, never walked.
    var bridgeWrites: [Int32: BridgeWrite] = [:]
    var bridgeWritesMade: Int32 = 0
    var framesSent: UInt64 = 0
    var outputs: [WorldOutput] = []
    /// Reused by every pass.
    var effects: [NodeEffect] = []
    /// The sum of the bytes that were read ahead; it means nothing.
    var fetched: UInt8 = 0
    let fadingSeed: UInt64
    let lossSeed: UInt64
    let noiseSeed: UInt64
    let reportSeed: UInt64
    /// The threshold of capture as a factor of power, and that of the frame that a modem follows.
    let captureFactor: Double
    let lockedFactor: Double
    let isReportOn: Bool
    /// True when any node's carrier is off.
    var hasCarrierOffsets = false

    /// - Parameters:
    ///   - traceCapacity: how many records of the trace are kept; 0 switches it off.
    ///   - checks: whether the invariants run; they cost a fifth of the speed or so.
    public init(seed: Seed, air: AirModel = AirModel(), traceCapacity: Int = 0, checks: Bool = true) {
        self.seed = seed
        self.air = air
        trace = EventTrace(capacity: traceCapacity)
        invariants = InvariantWatch(isOn: checks)
        fadingSeed = seed.part("air", "fading").value
        lossSeed = seed.part("air", "loss").value
        noiseSeed = seed.part("air", "noise").value
        reportSeed = seed.part("air", "report").value
        isReportOn = air.report.isOn
        captureFactor = LinearPower.milliwatts(air.captureThresholdHundredths)
        lockedFactor = LinearPower.milliwatts(air.lockedThresholdHundredths)
    }

    /// True when nodes are to report what they do with packets.
    var wantsReports: Bool { trace.isOn || invariants.isOn }

    // MARK: Nodes

    /// Reserves memory for `count` nodes at once, of which `repeaterCount` are repeaters.
    public mutating func reserve(nodes count: Int, repeaters repeaterCount: Int = 0) {
        cores.repeaters.reserveCapacity(repeaterCount)
        radios.reserveCapacity(count)
        states.reserveCapacity(count)
        slots.reserveCapacity(count)
        places.reserveCapacity(count)
    }

    /// Switches a node on. It reaches no node until `links` has a link.
    @discardableResult
    public mutating func add(_ description: NodeDescription) -> NodeID {
        precondition(places[description.label] == nil, "two nodes named \(description.label)")
        let description = description.embodied()
        let node = NodeID(index: slots.count)
        let skew = description.clockSkewPartsPerMillion
        precondition(abs(skew) < 500_000, "a clock that runs backwards or twice as fast")
        guard let tuning = tuning(description.board.airtime(description.board.radio)) else {
            preconditionFailure("more radio settings than a world can tell apart")
        }
        let boot = BootRecord(
            label: description.label, board: description.board, quirks: description.quirks, flash: description.flash,
            seed: bootSeed(description.label, boots: 0), boots: 0,
            now: Self.local(now - description.poweredFor, skew: skew))
        radios.append(ReceiverState(readyAt: now, tuning: tuning))
        states.append(NodeState(place: makeCore(description, boot), clockSkew: skew))
        let kit = NodeKit(
            board: description.board, quirks: description.quirks, setup: description.setup,
            furtherLinks: description.furtherLinks)
        if latestKit.first != kit { latestKit = [kit] }
        var slot = NodeSlot(
            label: description.label, labelHash: Seed(0).part(description.label).value, role: description.role,
            kit: latestKit)
        slot.position = description.position
        slot.carrierOffsetHertz = Int32(
            clamping: Int64(description.board.radio.frequencyKilohertz)
                * Int64(description.carrierOffsetPartsPerMillion) / 1000)
        if slot.carrierOffsetHertz != 0 { hasCarrierOffsets = true }
        slot.bootedAt = now - description.poweredFor
        slots.append(slot)
        places[description.label] = node.index
        links.addNode()
        if let body = description.body, !states[node.index].place.isGuest {
            attach(body, to: node.index)
            planLook(at: node.index, now)
        }
        pass(.woke, to: node.index)
        return node
    }

    /// All nodes, in the order of adding.
    public var nodes: [NodeID] { slots.indices.map(NodeID.init(index:)) }

    /// The node of this label.
    public func node(labelled label: String) -> NodeID? { places[label].map(NodeID.init(index:)) }

    // MARK: Running

    /// The time of the next event; `.never` in a world that only an input can move.
    public var nextEventTime: Instant { queue.nextTime }

    /// `nextEventTime`, for those who ask often.
    ///
    /// Mutating although nothing changes: the compiler copies a large value to ask it for a property.
    public mutating func peekNextEventTime() -> Instant { queue.nextTime }

    /// Handles all events that are due until `end`, and ends there.
    public mutating func run(until end: Instant) {
        while let entry = queue.next(until: end) {
            now = max(now, entry.time)
            happen(entry.event)
        }
        if end != .never { now = max(now, end) }
    }

    /// Delivers an input to a node now; the node makes one pass with it.
    ///
    /// Bytes of a client for a board that is restarting wait, as many as a socket buffer holds.
    public mutating func inject(_ input: NodeInput, into node: NodeID) {
        if radios[node.index].isUp {
            pass(input, to: node.index)
        } else {
            slots[node.index].waiting.add(input)
        }
    }

    /// Returns the outputs since the last call. A world whose outputs are not fetched keeps them all.
    public mutating func takeOutputs() -> [WorldOutput] {
        var taken: [WorldOutput] = []
        swap(&taken, &outputs)
        return taken
    }

    private mutating func happen(_ event: WorldEvent) {
        statistics.events += 1
        switch event {
        case .transmissionEnds(let place, let frame): endTransmission(place: place, frame: frame)
        case .wake(let index): wake(Int(index))
        case .boot(let index, let boots): boot(Int(index), boots: Int(boots))
        case .fault(let index, let begins): turnFault(Int(index), begins: begins)
        case .replay(let index): replay(Int(index))
        case .body(let place): turnToBody(Int(place))
        case .bridge(let write): arrive(write)
        case .button(let index, let boots): turnOffByButton(Int(index), boots: Int(boots))
        }
    }

    mutating func record(_ index: Int, _ event: @autoclosure () -> TraceEvent) {
        guard trace.isOn else { return }
        trace.append(TraceRecord(time: now, node: NodeID(index: index), event: event()))
    }

    mutating func output(_ index: Int, _ kind: WorldOutput.Kind, at interface: UInt8 = 0) {
        outputs.append(WorldOutput(node: NodeID(index: index), time: now, kind: kind, interface: interface))
    }
}
