import MeshFirmware
import MeshSimulator
import MeshTransports

/// Interfaces of nodes that endpoints have: each endpoint of a node has another one.
struct EndpointInterfaces {
    private var taken: [String: Set<Int>] = [:]

    /// Tells whether a node has an endpoint already.
    func holds(_ label: String) -> Bool { taken[label] != nil }

    /// Takes the first free interface that an endpoint can have, and returns its number; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - links: those of the node by number; of one alone the kind does not matter.
    ///   - isModelled: whether the endpoint's clients come over a modelled Bluetooth link.
    mutating func take(_ endpoint: NodeEndpoint, of links: [AppLink], isModelled: Bool) -> Int? {
        let others = taken[endpoint.label] ?? []
        let number: Int?
        if links.count > 1 {
            number = links.indices.first { number in
                guard !others.contains(number) else { return false }
                return isModelled ? links[number] == .bluetooth : endpoint.kinds.contains(links[number])
            }
        } else {
            number = others.isEmpty ? 0 : nil
        }
        if let number { taken[endpoint.label, default: []].insert(number) }
        return number
    }

    /// Gives a node of a world that is being made the interface that an endpoint needs, and takes it.
    ///
    /// - Parameter isGiven: whether the world says which interfaces the node has.
    mutating func connect(
        _ endpoint: NodeEndpoint, to node: inout NodeDescription, over link: LoopbackLink, isGiven: Bool
    ) throws(EmulatorError) {
        let isFurther = holds(endpoint.label)
        if isFurther {
            guard case .companion = node.role, endpoint.service == .node, node.board.hasSeveralInterfaces else {
                throw .secondEndpoint(label: endpoint.label)
            }
            let further = endpoint.kinds.first { !node.links.contains($0) }
            if !isGiven, let further { node.furtherLinks.append(further) }
        } else {
            if !isGiven { node.connect(endpoint) }
            try link.connect(&node, at: endpoint)
        }
        guard take(endpoint, of: node.links, isModelled: !isFurther && link != .direct) != nil else {
            throw .noInterface(
                label: endpoint.label, endpoint: endpoint.place, has: node.links.compactMap(\.interfaceName))
        }
    }
}

extension NodeEndpoint {
    /// Links that clients of the address can use, the usual one first.
    fileprivate var kinds: [AppLink] {
        switch endpoint {
        case .tcp: [.wifi, .ethernet]
        case .pty, .serial, .remote: [.serial]
        case .controller, .bluetooth: [.bluetooth]
        }
    }
}
