public import MeshFirmware
public import MeshTime
import MeshWire

/// A world before it is switched on: its nodes and their links.
public struct WorldDescription: Sendable {
    /// The strength of a frame between two nodes, the same in both directions unless `back` gives another.
    public struct Link: Sendable {
        /// The label of one end.
        public var between: String
        /// The label of the other end.
        public var and: String
        /// The signal of the first at the second.
        public var signal: Signal
        /// From `and` to `between`; as `signal` when `nil`.
        public var back: Signal?
        /// Frames lost on the way for no audible reason, per ten thousand, in each direction.
        public var lossPerTenThousand: UInt16
        /// True when nothing travels from `and` to `between`.
        public var isOneWay = false

        public init(
            _ between: String, _ and: String, signal: Signal = .good, back: Signal? = nil,
            lossPerTenThousand: UInt16 = 0
        ) {
            self.back = back
            self.lossPerTenThousand = lossPerTenThousand
            self.between = between
            self.and = and
            self.signal = signal
        }
    }

    /// The name users pick it by.
    public var name: String
    /// One sentence for a list.
    public var summary: String
    /// The nodes, in order.
    public var nodes: [NodeDescription]
    /// The links between the nodes.
    public var links: [Link]
    /// Links between all nodes with a position that reach each other; those in `links` win.
    public var propagation: Propagation?
    /// The faults of the run; nodes are places in `nodes`.
    public var faults: [Fault] = []
    /// Nodes that know each other from before the world began, as places in `nodes`: companion radios among them have
    /// the others as contacts.
    public var met: [Int] = []
    /// Repeaters that are joined beside the radio; nodes are places in `nodes`.
    public var bridges: [WorldBridge] = []
    /// By which numbers frames meet.
    public var air = AirModel()
    /// True when its radios are as they come from the factory: without names.
    public var isAtFactorySettings = false

    public init(
        name: String, summary: String, nodes: [NodeDescription], links: [Link] = [], propagation: Propagation? = nil
    ) {
        self.propagation = propagation
        self.name = name
        self.summary = summary
        self.nodes = nodes
        self.links = links
    }
}

extension WorldDescription {
    /// Alice, a companion radio, alone.
    public static let solo: WorldDescription = {
        var solo = WorldDescription(
            name: "solo", summary: "companion radio alice, alone and at factory settings",
            nodes: [NodeDescription("alice", .companion(.wifi))])
        solo.isAtFactorySettings = true
        return solo
    }()

    /// Alice and bob, who reach each other only through a repeater; all three know each other, and send only on
    /// request.
    ///
    /// The first world that users meet. The repeater's settings are the factory's, but for its name and its
    /// adverts: a new repeater adverts every two minutes, and frames of its neighbours at that moment are lost.
    public static let pair: WorldDescription = {
        var repeater = ServerSetup(.repeater, board: .heltecV3)
        repeater.preferences.name = "rep1"
        repeater.silenceAdverts()
        var pair = WorldDescription(
            name: "pair",
            summary:
                "companion radios alice and bob, out of each other's range, and repeater rep1 between them; they have "
                + "met, and the repeater sends no adverts",
            nodes: [
                NodeDescription("alice", .companion(.wifi)), NodeDescription("rep1", .repeater, setup: repeater),
                NodeDescription("bob", .companion(.wifi)),
            ],
            links: [Link("alice", "rep1"), Link("rep1", "bob")])
        pair.met = Array(pair.nodes.indices)
        return pair
    }()

    /// Alice and bob, who reach each other only through a repeater, and a room and a sensor beside it.
    ///
    /// All are at factory settings, so that servers advert at their start and every two minutes.
    public static let village: WorldDescription = {
        var village = WorldDescription(
            name: "village",
            summary:
                "companion radios alice and bob, out of each other's range, repeater rep1 between them, and room server "
                + "room1 and sensor sens1 beside it, at factory settings",
            nodes: [
                NodeDescription("alice", .companion(.wifi)), NodeDescription("rep1", .repeater),
                NodeDescription("bob", .companion(.wifi)), NodeDescription("room1", .roomServer),
                NodeDescription("sens1", .sensor),
            ],
            links: [Link("alice", "rep1"), Link("rep1", "bob"), Link("rep1", "room1"), Link("rep1", "sens1")])
        village.isAtFactorySettings = true
        return village
    }()

    /// Alice and bob side by side, with nothing between them.
    public static let desk = WorldDescription(
        name: "desk", summary: "companion radios alice and bob, which hear each other, and nobody else",
        nodes: [NodeDescription("alice", .companion(.wifi)), NodeDescription("bob", .companion(.wifi))],
        links: [Link("alice", "bob")])

    /// The worlds that can be picked by name.
    public static let all = [solo, pair, desk, village, town]
}

extension WorldDescription {
    /// Keeps all infrastructure nodes from sending adverts of their own accord.
    public mutating func silenceAdverts() {
        for index in nodes.indices {
            guard case .server(let role) = nodes[index].role else { continue }
            var setup = nodes[index].setup ?? ServerSetup(role, board: nodes[index].board)
            setup.silenceAdverts()
            nodes[index].setup = setup
        }
    }
}

extension Signal {
    /// A link of a kilometre or two with nothing in between.
    public static let good = Signal(snrHundredths: 1000, rssiHundredths: -8000)
}

extension World {
    /// All nodes of a description, switched on by a person who went from one to the next (`switchingOn`).
    public init(
        _ description: WorldDescription, seed: Seed, traceCapacity: Int = 0, checks: Bool = true
    ) {
        self.init(seed: seed, air: description.air, traceCapacity: traceCapacity, checks: checks)
        reserve(nodes: description.nodes.count)
        for var node in description.nodes {
            if description.nodes.count > 1 { node.poweredFor = poweredFor(node.label) }
            add(node)
        }
        propagation = description.propagation
        if propagation != nil { connectPlacedNodes() }
        for link in description.links {
            guard let one = node(labelled: link.between), let other = node(labelled: link.and) else {
                preconditionFailure("a link of \(description.name) leads to a node that is not there")
            }
            links[link: one, other] = AirLink(link.signal, lossPerTenThousand: link.lossPerTenThousand)
            guard !link.isOneWay else { continue }
            links[link: other, one] = AirLink(
                link.back ?? link.signal, lossPerTenThousand: link.lossPerTenThousand)
        }
        for bridge in description.bridges { join(bridge) }
        for fault in description.faults { schedule(fault) }
        introduce(description.met, fresh: description.nodes.map { $0.flash.usedBytes == 0 })
    }
}
