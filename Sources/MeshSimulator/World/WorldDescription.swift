public import MeshFirmware
public import MeshTime

/// A world before it is switched on: who is there and who reaches whom.
public struct WorldDescription: Sendable {
    /// How strongly a frame travels between two nodes, the same in both directions.
    public struct Link: Sendable {
        public var between: String
        public var and: String
        public var signal: Signal

        public init(_ between: String, _ and: String, signal: Signal = .good) {
            self.between = between
            self.and = and
            self.signal = signal
        }
    }

    /// The name users pick it by.
    public var name: String
    /// One sentence for a list.
    public var summary: String
    public var nodes: [NodeDescription]
    public var links: [Link]

    public init(name: String, summary: String, nodes: [NodeDescription], links: [Link] = []) {
        self.name = name
        self.summary = summary
        self.nodes = nodes
        self.links = links
    }
}

extension WorldDescription {
    /// Alice, a companion radio, and nobody else.
    public static let solo = WorldDescription(
        name: "solo", summary: "companion radio alice, alone", nodes: [NodeDescription("alice", .companion(.wifi))])

    /// Alice and bob, who hear each other only through a repeater; all at factory settings.
    public static let pair = WorldDescription(
        name: "pair", summary: "companion radios alice and bob, out of each other's range, repeater rep1 between them",
        nodes: [
            NodeDescription("alice", .companion(.wifi)), NodeDescription("rep1", .repeater),
            NodeDescription("bob", .companion(.wifi)),
        ],
        links: [Link("alice", "rep1"), Link("rep1", "bob")])

    public static let all = [solo, pair]
}

extension Signal {
    /// A link of a kilometre or two with nothing in between.
    public static let good = Signal(snrHundredths: 1000, rssiHundredths: -8000)
}

extension World {
    /// Switches all nodes of a description on, in its order.
    public init(_ description: WorldDescription, seed: Seed, air: AirModel = AirModel(), traceCapacity: Int = 0) {
        self.init(seed: seed, air: air, traceCapacity: traceCapacity)
        for node in description.nodes { add(node) }
        for link in description.links {
            guard let one = node(labelled: link.between), let other = node(labelled: link.and) else {
                preconditionFailure("a link of \(description.name) leads to a node that is not there")
            }
            links[one, other] = link.signal
            links[other, one] = link.signal
        }
    }
}
