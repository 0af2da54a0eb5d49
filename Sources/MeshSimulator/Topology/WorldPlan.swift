public import MeshCompanion
public import MeshFirmware
public import MeshTime
package import MeshWire

/// A mesh ready to be switched on: nodes with places and boards, and the traffic of people.
public struct WorldPlan: Sendable {
    /// The equipment that a node runs on.
    public struct Equipment: Hashable, Sendable {
        /// The board that it was built for.
        public var board: BoardProfile
        /// The firmware's quirks that it has.
        public var quirks: QuirkSet
        /// The initial settings of an infrastructure node; they are ignored when they are for another role than the
        /// node's.
        ///
        /// Companion radios have no use for them.
        public var setup: ServerSetup
        /// The place that a companion radio has from its owner, and shares in its adverts.
        package var place: GeoPoint?

        /// The body of the node; what its board has when `nil`.
        public var body: NodeBody?

        /// The interfaces that a companion radio has at once, by their numbers; empty for the one its client needs.
        package var interfaces: [AppLink] = []

        /// A board, with a repeater's factory settings unless others are given.
        public init(board: BoardProfile = .heltecV3, quirks: QuirkSet = .all, setup: ServerSetup? = nil) {
            self.board = board
            self.quirks = quirks
            self.setup = setup ?? ServerSetup(.repeater, board: board)
        }
    }

    /// The nodes and the links between them.
    public var topology: Topology
    /// One for each node of the topology.
    public var equipment: [Equipment]
    /// The messages that people send, and their times.
    public var traffic: Traffic
    /// True when nodes are named after their labels, infrastructure nodes in spite of their settings.
    public var isNamingByLabel = true
    /// The faults of the run; nodes are places in the topology.
    public var faults: [Fault] = []
    /// Nodes that know each other from before the world began, as places in the topology.
    public var met: [Int] = []
    /// Repeaters that are joined beside the radio; nodes are places in the topology.
    public var bridges: [WorldBridge] = []
    /// By which numbers frames meet.
    public var air = AirModel()

    public init(_ topology: Topology, traffic: Traffic = Traffic(), equipment: Equipment = Equipment()) {
        self.topology = topology
        self.traffic = traffic
        self.equipment = topology.nodes.map { equipment.fit(for: $0.role) }
    }

    /// The world with all its nodes: node 7 of the topology is node 7 of the world.
    ///
    /// They were switched on one by one before it began (`World.switchingOn`).
    public func world(seed: Seed, traceCapacity: Int = 0) -> World {
        precondition(equipment.count == topology.nodes.count, "each node needs its equipment")
        var world = World(seed: seed, air: air, traceCapacity: traceCapacity)
        world.reserve(nodes: topology.nodes.count)
        for index in topology.nodes.indices {
            var description = node(at: index)
            if topology.nodes.count > 1 { description.poweredFor = world.poweredFor(description.label) }
            world.add(description)
        }
        for link in topology.links {
            let from = NodeID(index: link.from)
            let to = NodeID(index: link.to)
            let loss = link.lossPerTenThousand
            world.links[link: from, to] = link.there.map { AirLink($0, lossPerTenThousand: loss) }
            world.links[link: to, from] = link.back.map { AirLink($0, lossPerTenThousand: loss) }
        }
        for bridge in bridges { world.join(bridge) }
        for fault in faults { world.schedule(fault) }
        world.introduce(met, fresh: [Bool](repeating: true, count: topology.nodes.count))
        return world
    }

    /// A node as it is switched on.
    package func node(at index: Int) -> NodeDescription {
        let node = topology.nodes[index]
        let equipment = equipment[index]
        var setup = equipment.fit(for: node.role).setup
        if isNamingByLabel { setup.preferences.name = ByteText(node.label).prefix(31) }
        var description = NodeDescription(
            node.label, node.role.nodeRole, board: equipment.board, quirks: equipment.quirks,
            setup: node.role.serverRole == nil ? nil : setup)
        if isNamingByLabel { description.name = ByteText(node.label).prefix(31) }
        description.place = equipment.place
        description.body = equipment.body
        if node.role == .companion, let first = equipment.interfaces.first {
            description.role = .companion(first)
            description.furtherLinks = Array(equipment.interfaces.dropFirst())
        }
        return description
    }

    /// Returns the bytes that a world of so many nodes and links needs at its busiest, on the safe side.
    ///
    /// A repeater that has relayed for an hour has 7 kB, and 20 kB with its tables and its packet pool full. Companions
    /// of a town that texted and adverted for an hour had 250 kB each, apps included: contacts, their file, and
    /// messages.
    public static func estimatedBytes(companions: Int, repeaters: Int, links: Int) -> Int {
        companions * 300_000 + repeaters * 20_000 + links * 64 + 30_000_000
    }

    /// Has all nodes run a version of the firmware, with its factory settings where theirs were those of their own.
    public mutating func run(_ version: FirmwareVersion) {
        for index in equipment.indices { run(version, at: index) }
    }

    /// The same for one node.
    package mutating func run(_ version: FirmwareVersion, at index: Int) {
        var description = node(at: index)
        description.run(version)
        equipment[index].board = description.board
        if let setup = description.setup { equipment[index].setup = setup }
    }

    /// Keeps all infrastructure nodes from sending adverts of their own accord.
    public mutating func silenceAdverts() {
        for index in equipment.indices {
            equipment[index].setup.silenceAdverts()
        }
    }

    /// The estimated memory of this plan's world, in bytes.
    public var estimatedBytes: Int {
        let companions = topology.nodes.count { $0.role == .companion }
        return Self.estimatedBytes(
            companions: companions, repeaters: topology.nodes.count - companions, links: topology.links.count)
    }
}

extension Topology.Role {
    var nodeRole: NodeRole {
        switch self {
        case .companion: .companion(.wifi)
        case .server(let role): .server(role)
        case .external: .external
        }
    }
}

extension WorldPlan.Equipment {
    /// The same for a node of this role: with factory settings when these are another role's.
    func fit(for role: Topology.Role) -> Self {
        guard let server = role.serverRole, server != setup.role else { return self }
        var equipment = self
        equipment.setup = ServerSetup(server, board: board)
        return equipment
    }
}
