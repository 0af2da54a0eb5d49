import MeshFiles
import MeshRadio
import MeshSimulator
import MeshWire
import MeshWorlds

/// Files that say where nodes are, and nothing of who hears whom.
extension ObservedNetwork {
    /// The nodes of the MeshCore map: `https://map.meshcore.dev/api/v1/nodes?binary=0&short=0`.
    init(meshCoreMap value: JSONText, name: String) throws(FileProblem) {
        let list: [JSONText]
        if case .array(let elements) = value.content {
            list = elements
        } else {
            list = try JSONFields(value, at: "").list("nodes") ?? []
        }
        self.init(name: name)
        var labels = NodeLabels()
        var degrees = ImportedPlaces()
        var radios: [LoRaParameters: Int] = [:]
        var (placeless, withoutRadio) = (0, 0)
        for (number, value) in list.enumerated() {
            let fields = try JSONFields(value, at: "nodes[\(number)]")
            let key = try fields.string("public_key") ?? ""
            let name = try fields.string("adv_name") ?? ""
            guard degrees.addDegrees(nodes.count, name.isEmpty ? key : name, of: fields, "adv_lat", "adv_lon") else {
                placeless += 1
                continue
            }
            let type = try fields.integer("type", in: 0...255) ?? 2
            let role: Topology.Role = [1: .companion, 3: .roomServer, 4: .sensor][type] ?? .repeater
            nodes.append(Node(labels.take(name, key: String(key.prefix(6))), role))
            do {
                if let radio = try Self.mapRadio(fields) { radios[radio, default: 0] += 1 }
            } catch {
                // Junk of one node, like a place that is none: the others' settings stand.
                withoutRadio += 1
            }
        }
        degrees.settle(&self)
        // Most of them, and among equals the one with the smallest numbers: no order of a dictionary decides.
        radio = radios.max { ($0.value, $1.key.order) < ($1.value, $0.key.order) }?.key
        placeless -= degrees.misplaced.count
        if placeless > 0 { notes.append("\(placeless) nodes left out, which do not say where they are") }
        if let note = Globe.note(misplaced: degrees.misplaced, isNodeLeftOut: true) { notes.append(note) }
        if withoutRadio > 0 { notes.append("\(withoutRadio) nodes have radio settings that no radio has") }
        if radios.count > 1 { notes.append("nodes have \(radios.count) radio settings: all get the most frequent one") }
        guard !nodes.isEmpty else { throw FileProblem(line: 0, reason: "has no node with a place") }
    }

    private static func mapRadio(_ fields: JSONFields) throws(FileProblem) -> LoRaParameters? {
        guard let radio = try fields.object("params") else { return nil }
        guard let frequency = try radio.number("freq", in: 150...2500),
            let bandwidth = try radio.number("bw", in: 7...500),
            let factor = try radio.integer("sf", in: UInt8(5)...12)
        else { return nil }
        return LoRaParameters(
            frequencyKilohertz: UInt32(nearest: frequency * 1000),
            bandwidthHertz: UInt32(nearest: bandwidth * 1000), spreadingFactor: factor,
            codingRate: try radio.integer("cr", in: UInt8(5)...8) ?? 5)
    }

    /// A scenario that MeshBench saved.
    init(meshBench value: JSONText, name: String) throws(FileProblem) {
        let fields = try JSONFields(value, at: "")
        self.init(name: try fields.string("name") ?? name)
        var labels = NodeLabels()
        var degrees = ImportedPlaces()
        for (number, value) in (try fields.list("nodes") ?? []).enumerated() {
            let fields = try JSONFields(value, at: "nodes[\(number)]")
            let kind = try fields.string("Kind") ?? "simple-repeater"
            let role: Topology.Role =
                kind.contains("companion")
                ? .companion
                : kind.contains("room") ? .roomServer : kind.contains("sensor") ? .sensor : .repeater
            let key = try fields.string("PublicKey") ?? ""
            let node = Node(labels.take(try fields.string("Name") ?? "", key: String(key.prefix(6))), role)
            if let position = try fields.object("Position") {
                _ = degrees.addDegrees(nodes.count, node.label, of: position, "Lat", "Lon")
            }
            nodes.append(node)
            if radio == nil, let own = try fields.object("Radio") { radio = try Self.benchRadio(own) }
        }
        degrees.settle(&self)
        guard !nodes.isEmpty else { throw FileProblem(line: 0, reason: "has no node") }
        if let note = Globe.note(misplaced: degrees.misplaced) { notes.append(note) }
        notes += [
            "all nodes have the radio settings of the first one",
            "antennas, heights, terrain, regions, sends and assertions of MeshBench are not taken over",
        ]
    }

    private static func benchRadio(_ fields: JSONFields) throws(FileProblem) -> LoRaParameters? {
        guard let hertz = try fields.number("CentreHz", in: 150e6...2500e6),
            let bandwidth = try fields.number("BandwidthHz", in: 7000...500_000),
            let factor = try fields.integer("SpreadFactor", in: UInt8(5)...12)
        else { return nil }
        // 1 to 4, as the chip counts them: 4/5 to 4/8.
        let rate = try fields.integer("CodingRate", in: UInt8(1)...8) ?? 1
        return LoRaParameters(
            frequencyKilohertz: UInt32(nearest: hertz / 1000), bandwidthHertz: UInt32(nearest: bandwidth),
            spreadingFactor: factor, codingRate: rate < 5 ? rate + 4 : rate)
    }
}

extension LoRaParameters {
    fileprivate var order: UInt64 {
        UInt64(frequencyKilohertz) << 32 | UInt64(bandwidthHertz) << 8 | UInt64(spreadingFactor) << 4
            | UInt64(codingRate)
    }
}
