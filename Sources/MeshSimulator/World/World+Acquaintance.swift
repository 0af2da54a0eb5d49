import MeshFirmware
import MeshPacket
import MeshWire

/// Nodes that know each other from before the world began.
extension World {
    /// The time before its switch-on at which a node has sent the advert by which others know it, in seconds.
    ///
    /// So adverts that it sends later are newer, also when its clock begins anew.
    private static let acquaintedFor: UInt32 = 3600

    /// Lets the nodes at these places know each other; companion radios that have a memory of their own keep to it.
    mutating func introduce(_ places: [Int], fresh isFresh: [Bool]) {
        precondition(places.allSatisfy(isFresh.indices.contains), "nodes that are not there have met")
        let nodes = places.map(NodeID.init(index:))
        introduce(nodes, to: nodes.filter { isFresh[$0.index] && companion($0) != nil })
    }

    /// Lets companion radios know nodes as if they had received their adverts earlier, each by the shortest path
    /// over nodes that relay.
    ///
    /// - Parameters:
    ///   - nodes: the nodes that are known. Those that run in other programs are left out.
    ///   - learners: the companion radios among them that have no memory of their own.
    mutating func introduce(_ nodes: [NodeID], to learners: [NodeID]) {
        guard !learners.isEmpty else { return }
        for node in nodes {
            guard let firmware = firmware(node) else { continue }
            let time = board(of: node).clockAtPowerOn - Self.acquaintedFor
            let ways = relays(from: node)
            for learner in learners where learner != node {
                guard let advert = firmware.advert(at: time, path: ways[learner.index] ?? []) else { continue }
                withCompanion(learner) { $0.know(advert) }
            }
        }
        // What they have written to their flash comes out.
        for learner in learners { lookAtClock(learner.index) }
    }

    /// The relays on the shortest way from a node to each other one, as the hashes of a path; `nil` where none leads.
    private func relays(from start: NodeID) -> [[UInt8]?] {
        var ways = [[UInt8]?](repeating: nil, count: slots.count)
        ways[start.index] = []
        var ring = [start]
        while !ring.isEmpty {
            var next: [NodeID] = []
            for here in ring {
                var way = ways[here.index] ?? []
                if here != start {
                    guard let relay = infrastructure(here), !relay.server.preferences.isForwardingDisabled,
                        way.count < PacketLimits.path - 1
                    else { continue }
                    way += relay.publicKey.prefix(1)
                }
                for listener in links.listeners(of: here) where ways[listener.index] == nil {
                    ways[listener.index] = way
                    next.append(listener)
                }
            }
            ring = next
        }
        return ways
    }
}
