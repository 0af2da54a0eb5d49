import MeshCapture
package import MeshFiles
import MeshSimulator
package import MeshTransports

/// The fault plan of the link between a node and its client.
package struct NodeLinkFaults: Hashable, Sendable {
    /// The node's name in its world.
    package let label: String
    /// The faults of its link.
    package let plan: LinkFaultPlan
    /// The longest file of plans, in bytes.
    package static let longestFile = 16 << 20

    package init(label: String, plan: LinkFaultPlan) {
        self.label = label
        self.plan = plan
    }
}

extension NodeLinkFaults {
    /// Reads the plans of a file: `{"links": [{"node": "alice", "faults": [...]}]}`.
    ///
    /// A file with `faults` alone, as requests have them, is of the only node that has an endpoint.
    package static func read(
        _ bytes: [UInt8], endpoints labels: [String]
    ) throws(FileProblem) -> [NodeLinkFaults] {
        let fields = try JSONFields(reading: bytes)
        try fields.allow(["links", "faults"])
        guard let links = try fields.list("links") else {
            guard fields.member("faults") != nil else { throw fields.missing("links") }
            guard labels.count == 1 else {
                throw fields.problem(
                    "faults",
                    "belongs to one of the links of \(labels.joined(separator: ", ")): put it into links, with its node"
                )
            }
            return [NodeLinkFaults(label: labels[0], plan: try LinkFaultPlan(fields))]
        }
        guard fields.member("faults") == nil else {
            throw fields.problem("faults", "excludes links: each link has faults of its own")
        }
        var read: [NodeLinkFaults] = []
        // Asked, never walked.
        var known = Set(labels)
        for (place, value) in links.enumerated() {
            let link = try JSONFields(value, at: "\(fields.path("links"))[\(place)]")
            try link.allow(["node", "faults"])
            let label = try link.needString("node")
            guard known.remove(label) != nil else {
                let shown = labels.prefix(20).joined(separator: ", ")
                throw link.problem(
                    "node", "there is no link of a node \"\(label)\" without a plan; there are links of \(shown)")
            }
            read.append(NodeLinkFaults(label: label, plan: try LinkFaultPlan(link)))
        }
        guard !read.isEmpty else { throw fields.problem("links", "has no link") }
        return read
    }
}

extension Emulator.Configuration {
    /// Refuses plans of nodes that have no client whose frames pass.
    func checkLinkFaults(in description: WorldDescription) throws(EmulatorError) {
        for faults in linkFaults {
            guard let node = description.nodes.first(where: { $0.label == faults.label }) else {
                throw .unknownNode(faults.label, known: description.nodes.map(\.label))
            }
            guard case .companion = node.role,
                let endpoint = endpoints.first(where: { $0.label == faults.label && $0.service == .node })
            else {
                throw .badLinkFaults(
                    label: faults.label, FileProblem(line: 0, reason: "it is no companion radio with an endpoint"))
            }
            let isModelled = link != .direct
            let shape = FaultyLink.Shape(
                over: isModelled ? .ble : RecordingLink(endpoint.endpoint), isLine: endpoint.endpoint.isLine,
                isModelled: isModelled)
            do { try shape.check(faults.plan) } catch { throw .badLinkFaults(label: faults.label, error) }
        }
    }
}
