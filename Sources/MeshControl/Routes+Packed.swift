import MeshEmulator
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

// What happens in a form that a browser shows without reading a line of text for each event.
extension ControlAPI {
    /// Events in one piece at most: what a page asks for again and again stays small.
    static let mostPacked = 65_536

    /// A piece of the run's events, as a player document.
    func packedTrace(_ call: WebCall) async throws -> WebAnswer {
        try call.checkQuery("after", "limit", "world")
        let after = try call.number("after", in: 0...Int(Int32.max), else: 0)
        let limit = try call.number("limit", in: 0...Self.mostPacked, else: Self.mostPacked)
        let hasWorld = try call.number("world", in: 0...1, else: 1) == 1
        // The world is left alone while its events are packed: only what cannot change meanwhile is taken out of it.
        let (log, topology, generation, seed, now) = try await emulator.look { driver in
            (
                driver.log ?? HappeningLog(), hasWorld ? driver.topologyNow : nil, driver.restores,
                driver.world.seed, driver.world.now
            )
        }
        var document = PlayerDocument(
            title: world, world: topology.map { PlayerWorld($0) } ?? PlayerWorld(), log: log, from: after,
            atMost: limit, generation: generation)
        document.span = now - .start
        document.facts = [.init("World", world), .init("Seed", "\(seed.value)")]
        return WebAnswer(type: "application/octet-stream", body: .whole(document.packed))
    }
}

extension WorldDriver {
    /// The nodes and links at this moment.
    fileprivate var topologyNow: Topology {
        let planned = people?.topology ?? Topology(name: "")
        var now = Topology(name: planned.name)
        for node in world.nodes {
            let known = planned.nodes.indices.contains(node.index) ? planned.nodes[node.index] : nil
            var place = known?.place
            if let position = world.position(of: node) {
                place = Place(
                    eastMetres: Int32(wholePart: position.east),
                    northMetres: Int32(wholePart: position.north))
            }
            now.nodes.append(Topology.Node(world.label(of: node), known?.role ?? .companion, at: place))
        }
        for node in world.nodes {
            for listener in world.links.listeners(of: node) {
                let there = world.links[link: node, listener]?.signal
                let back = world.links[link: listener, node]?.signal
                // Both ways are one link, told by the node that comes first.
                guard node.index < listener.index || back == nil else { continue }
                now.links.append(Topology.Link(node.index, listener.index, there: there, back: back))
            }
        }
        return now
    }
}
