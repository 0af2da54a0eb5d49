public import MeshFiles
import MeshFirmware
package import MeshPacket
package import MeshRecords
public import MeshSimulator
public import MeshTime
import MeshWire

/// Makes a world of adverts that were heard: packets in hex, cards, console lines, or JSON records, a line each.
///
/// The newest advert of a key counts. Nodes get the role that they advertise, at factory settings; one without a role
/// becomes a companion. Links are made from the places, so a node without one is left out.
public struct AdvertFile: Sendable {
    /// The world that was made from the adverts.
    public let plan: WorldPlan
    /// Adverts with a valid signature.
    public let adverts: Int
    /// Packets that are no adverts, or whose signature is wrong.
    public let others: Int
    /// Nodes left out because no advert of theirs says where they are.
    public let placeless: Int
    /// Names of nodes left out because the coordinates in their adverts are no place, in the order of the file.
    public let misplaced: [String]
    /// The lines and records without a packet that could be read, a sentence for each reason.
    public let leftOut: [String]

    /// Makes a world of a file of adverts. Throws for a file without a packet, one that is too long, and one without a
    /// place.
    public init(_ bytes: [UInt8], name: String, seed: Seed) throws(FileProblem) {
        try self.init(RecordFile(bytes), name: name, seed: seed)
    }

    package init(_ file: RecordFile, name: String, seed: Seed) throws(FileProblem) {
        var heard = HeardAdverts()
        others = file.packets.count { heard.take($0) == nil }
        let nodes = heard.nodes
        let placed = nodes.filter { $0.point != nil }
        leftOut = file.leftOut.rows.map(\.description)
        guard !placed.isEmpty else {
            let also = leftOut.first.map { "; also left out: \($0)" } ?? ""
            throw FileProblem(line: 0, reason: "has no advert with a valid signature and a place\(also)")
        }
        plan = WorldPlan(Self.topology(placed, name: name, seed: seed))
        adverts = heard.adverts
        misplaced = nodes.filter { $0.point == nil && $0.states != nil }.map(\.title)
        placeless = nodes.count - placed.count - misplaced.count
    }

    /// Tells whether a file looks like one of adverts: the first line with anything in it has a packet.
    public static func looksLikeOne(_ bytes: [UInt8]) -> Bool { RecordFile.looksLikeOne(bytes) }

    /// The result and everything that was left out, for people.
    package var notes: [String] {
        var notes = ["\(plan.topology.nodes.count) nodes from \(adverts) adverts"]
        if placeless > 0 { notes.append("\(placeless) nodes left out, which do not say where they are") }
        if let note = Globe.note(misplaced: misplaced, isNodeLeftOut: true) { notes.append(note) }
        if others > 0 { notes.append("\(others) packets that are no valid adverts") }
        return notes + leftOut.map { "left out: \($0)" }
    }

    private static func topology(_ nodes: [HeardAdverts.Node], name: String, seed: Seed) -> Topology {
        var topology = Topology(name: name)
        var globe = Globe()
        var labels = NodeLabels()
        for (index, node) in nodes.enumerated() {
            let label = labels.take(node.data.name.string, key: node.key.prefix(3).hex)
            topology.nodes.append(Topology.Node(label, Topology.Role(advertised: node.data.nodeType)))
            if let point = node.point { globe.add(index, point) }
        }
        globe.settle { topology.nodes[$0].place = $1 }
        topology.link(seed: seed)
        return topology
    }
}

extension Topology.Role {
    /// The role that an advert names; a companion where it names none that is known.
    package init(advertised type: NodeType) {
        let server = ServerRole.allCases.first { $0.nodeType == type }
        self = Self.allCases.first { $0.serverRole == server } ?? .companion
    }
}
