package import MeshFiles
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWorlds

/// The way of a network into a world file, and back out of it.
extension ObservedNetwork {
    /// An ordinary world file, with what was observed beside each link.
    package func worldFile(_ parameters: TwinParameters) -> String {
        let radio = radio ?? LoRaParameters(codingRate: 8)
        var text = "{\n  \"format\": \"meshbed world 1\",\n  \"name\": \(quoted(name)),\n"
        if !about.isEmpty { text += "  \"about\": \(quoted(about)),\n" }
        text += """
              "radio": { "frequency_khz": \(radio.frequencyKilohertz), "bandwidth_hz": \(radio.bandwidthHertz), \
            "spreading_factor": \(radio.spreadingFactor), "coding_rate": \(radio.codingRate) },
              "repeater": { "flood_delay_factor": \(parameters[.floodDelay]) },
              "air": { "model": "field", "fading_db": \(parameters[.fading]) },
              "twin": \(parameters.json),
              "observers": [\(observers.map { quoted(nodes[$0].label) }.joined(separator: ", "))],
              "nodes": [

            """
        text += nodes.map(Self.line).joined(separator: ",\n") + "\n  ]"
        let links = LinkRule(parameters, spreadingFactor: radio.spreadingFactor).links(of: self)
        if !links.isEmpty {
            text += ",\n  \"links\": [\n" + links.map(line).joined(separator: ",\n") + "\n  ]"
        }
        return text + "\n}\n"
    }

    private static func line(_ node: Node) -> String {
        var members = ["\"name\": \(quoted(node.label))", "\"role\": \"\(node.role.rawValue)\""]
        if let place = node.place { members.append("\"x\": \(place.eastMetres), \"y\": \(place.northMetres)") }
        if !node.forwards, let role = node.role.serverRole {
            members.append("\"\(role.commandName)\": { \"forwards\": false, \"adverts_on_boot\": false }")
        }
        if let body = node.body { members.append("\"body\": \(body.json)") }
        return "    { " + members.joined(separator: ", ") + " }"
    }

    private func line(_ made: (link: Topology.Link, observation: LinkObservation)) -> String {
        // A direction that nobody decodes still is in the file: what was observed of it must not be lost.
        let quiet = "\"snr\": -32, \"rssi\": -152"
        func words(_ signal: Signal?) -> String? {
            signal.map { "\"snr\": \(Double($0.snrHundredths) / 100), \"rssi\": \(Double($0.rssiHundredths) / 100)" }
        }
        let link = made.link
        var members = ["\"from\": \(quoted(nodes[link.from].label))", "\"to\": \(quoted(nodes[link.to].label))"]
        members.append(words(link.there) ?? quiet)
        if link.lossPerTenThousand > 0 { members.append("\"loss\": \(Double(link.lossPerTenThousand) / 10_000)") }
        members.append("\"back\": " + (words(link.back).map { "{ \($0) }" } ?? "false"))
        members.append("\"observed\": \(made.observation.json)")
        return "    { " + members.joined(separator: ", ") + " }"
    }

    /// The network that a world file was made of. Links without `observed` count as seen once in each open direction.
    package init(world bytes: [UInt8], name: String) throws(FileProblem) {
        let content = try WorldFile.content(of: bytes, name: name, seed: Seed(1))
        let topology = content.plan.topology
        self.init(name: topology.name)
        let observers = Set(content.observers)
        for (index, node) in topology.nodes.enumerated() {
            var own = Node(node.label, node.role)
            own.isObserver = observers.contains(index)
            own.place = node.place
            own.body = content.plan.equipment[index].body
            own.forwards = !content.plan.equipment[index].setup.preferences.isForwardingDisabled
            nodes.append(own)
        }
        radio = content.plan.equipment.first?.board.radio
        guard !content.observations.isEmpty else {
            throw FileProblem(
                line: 0, field: "links", reason: "have no \"observed\": only a world of 'world import' can be fitted")
        }
        // Links of the file's list come last, in its order.
        let start = topology.links.count - (content.linkCount)
        for (number, observation) in content.observations.sorted(by: { $0.key < $1.key }) {
            guard !observation.isAssumed else { continue }
            let link = topology.links[start + number]
            links.append(Link(from: link.from, to: link.to, observation: observation))
        }
    }
}
