import MeshFirmware
package import MeshWire

extension WorldDescription {
    /// The same world for runs on virtual time: nodes, settings, names and links are these.
    ///
    /// For worlds of firmware nodes whose links are all stated.
    public var plan: WorldPlan {
        precondition(propagation == nil, "a plan has its links stated")
        let labels = nodes.map(\.label)
        var topology = Topology(name: name, nodes: nodes.map { Topology.Node($0.label, $0.role.inTopology) })
        lay(&topology)
        topology.links = links.map { link in
            guard let from = labels.firstIndex(of: link.between), let to = labels.firstIndex(of: link.and) else {
                preconditionFailure("a link of \(name) leads to a node that is not there")
            }
            return Topology.Link(
                from, to, there: link.signal, back: link.isOneWay ? nil : link.back ?? link.signal,
                lossPerTenThousand: link.lossPerTenThousand)
        }
        var plan = WorldPlan(topology)
        plan.isNamingByLabel = false
        plan.faults = faults
        plan.met = met
        plan.bridges = bridges
        plan.air = air
        plan.equipment = nodes.map { node in
            var equipment = WorldPlan.Equipment(board: node.board, quirks: node.quirks, setup: node.setup).fit(
                for: node.role.inTopology)
            equipment.place = node.place
            equipment.body = node.body
            if !node.furtherLinks.isEmpty { equipment.interfaces = node.links }
            return equipment
        }
        return plan
    }

    /// Gives the nodes their places on the map, where all of them state one.
    private func lay(_ topology: inout Topology) {
        let points = nodes.compactMap(\.statedPlace)
        guard points.count == nodes.count, let bounds = GeoBounds(points) else { return }
        for (index, point) in points.enumerated() {
            let (east, north) = bounds.metres(to: point)
            topology.nodes[index].place = Place(eastMetres: Int32(nearest: east), northMetres: Int32(nearest: north))
        }
    }
}

extension NodeDescription {
    /// The place that the node states in its adverts: its owner's, or that of an infrastructure node's settings.
    package var statedPlace: GeoPoint? {
        place ?? setup.flatMap { GeoPoint(stated: $0.preferences.latitude, $0.preferences.longitude) }
    }
}

extension WorldPlan {
    /// The same world for runs with clients: `World` makes the same from it as `world(seed:)` from the plan.
    ///
    /// Traffic is not part of a description.
    public var description: WorldDescription {
        let labels = topology.nodes.map(\.label)
        var description = WorldDescription(
            name: topology.name, summary: summary, nodes: topology.nodes.indices.map(node(at:)))
        for link in topology.links {
            let (from, to) = (labels[link.from], labels[link.to])
            let isOneWay = link.there == nil || link.back == nil
            guard let signal = link.there ?? link.back else { continue }
            var described = WorldDescription.Link(
                link.there == nil ? to : from, link.there == nil ? from : to, signal: signal,
                back: isOneWay ? nil : link.back, lossPerTenThousand: link.lossPerTenThousand)
            described.isOneWay = isOneWay
            description.links.append(described)
        }
        description.faults = faults
        description.met = met
        description.bridges = bridges
        description.air = air
        return description
    }

    /// The numbers of nodes by role and of links, in one line.
    private var summary: String {
        Topology.Role.allCases.compactMap { role in
            let count = topology.nodes.count { $0.role == role }
            return count == 0 ? nil : count.counted(role.words)
        }.joined(separator: ", ") + ", \(topology.links.count) links"
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
