import MeshSimulator

/// The nodes that a share of a mesh begins with, while a firmware or a setting spreads.
enum ShareOrder: String, Hashable, Sendable, CaseIterable {
    /// All companions before the first of the others.
    case clients
    /// All repeaters, room servers and sensors before the first companion.
    case repeaters

    /// The places of a mesh's nodes in an order, 0 to 1.
    struct Places {
        private let order: ShareOrder
        /// The part of the nodes that come first.
        private let share: Double

        init(_ order: ShareOrder, in topology: Topology) {
            self.order = order
            let count = topology.nodes.count { Self.isFirst($0.role, order) }
            share = Double(count) / Double(max(topology.nodes.count, 1))
        }

        private static func isFirst(_ role: Topology.Role, _ order: ShareOrder) -> Bool {
            (role == .companion) == (order == .clients)
        }

        /// Returns the place of a node from its place among the nodes of its kind.
        func place(of role: Topology.Role, _ draw: Double) -> Double {
            Self.isFirst(role, order) ? draw * share : share + draw * (1 - share)
        }
    }
}
