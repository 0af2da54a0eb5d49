import ArgumentParser
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports

/// Programs and real radios in place of a world's nodes.
struct AttachOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long the program of an external node may take for one answer, by the clock, before the run ends. "
                + "Default: 10s.",
            valueName: "time"),
        transform: { try parseSpan($0) })
    var peerLimit: TimeSpan?

    @Option(
        name: .customLong("antenna"),
        help: ArgumentHelp(
            "Put a real companion radio in the place of a node, where it passes packets between both airs; can be "
                + "repeated. RADIO is \(LinkAddress.radioForms).",
            valueName: "node=radio"),
        transform: { try AntennaPlace($0) })
    var antennas: [AntennaPlace] = []

    func validate() throws {
        if let peerLimit, peerLimit <= .zero { throw ValidationError("--peer-limit takes a time greater than 0") }
    }

    /// The first of these options that was given, for commands that do without them.
    var given: String? {
        if peerLimit != nil { return "--peer-limit" }
        return antennas.isEmpty ? nil : "--antenna"
    }

    /// Tells whether a real radio of this world is in the node's place.
    func hasAntenna(_ label: String) -> Bool { antennas.contains { $0.label == label } }

    var peers: PeerDesk.Rules {
        var rules = PeerDesk.Rules()
        if let peerLimit { rules.answerLimit = peerLimit }
        return rules
    }

    /// The endpoints with one more for each external node of the world that has none.
    func endpoints(_ endpoints: [NodeEndpoint], in topology: Topology) -> [NodeEndpoint] {
        let missing = topology.externalNodes.filter { label in
            !hasAntenna(label) && !endpoints.contains { $0.label == label }
        }
        return endpoints + missing.map { NodeEndpoint(label: $0, endpoint: .freePort, service: .external) }
    }
}
