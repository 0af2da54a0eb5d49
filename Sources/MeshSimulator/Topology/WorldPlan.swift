public import MeshFirmware
public import MeshTime

/// A mesh ready to be switched on: who is where, on which boards, and what people do.
public struct WorldPlan: Sendable {
    /// What a node runs on.
    public struct Equipment: Hashable, Sendable {
        public var board: BoardProfile
        public var quirks: QuirkSet

        public init(board: BoardProfile = .heltecV3, quirks: QuirkSet = .all) {
            self.board = board
            self.quirks = quirks
        }
    }

    public var topology: Topology
    /// One for each node of the topology.
    public var equipment: [Equipment]
    public var traffic: Traffic

    public init(_ topology: Topology, traffic: Traffic = Traffic(), equipment: Equipment = Equipment()) {
        self.topology = topology
        self.traffic = traffic
        self.equipment = [Equipment](repeating: equipment, count: topology.nodes.count)
    }

    /// Switches all nodes on, in their order: node 7 of the topology is node 7 of the world.
    public func world(seed: Seed, air: AirModel = AirModel(), traceCapacity: Int = 0) -> World {
        precondition(equipment.count == topology.nodes.count, "each node needs its equipment")
        var world = World(seed: seed, air: air, traceCapacity: traceCapacity)
        for (node, equipment) in zip(topology.nodes, equipment) {
            world.add(
                NodeDescription(node.label, node.role.nodeRole, board: equipment.board, quirks: equipment.quirks))
        }
        for link in topology.links {
            let from = NodeID(index: link.from)
            let to = NodeID(index: link.to)
            if let there = link.there { world.links[from, to] = there }
            if let back = link.back { world.links[to, from] = back }
        }
        return world
    }

    /// Bytes that a world of so many nodes and links takes at its busiest, on the safe side.
    public static func estimatedBytes(companions: Int, repeaters: Int, links: Int) -> Int {
        companions * 160_000 + repeaters * 40_000 + links * 64 + 20_000_000
    }

    /// What this plan takes.
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
        case .repeater: .repeater
        }
    }
}
