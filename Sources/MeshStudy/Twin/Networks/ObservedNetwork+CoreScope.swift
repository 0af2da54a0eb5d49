import MeshFiles
import MeshSimulator
import MeshWire
import MeshWorlds

/// CoreScope's server: `/api/nodes`, `/api/observers`, `/api/analytics/neighbor-graph`, `/api/analytics/topology`.
extension ObservedNetwork {
    init(coreScope values: [JSONText], name: String) throws(FileProblem) {
        var reader = CoreScopeReader(name: name)
        for value in values { try reader.readNodes(value) }
        for value in values { try reader.readLinks(value) }
        self = reader.finish()
        guard !nodes.isEmpty else {
            throw FileProblem(line: 0, reason: "has no node; CoreScope's nodes are in /api/nodes")
        }
    }
}

private struct CoreScopeReader {
    private var network: ObservedNetwork
    private var labels = NodeLabels()
    /// Indices of nodes, by public key in lower case.
    private var places: [String: Int] = [:]
    private var degrees = ImportedPlaces()
    private var collector = LinkCollector()
    private var ambiguous = 0
    private var strangers = 0
    private var meansOfSNR = 0

    init(name: String) { network = ObservedNetwork(name: name) }

    private static let roles: [String: Topology.Role] = [
        "repeater": .repeater, "companion": .companion, "client": .companion, "room": .roomServer,
        "room_server": .roomServer, "sensor": .sensor,
    ]

    mutating func readNodes(_ value: JSONText) throws(FileProblem) {
        if case .array(let list) = value.content { return try readNodes(list, "") }
        let fields = try JSONFields(value, at: "")
        try readNodes(try fields.list("nodes") ?? [], "nodes")
        for (number, value) in (try fields.list("observers") ?? []).enumerated() {
            let fields = try JSONFields(value, at: "observers[\(number)]")
            guard let key = try fields.string("id")?.lowercased(), !key.isEmpty else { throw fields.missing("id") }
            let isNew = places[key] == nil
            let place = node(key, try fields.string("name") ?? "")
            network.nodes[place].isObserver = true
            // An observer that is no node of the list has never sent an advert.
            if isNew { network.nodes[place].forwards = false }
        }
    }

    private mutating func readNodes(_ list: [JSONText], _ path: String) throws(FileProblem) {
        for (number, value) in list.enumerated() {
            let fields = try JSONFields(value, at: "\(path)[\(number)]")
            let short = try fields.string("pubkey")
            guard let key = try fields.string("public_key") ?? short, !key.isEmpty else {
                throw fields.missing("public_key")
            }
            let place = node(key.lowercased(), try fields.string("name") ?? "")
            network.nodes[place].forwards = true
            if let role = Self.roles[try fields.string("role") ?? ""] { network.nodes[place].role = role }
            _ = degrees.addDegrees(place, network.nodes[place].label, of: fields, "lat", "lon")
        }
    }

    private mutating func node(_ key: String, _ name: String) -> Int {
        if let place = places[key] { return place }
        places[key] = network.nodes.count
        network.nodes.append(ObservedNetwork.Node(labels.take(name, key: String(key.prefix(6))), .repeater))
        return network.nodes.count - 1
    }

    mutating func readLinks(_ value: JSONText) throws(FileProblem) {
        guard case .object = value.content else { return }
        let fields = try JSONFields(value, at: "")
        for (number, value) in (try fields.list("edges") ?? []).enumerated() {
            let edge = try JSONFields(value, at: "edges[\(number)]")
            try readLink(edge, "source", "target", "weight")
        }
        for (number, value) in (try fields.list("topPairs") ?? []).enumerated() {
            let pair = try JSONFields(value, at: "topPairs[\(number)]")
            try readLink(pair, "pubkeyA", "pubkeyB", "count")
        }
    }

    private mutating func readLink(
        _ fields: JSONFields, _ one: String, _ other: String, _ weight: String
    ) throws(FileProblem) {
        let count = Int(wholePart: try fields.number(weight, in: 0...1e9) ?? 0)
        if fields.member("avg_snr") != nil { meansOfSNR += 1 }
        if try fields.bool("ambiguous") ?? false {
            ambiguous += 1
        } else if let from = places[try fields.string(one)?.lowercased() ?? ""],
            let to = places[try fields.string(other)?.lowercased() ?? ""]
        {
            collector.addUndirected(from, to, count: count)
        } else {
            strangers += 1
        }
    }

    mutating func finish() -> ObservedNetwork {
        degrees.settle(&network)
        if let note = Globe.note(misplaced: degrees.misplaced) { network.notes.append(note) }
        network.links = collector.links
        if !network.links.isEmpty { network.notes.append("links of CoreScope have no direction: both are open") }
        if ambiguous > 0 { network.notes.append("\(ambiguous) ambiguous links are left out") }
        if strangers > 0 { network.notes.append("\(strangers) links are left out, of which an end is unknown") }
        if meansOfSNR > 0 {
            network.notes.append("means of SNR are not used: CoreScope adds those of other links to them")
        }
        return network
    }
}
