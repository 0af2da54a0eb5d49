import MeshFiles
import MeshFirmware
import MeshSimulator

/// The bridges of a world file: which repeaters are joined beside the radio, and how.
///
/// The nodes have a build with that bridge, whose settings are those of the console.
struct BridgeFields {
    /// The most bridges of a file.
    private static let most = 10_000
    /// The most ends of a bridge without a wire.
    private static let mostEnds = 64

    private struct Entry {
        let labels: [String]
        let kind: BridgeKind
        let path: String
        let line: Int
    }

    private var entries: [Entry] = []
    /// The bridge of each node that has one; asked, never walked.
    private var kinds: [String: BridgeKind] = [:]

    init(_ file: JSONFields) throws(FileProblem) {
        let list = try file.list("bridges") ?? []
        guard list.count <= Self.most else { throw file.problem("bridges", "are more than \(Self.most)") }
        for (index, value) in list.enumerated() {
            let fields = try JSONFields(value, at: "bridges[\(index)]")
            try fields.allow(["kind", "between", "about"])
            let word = try fields.needString("kind")
            guard let kind = BridgeKind(rawValue: word), kind != .none else {
                throw fields.problem("kind", "must be \"rs232\" or \"espnow\"")
            }
            let labels = try labels(fields, kind)
            for label in labels {
                guard kinds.updateValue(kind, forKey: label) == nil else {
                    throw fields.problem("between", "\"\(label)\" has a bridge already: a board has one")
                }
            }
            entries.append(Entry(labels: labels, kind: kind, path: fields.path("between"), line: fields.line))
        }
    }

    private func labels(_ fields: JSONFields, _ kind: BridgeKind) throws(FileProblem) -> [String] {
        var labels: [String] = []
        for (index, value) in (try fields.list("between") ?? []).enumerated() {
            guard case .string(let label) = value.content else {
                throw FileProblem(
                    line: value.line, field: "\(fields.path("between"))[\(index)]", reason: "must be the name of a node"
                )
            }
            labels.append(label)
        }
        let most = kind == .rs232 ? 2 : Self.mostEnds
        guard (2...most).contains(labels.count) else {
            let ends = kind == .rs232 ? "two nodes" : "2 to \(most) nodes"
            throw fields.problem("between", "must be \(ends), this has \(labels.count)")
        }
        return labels
    }

    /// The bridge of a node's build.
    func kind(of label: String) -> BridgeKind { kinds[label] ?? .none }

    /// The bridges of a world whose nodes are known.
    func bridges(_ plan: WorldPlan, places: [String: Int]) throws(FileProblem) -> [WorldBridge] {
        var bridges: [WorldBridge] = []
        for entry in entries {
            var nodes: [Int] = []
            for label in entry.labels {
                func problem(_ reason: String) -> FileProblem {
                    FileProblem(line: entry.line, field: entry.path, reason: reason)
                }
                guard let node = places[label] else { throw problem("there is no node \"\(label)\"") }
                guard plan.topology.nodes[node].role == .server(.repeater) else {
                    throw problem("\"\(label)\" is no repeater: only these have a build with a bridge")
                }
                guard entry.kind != .espNow || plan.equipment[node].board.platform == .esp32 else {
                    throw problem("\"\(label)\" has no ESP32, and so no ESP-NOW")
                }
                nodes.append(node)
            }
            bridges.append(WorldBridge(nodes, kind: entry.kind))
        }
        return bridges
    }
}
