import MeshFirmware

extension WorldDescription {
    /// The same world for runs on virtual time: nodes, settings, names and links are these.
    ///
    /// For worlds of firmware nodes whose links are all stated.
    public var plan: WorldPlan {
        precondition(propagation == nil, "a plan has its links stated")
        let labels = nodes.map(\.label)
        var topology = Topology(name: name, nodes: nodes.map { Topology.Node($0.label, $0.role.inTopology) })
        topology.links = links.map { link in
            guard let from = labels.firstIndex(of: link.between), let to = labels.firstIndex(of: link.and) else {
                preconditionFailure("a link of \(name) leads to a node that is not there")
            }
            return Topology.Link(
                from, to, there: link.signal, back: link.back ?? link.signal,
                lossPerTenThousand: link.lossPerTenThousand)
        }
        var plan = WorldPlan(topology)
        plan.isNamingByLabel = false
        plan.equipment = nodes.map { node in
            WorldPlan.Equipment(board: node.board, quirks: node.quirks, setup: node.setup).fit(
                for: node.role.inTopology)
        }
        return plan
    }
}

extension NodeRole {
    fileprivate var inTopology: Topology.Role {
        switch self {
        case .companion: .companion
        case .server(let role): .server(role)
        case .guest: preconditionFailure("a guest has no place in a topology")
        }
    }
}
