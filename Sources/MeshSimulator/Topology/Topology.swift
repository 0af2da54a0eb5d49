public import MeshFirmware

/// The place of a node on a flat map, in whole metres from its south-west corner.
public struct Place: Hashable, Sendable {
    /// Metres to the east of the corner.
    public var eastMetres: Int32
    /// Metres to the north of the corner.
    public var northMetres: Int32

    public init(eastMetres: Int32, northMetres: Int32) {
        self.eastMetres = eastMetres
        self.northMetres = northMetres
    }

    /// The square of the distance to another place, in square metres.
    public func squareMetres(to other: Place) -> Int64 {
        let east = Int64(eastMetres) - Int64(other.eastMetres)
        let north = Int64(northMetres) - Int64(other.northMetres)
        return east * east + north * north
    }
}

/// The nodes of a mesh and the links between them: a value that knows nothing of firmware, boards or time.
///
/// The makers (`line`, `ring`, `star`, `grid`, `random`, `city`) are pure: the same numbers and the same seed give
/// the same topology in every process. `alice` and `bob` are companion radios and far from each other wherever the
/// shape has two ends. Every other node is a repeater `r1`, `r2`, … or a companion `c1`, `c2`, …
public struct Topology: Hashable, Sendable {
    /// The purpose of a node.
    public enum Role: RawRepresentable, Hashable, Sendable, CaseIterable {
        case companion
        /// An infrastructure node.
        case server(ServerRole)
        /// A node that runs in another process, of which this package knows nothing.
        case external

        public static let repeater = Role.server(.repeater)
        public static let roomServer = Role.server(.roomServer)
        public static let sensor = Role.server(.sensor)

        /// The companion, then the infrastructure nodes, then those of other processes.
        public static let allCases = [companion] + ServerRole.allCases.map(Role.server) + [external]

        public init?(rawValue: String) {
            guard let role = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = role
        }

        /// The name in files: `companion`, `external`, or the node's answer to `get role`.
        public var rawValue: String {
            switch self {
            case .companion: "companion"
            case .server(let role): role.commandName
            case .external: "external"
            }
        }

        /// The role of an infrastructure node; `nil` for any other.
        public var serverRole: ServerRole? {
            if case .server(let role) = self { role } else { nil }
        }

        /// For people.
        public var words: String { self == .external ? "external node" : serverRole?.words ?? rawValue }
    }

    /// A node of the mesh.
    public struct Node: Hashable, Sendable {
        /// The name by which links, traffic and scenarios mean the node.
        public var label: String
        /// The purpose of the node.
        public var role: Role
        /// The place at which it stands; `nil` for a node of which only the links are known.
        public var place: Place?
        /// The gain by which it receives and is received better than others at such a place, in 1/100 dB: it stands
        /// on a hill.
        ///
        /// Counts where links are made from places.
        var gainHundredths = 0

        /// A node with a label and a role, and a place when it has one.
        public init(_ label: String, _ role: Role, at place: Place? = nil) {
            self.label = label
            self.role = role
            self.place = place
        }
    }

    /// The signals between two nodes, there and back; either way may be closed.
    public struct Link: Hashable, Sendable {
        /// Places in `nodes`.
        public var from: Int
        /// The node at the other end, as a place in `nodes`.
        public var to: Int
        /// The signal of `from` at `to`; `nil` when there is no reception.
        public var there: Signal?
        /// The signal of `to` at `from`; `nil` when there is no reception.
        public var back: Signal?
        /// Frames of each ten thousand that are lost on the way, in either direction, whatever the signal is.
        public var lossPerTenThousand: UInt16

        public init(_ from: Int, _ to: Int, there: Signal?, back: Signal?, lossPerTenThousand: UInt16 = 0) {
            self.from = from
            self.to = to
            self.there = there
            self.back = back
            self.lossPerTenThousand = lossPerTenThousand
        }

        /// A link that is the same in both directions.
        public init(_ from: Int, _ to: Int, _ signal: Signal, lossPerTenThousand: UInt16 = 0) {
            self.init(from, to, there: signal, back: signal, lossPerTenThousand: lossPerTenThousand)
        }
    }

    /// Without spaces, as users type it: `grid:10x10`.
    public var name: String
    /// The nodes, in order.
    public var nodes: [Node]
    /// The links between the nodes.
    public var links: [Link]
    /// By which rule links follow from places; `nil` where they do not.
    package internal(set) var propagation: Propagation?

    public init(name: String, nodes: [Node] = [], links: [Link] = []) {
        self.name = name
        self.nodes = nodes
        self.links = links
    }

    /// The links of each node, as places in `links`.
    public var linksByNode: [[Int]] {
        var lists = [[Int]](repeating: [], count: nodes.count)
        for (index, link) in links.enumerated() {
            lists[link.from].append(index)
            lists[link.to].append(index)
        }
        return lists
    }

    /// True when each node can reach all others over links that work in both directions.
    public var isConnected: Bool { nodes.isEmpty || reached(from: 0).allSatisfy { $0 } }

    /// Returns for each node whether it is reached from a node over links that work in both directions.
    func reached(from start: Int) -> [Bool] {
        let lists = linksByNode
        var isReached = [Bool](repeating: false, count: nodes.count)
        isReached[start] = true
        var waiting = [start]
        while let node = waiting.popLast() {
            for index in lists[node] where links[index].there != nil && links[index].back != nil {
                let other = links[index].from == node ? links[index].to : links[index].from
                guard !isReached[other] else { continue }
                isReached[other] = true
                waiting.append(other)
            }
        }
        return isReached
    }
}

extension Signal {
    /// A clear link of published benchmarks: 8 dB above the noise, −80 dBm.
    public static let benchmark = Signal(snrHundredths: 800, rssiHundredths: -8000)
}
