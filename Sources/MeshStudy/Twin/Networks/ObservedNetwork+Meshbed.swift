import MeshFiles
import MeshRadio
import MeshSimulator
import MeshWire
import MeshWorlds

/// `meshbed-network/1`: nodes by index, links with the number of paths in which they were seen.
extension ObservedNetwork {
    init(meshbedNetwork value: JSONText, name: String) throws(FileProblem) {
        let fields = try JSONFields(value, at: "")
        self.init(name: try fields.string("name") ?? name)
        let (radio, radioNote) = try Self.radio(fields)
        self.radio = radio
        if let radioNote { notes.append(radioNote) }
        var places: [Int: Int] = [:]
        var mute = 0
        var read = ImportedPlaces()
        guard let list = try fields.list("nodes"), !list.isEmpty else { throw fields.missing("nodes", "has no node") }
        for (number, value) in list.enumerated() {
            let fields = try JSONFields(value, at: "nodes[\(number)]")
            guard let index = try fields.integer("i", in: 0...WorldFile.mostNodes) else { throw fields.missing("i") }
            guard places.updateValue(number, forKey: index) == nil else {
                throw fields.problem("i", "\(index) is there twice")
            }
            let role = try fields.string("role") ?? "unknown"
            guard let known = Self.roles[role] else {
                throw fields.problem("role", "must be repeater, companion, room, sensor or unknown")
            }
            var node = Node("n\(index)", known)
            node.isObserver = try fields.bool("observer") ?? false
            node.forwards = role != "unknown"
            if !node.forwards { mute += 1 }
            node.place = read.metres(node.label, of: fields)
            nodes.append(node)
        }
        if mute > 0 { notes.append("\(mute) nodes of unknown role are repeaters that do not relay") }
        if let note = Globe.note(misplaced: read.misplaced) { notes.append(note) }
        try readLinks(fields, places)
    }

    private static let roles: [String: Topology.Role] = [
        "repeater": .repeater, "companion": .companion, "room": .roomServer, "sensor": .sensor, "unknown": .repeater,
    ]

    private mutating func readLinks(_ fields: JSONFields, _ places: [Int: Int]) throws(FileProblem) {
        var collector = LinkCollector()
        var foreign = 0
        for (number, value) in (try fields.list("links") ?? []).enumerated() {
            let fields = try JSONFields(value, at: "links[\(number)]")
            let from = try Self.node("from", fields, places)
            let to = try Self.node("to", fields, places)
            let counts = 0...1_000_000_000
            let paths = try fields.integer("n", in: counts) ?? 0
            let heard = try fields.integer("heard", in: counts) ?? 0
            let advert = try fields.integer("advert", in: counts) ?? 0
            let snr = try fields.number("snrMean", in: -32...32)
            let isPure = try fields.bool("snrPure") ?? false
            if snr != nil, !isPure { foreign += 1 }
            if try fields.bool("undirected") ?? false {
                collector.addUndirected(from, to, count: max(paths, advert))
            } else {
                collector.add(from, to, count: max(paths, heard), snr: isPure ? snr : nil)
            }
        }
        links = collector.links
        if foreign > 0 { notes.append("\(foreign) means of SNR hold foreign samples and are not used") }
    }

    private static func node(_ key: String, _ fields: JSONFields, _ places: [Int: Int]) throws(FileProblem) -> Int {
        guard let index = try fields.integer(key, in: 0...WorldFile.mostNodes) else { throw fields.missing(key) }
        guard let place = places[index] else { throw fields.problem(key, "there is no node \(index)") }
        return place
    }

    /// The radio and what was assumed of it.
    private static func radio(_ file: JSONFields) throws(FileProblem) -> (LoRaParameters?, String?) {
        guard let fields = try file.object("radio") else { return (nil, nil) }
        let text = try fields.string("codingRate") ?? "4/5"
        let isMostly8 = text.hasPrefix("4/8")
        let denominator = text.dropFirst(2).first.flatMap { UInt8(String($0)) } ?? 5
        let radio = LoRaParameters(
            frequencyKilohertz: UInt32(nearest: (try fields.number("frequencyMHz", in: 150...2500) ?? 869.618) * 1000),
            bandwidthHertz: UInt32(nearest: (try fields.number("bandwidthkHz", in: 7...500) ?? 62.5) * 1000),
            spreadingFactor: try fields.integer("spreadingFactor", in: LoRaParameters.spreadingFactorRange) ?? 8,
            codingRate: min(max(denominator, 5), 8))
        let note = text.count > 3 ? "all nodes have coding rate 4/\(isMostly8 ? 8 : denominator), of \"\(text)\"" : nil
        return (radio, note)
    }
}
