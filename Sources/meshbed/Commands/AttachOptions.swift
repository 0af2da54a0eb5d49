import ArgumentParser
import MeshEmulator
import MeshSimulator
import MeshTime

/// Who is on the air of a world beside its own nodes: programs in place of nodes.
struct AttachOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long the program of an external node may take for one answer, by the clock, before the run ends. "
                + "Default: 10s.",
            valueName: "time"),
        transform: { try parseSpan($0) })
    var peerLimit: TimeSpan?

    func validate() throws {
        if let peerLimit, peerLimit <= .zero { throw ValidationError("--peer-limit takes a time greater than 0") }
    }

    /// The first of these options that was given, for those who do without.
    var given: String? { peerLimit == nil ? nil : "--peer-limit" }

    var peers: PeerDesk.Rules {
        var rules = PeerDesk.Rules()
        if let peerLimit { rules.answerLimit = peerLimit }
        return rules
    }

    /// The endpoints with one more for each external node of the world that has none.
    func endpoints(_ endpoints: [NodeEndpoint], in topology: Topology) -> [NodeEndpoint] {
        let missing = topology.externalNodes.filter { label in
            !endpoints.contains { $0.label == label }
        }
        return endpoints + missing.map { NodeEndpoint(label: $0, endpoint: .freePort, service: .external) }
    }
}
