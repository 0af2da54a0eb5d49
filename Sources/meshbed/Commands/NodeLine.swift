import FoundationEssentials
import MeshCore
import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshTransports
import MeshWire
import PocketMeshServices

/// One node in the list that `meshbed emulate` prints.
struct NodeLine: Sendable {
    let columns: [String]
    let label: String
    /// `companion`, `modem`, `external`, `antenna`, or what an infrastructure node answers to `get role`; empty for a
    /// guest.
    let role: String
    /// The public key in hex.
    let publicKey: String
    /// The addresses for the node's clients, one at each interface; none for a node without an endpoint.
    let endpoints: [String]
    /// The link by which others add a companion radio; `nil` for other nodes.
    let contact: ContactLink?

    init(_ node: NodeID, in world: World, endpoints: [NodeEndpoint]) {
        let label = world.label(of: node)
        var columns = [label]
        let places = endpoints.filter { $0.label == label }.map(\.place)
        let place = places.isEmpty ? nil : places.joined(separator: ", ")
        self.label = label
        self.endpoints = places
        contact = world.companion(node).map {
            ContactLink(name: $0.name.readable, publicKey: Data($0.publicKey.array))
        }
        if let companion = world.companion(node) {
            (role, publicKey) = ("companion", companion.publicKey.hex)
            columns += ["companion radio", companion.name.description, companion.publicKey.prefix(6).hex]
            columns.append(place ?? "no endpoint")
        } else if let node = world.infrastructure(node) {
            (role, publicKey) = (node.server.role.commandName, node.publicKey.hex)
            columns += [node.server.role.title.lowercased(), node.server.preferences.name.description]
            columns += [node.publicKey.prefix(6).hex, place.map { "\($0) (console)" } ?? ""]
        } else if let modem = world.modem(node) {
            (role, publicKey) = ("modem", modem.publicKey.hex)
            columns += ["modem", modem.board.model, modem.publicKey.prefix(6).hex, place ?? ""]
        } else if let antenna = world.guest(node) as? AntennaNode {
            (role, publicKey) = ("antenna", "")
            columns += ["antenna", "", "", antenna.address]
        } else {
            // Whose keys are its program's business.
            role = endpoints.first { $0.label == label }?.service == .external ? "external" : ""
            publicKey = ""
            columns += [role, "", "", place ?? ""]
        }
        self.columns = columns
    }

    /// The lines under a heading, in columns.
    static func table(_ lines: [NodeLine]) -> [String] {
        TextTable.lines(["node", "role", "name", "public key", "endpoint"], lines.map(\.columns))
    }
}

extension [NodeLine] {
    /// The companion radios that a phone can reach at one of these endpoints.
    func reached(at endpoints: [NodeEndpoint]) -> [NodeLine] {
        filter { node in
            node.contact != nil
                && endpoints.contains { $0.label == node.label && $0.endpoint.isReachableFromElsewhere }
        }
    }
}

/// The object that `--ready-json` prints in one line.
struct ReadyLine: Encodable {
    struct Node: Encodable {
        let name: String
        let role: String
        let publicKey: String
        /// The first address for the node's clients; absent without an endpoint.
        let endpoint: String?
        /// All of them; absent where there is one or none.
        let endpoints: [String]?
    }

    let provenance: Provenance
    let nodes: [Node]
    /// The address of the control API; absent where there is none.
    let control: String?
    /// The token that requests carry there; absent where none is needed.
    let token: String?

    init(_ provenance: Provenance, _ nodes: [NodeLine], control: String? = nil, token: String? = nil) {
        self.provenance = provenance
        self.control = control
        self.token = token
        self.nodes = nodes.map {
            Node(
                name: $0.label, role: $0.role, publicKey: $0.publicKey, endpoint: $0.endpoints.first,
                endpoints: $0.endpoints.count > 1 ? $0.endpoints : nil)
        }
    }

    /// With sorted keys.
    var text: String { (try? jsonText(inOneLine: true)) ?? "{}" }
}
