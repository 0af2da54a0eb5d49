import MeshCompanion
import MeshFirmware
import MeshPacket
public import MeshSimulator
public import MeshTime
import MeshWire

/// Runs a world with its traffic for a time, and counts what happens.
///
/// Same plan, seed and span: same trace, same summary, in every process.
public struct MeshRun {
    /// One line of a trace: something that the world recorded, or a message that somebody sent.
    public enum Happening: Hashable, Sendable {
        /// The world recorded something.
        case event(TraceEvent)
        /// A node was told to send a message.
        case message(number: Int, to: String, text: String)
        /// A message is known to have arrived.
        case acknowledged(number: Int)
    }

    /// Who is there, and what they say.
    public let plan: WorldPlan
    /// What the run can be repeated from.
    public let seed: Seed
    /// How long it is run.
    public let span: TimeSpan
    /// The world as it is now.
    public private(set) var world: World

    private var apps: [MeshApp?]
    /// The nodes that have an app, in their order.
    private var people: [Int] = []
    private var events: [Traffic.Event]
    private var nextEvent = 0
    private var ledger: MeshLedger
    private let sink: ((Instant, NodeID, Happening) -> Void)?

    /// The clock that everybody starts with: 2025-06-15, 15:06:40 UTC.
    static let startOfTime: UInt32 = 1_750_000_000
    /// How often apps look for what their radio has written.
    private static let slice = TimeSpan.milliseconds(10)

    /// - Parameter sink: is given every line of the trace as it happens; `nil` for none.
    public init(
        _ plan: WorldPlan, seed: Seed, span: TimeSpan, air: AirModel = AirModel(),
        sink: ((Instant, NodeID, Happening) -> Void)? = nil
    ) {
        self.plan = plan
        self.seed = seed
        self.span = span
        self.sink = sink
        // The trace is emptied after each slice, so that it never holds more than a slice of events.
        world = plan.world(seed: seed, air: air, traceCapacity: .max)
        events = plan.traffic.events(in: plan.topology, until: .start + span, seed: seed)
        apps = [MeshApp?](repeating: nil, count: plan.topology.nodes.count)
        ledger = MeshLedger(plan.topology)
        prepareApps()
    }

    // MARK: People

    /// Whoever writes or is written to has an app, and knows those with whom it exchanges direct texts.
    private mutating func prepareApps() {
        var pairs: Set<[Int]> = []
        defer { people = apps.indices.filter { apps[$0] != nil } }
        for event in events {
            start(event.from)
            guard case .directText(let to, _) = event.message else { continue }
            start(to)
            if pairs.insert([event.from, to]).inserted {
                introduce(to, to: event.from)
                if pairs.insert([to, event.from]).inserted { introduce(event.from, to: to) }
            }
        }
    }

    private mutating func start(_ node: Int) {
        guard apps[node] == nil else { return }
        var app = MeshApp()
        app.queue(SetDeviceTime(epoch: Self.startOfTime))
        app.queue(SetAdvertName(name: ByteText(plan.topology.nodes[node].label)))
        apps[node] = app
    }

    private mutating func introduce(_ friend: Int, to node: Int) {
        guard let key = world.companion(NodeID(index: friend))?.publicKey else { return }
        var command = AddUpdateContact()
        command.publicKey = key
        command.name = FixedBytes(text: ByteText(plan.topology.nodes[friend].label).prefix(31))
        apps[node]?.queue(command)
    }

    // MARK: Time

    /// Runs to the end and sums up.
    ///
    /// - Parameter progress: is told the time reached, after each simulated second at most.
    public mutating func perform(progress: (Instant) -> Void = { _ in }) -> MeshSummary {
        let end = Instant.start + span
        var reported = Instant.start
        settle()
        while world.now < end {
            world.run(until: min(end, nextStop))
            settle()
            if world.now - reported >= .seconds(1) {
                reported = world.now
                progress(reported)
            }
        }
        return summary()
    }

    /// The next moment, on the raster of slices, at which somebody has to look.
    private var nextStop: Instant {
        let slice = Self.slice.microseconds
        var stop = world.nextEventTime
        if nextEvent < events.count { stop = min(stop, events[nextEvent].at) }
        if people.contains(where: { apps[$0]?.isBusy == true }) { stop = min(stop, world.now) }
        guard stop != .never else { return .never }
        let next = max(stop.microseconds, world.now.microseconds + 1)
        return Instant(microseconds: (next + slice - 1) / slice * slice)
    }

    /// Hands everything out that the slice has brought, and in what people want now.
    private mutating func settle() {
        take()
        while nextEvent < events.count, events[nextEvent].at <= world.now {
            say(events[nextEvent])
            nextEvent += 1
        }
        for node in people {
            guard var app = apps[node], world.isUp(NodeID(index: node)) else { continue }
            if app.connects() { world.inject(.appConnected, into: NodeID(index: node)) }
            if let input = app.nextInput() { world.inject(.appBytes(input), into: NodeID(index: node)) }
            apps[node] = app
        }
        take()
    }

    /// Takes outputs and trace of the world.
    private mutating func take() {
        for output in world.takeOutputs() {
            switch output.kind {
            case .appBytes(let bytes): apps[output.node.index]?.receive(bytes)
            case .appClosed, .booted: apps[output.node.index]?.loseLink()
            case .flash, .rebooted: break
            }
        }
        for record in world.takeTrace() {
            ledger.enter(record)
            sink?(record.time, record.node, .event(record.event))
        }
        for node in people {
            guard let news = apps[node]?.takeNews() else { continue }
            for entry in news {
                guard let number = ledger.enter(entry, of: node, at: world.now) else { continue }
                sink?(world.now, NodeID(index: node), .acknowledged(number: number))
            }
        }
    }

    private mutating func say(_ event: Traffic.Event) {
        let clock = Self.startOfTime + UInt32(clamping: world.now.milliseconds / 1000)
        let number = ledger.open(event, at: world.now)
        switch event.message {
        case .channelText(let text):
            apps[event.from]?.queue(
                SendChannelTxtMsg(channelIndex: 0, timestamp: clock, text: ByteText(text)), message: number)
            tell(event, number, to: "#public", text)
        case .directText(let to, let text):
            guard let key = world.companion(NodeID(index: to))?.publicKey else { return }
            apps[event.from]?.queue(
                SendTxtMsg(
                    attempt: 0, timestamp: clock, publicKeyPrefix: FixedBytes(key.prefix(6)), text: ByteText(text)),
                message: number)
            tell(event, number, to: plan.topology.nodes[to].label, text)
        case .advert:
            apps[event.from]?.queue(SendSelfAdvert(type: 1), message: number)
            tell(event, number, to: "#advert", "")
        }
    }

    private func tell(_ event: Traffic.Event, _ number: Int, to: String, _ text: String) {
        sink?(world.now, NodeID(index: event.from), .message(number: number, to: to, text: text))
    }

    private func summary() -> MeshSummary {
        var summary = ledger.summary()
        summary.world = plan.topology.name
        summary.seed = seed.value
        summary.simulatedMilliseconds = span.milliseconds
        summary.links = plan.topology.links.count
        summary.digest = world.digest.description
        summary.unseed = world.unseed.description
        summary.violations = world.invariants.violationCount
        return summary
    }
}
