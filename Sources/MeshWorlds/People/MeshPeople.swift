import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
package import MeshSimulator
package import MeshTime
import MeshWire

/// The people of a world, whose apps are simulated: they send the messages of its traffic.
///
/// The driver of the world passes them the output of their radios, and lets them act at `nextStop`. They act on a
/// raster of 10 ms only, so that a run is the same with every driver.
package struct MeshPeople {
    package private(set) var topology: Topology
    private let traffic: Traffic
    private let seed: Seed
    /// True when there are more events after `horizon`.
    private let isEndless: Bool
    /// Tells for each node whether its app is a program outside, which is not simulated.
    private(set) var isForeign: [Bool]
    /// Lines of the trace that nobody has read yet; `nil` where nobody reads them.
    private var lines: [HappeningLog.Line]?

    private(set) var apps: [MeshApp?]
    private var appCount = 0
    /// The nodes whose app has news, is connecting or has something to send or to wait for, in order; few of many.
    ///
    /// A change of an app adds its node, and `act` removes those that have come to rest.
    private var awake: [Int] = []
    private var events: [Traffic.Event] = []
    private var nextEvent = 0
    /// The moment until which events are drawn.
    private var horizon: Instant
    /// The pairs of nodes that know each other; asked, never walked.
    private var pairs: Set<[Int]> = []
    var ledger: MeshLedger
    /// The texts that apps have received, by node; empty unless they are kept.
    var inboxes: [Inbox?]
    /// The beginnings of the keys of rooms that have accepted an app's login, by node.
    var rooms: [Set<FixedBytes<6>>]
    let habits: PeopleHabits
    /// Texts that are sent again; `nil` where each is sent once.
    var attempts: TextAttempts?
    private var walkers: Walkers?
    /// The app that sends a picture.
    var picture: PictureSender?
    /// The moment when they act next; `.never` when none of them has anything to do.
    package private(set) var nextStop = Instant.start

    /// The initial time of all clocks: 2025-06-15, 15:06:40 UTC.
    private static let startOfTime: UInt32 = 1_750_000_000
    /// The interval at which apps read what their radio has written.
    private static let slice = TimeSpan.milliseconds(10)
    /// The span for which the events of an endless run are drawn at first; then twice as far each time.
    private static let firstHorizon = TimeSpan.seconds(3600)
    /// The end of events: a run of a thousand years falls silent.
    private static let lastHorizon = Instant.start + .seconds(1000 * 365 * 86_400)

    /// - Parameters:
    ///   - world: the plan's world, before it is run.
    ///   - span: the span in which there are events; `nil` for a run without an end.
    ///   - foreign: nodes whose apps are programs outside.
    ///   - keepsInboxes: whether what the apps receive is kept, for `inbox(of:)`.
    ///   - habits: how they go about it; its walks are for worlds whose nodes have places.
    ///   - keepsLines: whether messages, acknowledgements and ends become lines for `takeLines`.
    package init(
        _ plan: WorldPlan, seed: Seed, span: TimeSpan?, in world: inout World, foreign: [NodeID] = [],
        keepsInboxes: Bool = false, habits: PeopleHabits = PeopleHabits(), keepsLines: Bool = false
    ) {
        topology = plan.topology
        traffic = plan.traffic
        self.seed = seed
        lines = keepsLines ? [] : nil
        isEndless = span == nil
        horizon = .start + (span ?? Self.firstHorizon)
        var isForeign = [Bool](repeating: false, count: topology.nodes.count)
        for node in foreign { isForeign[node.index] = true }
        self.isForeign = isForeign
        apps = [MeshApp?](repeating: nil, count: topology.nodes.count)
        inboxes = [Inbox?](repeating: nil, count: keepsInboxes ? topology.nodes.count : 0)
        rooms = [Set<FixedBytes<6>>](repeating: [], count: topology.nodes.count)
        ledger = MeshLedger(topology)
        self.habits = habits
        attempts = habits.retry.map { TextAttempts($0, seed: seed) }
        walkers = habits.walk.flatMap { Walkers($0, in: plan, seed: seed) }
        picture = habits.picture.flatMap { PictureSender($0, in: plan, world) }
        // Whoever may be asked what he has received has an app that fetches it, also before he says anything.
        if keepsInboxes {
            for (index, node) in topology.nodes.enumerated() where node.role == .companion { start(index) }
        }
        if let picture {
            start(picture.node)
            change(picture.node) { $0.listensToAir = picture.listens }
        }
        drawEvents(&world)
    }

    // MARK: Lines

    /// Removes and returns the lines since the last call, in their order.
    package mutating func takeLines() -> [HappeningLog.Line] {
        guard lines?.isEmpty == false else { return [] }
        defer { lines = [] }
        return lines ?? []
    }

    mutating func note(_ time: Instant, _ node: NodeID, _ happening: MeshRun.Happening) {
        lines?.append(HappeningLog.Line(time, node, happening))
    }

    // MARK: Apps

    /// Draws the events until the horizon.
    ///
    /// A node that writes or is written to has an app, and its partners in direct texts as contacts.
    private mutating func drawEvents(_ world: inout World) {
        events = traffic.events(in: topology, until: horizon, seed: seed).filter { !isForeign[$0.from] }
        for event in events[min(nextEvent, events.count)...] {
            start(event.from)
            guard case .directText(let to, _) = event.message else { continue }
            start(to)
            if pairs.insert([event.from, to]).inserted {
                introduce(to, to: event.from, in: &world)
                if pairs.insert([to, event.from]).inserted { introduce(event.from, to: to, in: &world) }
            }
        }
    }

    private mutating func start(_ node: Int, at now: Instant = .start) {
        guard apps[node] == nil, !isForeign[node] else { return }
        var app = MeshApp()
        app.queue(SetDeviceTime(epoch: Self.unixSeconds(at: now)))
        app.queue(SetAdvertName(name: ByteText(topology.nodes[node].label)))
        if let bytes = habits.pathHashBytes { app.queue(SetPathHashMode(mode: bytes - 1)) }
        if let region = habits.region {
            app.queue(
                SetDefaultFloodScope(
                    scope: FloodScope(
                        name: FixedBytes(text: ByteText(region)), key: MeshHash.regionKey(name: Array(region.utf8)))))
        }
        apps[node] = app
        appCount += 1
        wake(node)
    }

    /// Changes the app of a node, if it has one; whoever changes one elsewhere has to wake it.
    @discardableResult
    mutating func change<R>(_ node: Int, _ body: (inout MeshApp) -> R) -> R? {
        guard apps[node] != nil else { return nil }
        wake(node)
        return apps[node]?.changed(by: body)
    }

    private mutating func wake(_ node: Int) {
        var (low, high) = (0, awake.count)
        // Most are the last one, or behind it.
        if let last = awake.last, last <= node { low = last == node ? high - 1 : high }
        while low < high {
            let middle = (low + high) / 2
            if awake[middle] < node { low = middle + 1 } else { high = middle }
        }
        if low == awake.count || awake[low] != node { awake.insert(node, at: low) }
    }

    /// The time of every clock at a moment, in Unix seconds.
    static func unixSeconds(at now: Instant) -> UInt32 { startOfTime + UInt32(clamping: now.milliseconds / 1000) }

    /// Makes a node a contact of another one's radio, once.
    mutating func acquaint(_ node: Int, with friend: Int, in world: inout World) {
        guard pairs.insert([node, friend]).inserted else { return }
        introduce(friend, to: node, in: &world)
    }

    /// Adds a node, whose app starts; the events continue.
    package mutating func add(_ node: Topology.Node, at now: Instant) {
        topology.nodes.append(node)
        isForeign.append(false)
        apps.append(nil)
        rooms.append([])
        if !inboxes.isEmpty { inboxes.append(nil) }
        ledger.add(node)
        guard !inboxes.isEmpty, node.role == .companion else { return }
        start(topology.nodes.count - 1, at: now)
    }

    private mutating func introduce(_ friend: Int, to node: Int, in world: inout World) {
        guard let firmware = world.firmware(NodeID(index: friend)) else { return }
        var command = AddUpdateContact()
        command.publicKey = firmware.publicKey
        command.type = topology.nodes[friend].role.serverRole?.nodeType ?? .chat
        command.name = FixedBytes(text: ByteText(topology.nodes[friend].label).prefix(31))
        change(node) { $0.queue(command) }
    }

    // MARK: Time

    /// Handles the output of a radio for its app.
    package mutating func take(_ output: WorldOutput) {
        // Its people use the first interface of a radio.
        guard output.interface == 0 else { return }
        switch output.kind {
        case .appBytes(let bytes): change(output.node.index) { $0.receive(bytes) }
        case .appClosed, .booted:
            if let lost = change(output.node.index, { $0.loseLink() }) ?? nil { ledger.lose(lost, at: output.time) }
        case .flash, .rebooted, .poweredOff: break
        }
    }

    /// Handles a line of the world's trace, for the summary.
    package mutating func enter(_ record: TraceRecord) {
        tellEnds(before: record.time)
        ledger.enter(record)
    }

    /// Reports the messages that have ended before this moment, ahead of all events at it.
    package mutating func tellEnds(before now: Instant) {
        guard ledger.mayHaveEnds(before: now) else { return }
        let attempts = attempts
        for ended in ledger.takeEnds(before: now, unless: { attempts?.holds($0) == true }) {
            note(ended.at, NodeID(index: ended.node), .ended(number: ended.number, ended.end))
        }
    }

    /// Handles what the apps have received since the last time.
    package mutating func takeNews(at now: Instant) {
        tellEnds(before: now)
        for node in awake {
            for entry in apps[node]?.takeNews() ?? [] {
                learn(entry, of: node, at: now)
                follow(entry, of: node, at: now)
                guard let number = ledger.enter(entry, of: node, at: now) else { continue }
                attempts?.end(number)
                note(now, NodeID(index: node), .acknowledged(number: number))
            }
        }
    }

    /// Gives the apps the commands that are due now.
    package mutating func act(in world: inout World) {
        if isEndless, nextEvent == events.count, world.now >= horizon, horizon < Self.lastHorizon {
            horizon = .start + (horizon - .start) * 2
            drawEvents(&world)
        }
        while nextEvent < events.count, events[nextEvent].at <= world.now {
            say(events[nextEvent], in: &world)
            nextEvent += 1
        }
        sendAgain(in: world)
        walkers?.step(in: &world)
        if let command = picture?.due(at: world.now) { change(picture?.node ?? 0) { $0.queue(command) } }
        for node in awake {
            guard apps[node]?.hasTurn == true, world.isUp(NodeID(index: node)), var app = apps[node] else { continue }
            if app.connects() {
                world.inject(.appConnected, into: NodeID(index: node))
                // It is told of what arrives from here on, and not of what has arrived before.
                if !inboxes.isEmpty, world.now > .start { app.queue(SyncNextMessage()) }
            }
            if let input = app.nextInput() { world.inject(.appBytes(input), into: NodeID(index: node)) }
            apps[node] = app
        }
        awake.removeAll { apps[$0]?.isAtRest != false }
    }

    /// Decides when they act next, after they did.
    package mutating func plan(in world: inout World) {
        nextStop = .never
        lookAhead(in: &world)
    }

    /// True when no person acts unless asked; a driver that runs a world by itself looks at the people all the same.
    private var isIdle: Bool { !inboxes.isEmpty && appCount == 0 && traffic.rules.isEmpty }

    /// Decides the same after others have changed the world: perhaps they act sooner than planned.
    package mutating func lookAhead(in world: inout World) {
        guard !isIdle else { return }
        let slice = Self.slice.microseconds
        var stop = world.peekNextEventTime()
        if nextEvent < events.count {
            stop = min(stop, events[nextEvent].at)
        } else if isEndless, horizon < Self.lastHorizon {
            stop = min(stop, max(horizon, world.now))
        }
        stop = min(stop, attempts?.next ?? .never, walkers?.next ?? .never, picture?.next ?? .never)
        if awake.contains(where: { apps[$0]?.isBusy == true }) { stop = min(stop, world.now) }
        guard stop != .never else { return }
        let next = max(stop.microseconds, world.now.microseconds + 1)
        nextStop = min(nextStop, Instant(microseconds: (next + slice - 1) / slice * slice))
    }

    @discardableResult
    mutating func say(
        _ event: Traffic.Event, channel: UInt8 = 0, isFlood: Bool = true, in world: inout World
    ) -> Int {
        tellEnds(before: world.now)
        let clock = Self.unixSeconds(at: world.now)
        let number = ledger.open(event, at: world.now)
        let words: (to: String, text: String)
        switch event.message {
        case .channelText(let text):
            change(event.from) {
                $0.queue(
                    SendChannelTxtMsg(channelIndex: channel, timestamp: clock, text: ByteText(text)), message: number)
            }
            words = ("#public", text)
        case .directText(let to, let text):
            let letter = TextAttempts.Text(
                message: number, from: event.from, to: to, text: text, timestamp: clock)
            guard world.firmware(NodeID(index: to)) != nil else { return number }
            write(attempts?.begin(letter) ?? .init(text: letter, number: 0, resetsPath: false), in: world)
            words = (topology.nodes[to].label, text)
        case .advert:
            change(event.from) { $0.queue(SendSelfAdvert(type: isFlood ? 1 : 0), message: number) }
            words = ("#advert", "")
        }
        note(world.now, NodeID(index: event.from), .message(number: number, to: words.to, text: words.text))
        return number
    }

    /// The results so far, without the world's own numbers.
    package func summary() -> MeshSummary { ledger.summary() }
}

extension MeshApp {
    fileprivate mutating func changed<R>(by body: (inout MeshApp) -> R) -> R { body(&self) }
}
