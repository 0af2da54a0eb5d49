import MeshEmulator
import MeshFirmware
import MeshLinks
import MeshSimulator
import MeshWire

/// One node in the list that `meshbed emulate` prints.
struct NodeLine: Sendable {
    let columns: [String]

    init(_ node: NodeID, in world: World, endpoints: [NodeEndpoint]) {
        let label = world.label(of: node)
        var columns = [label]
        let place = endpoints.first { $0.label == label }?.place
        if let companion = world.companion(node) {
            columns += ["companion radio", companion.name.description, companion.publicKey.prefix(6).hex]
            columns.append(place ?? "no endpoint")
        } else if let node = world.infrastructure(node) {
            columns += [node.server.role.title.lowercased(), node.server.preferences.name.description]
            columns += [node.publicKey.prefix(6).hex, place.map { "\($0) (console)" } ?? ""]
        } else if let modem = world.modem(node) {
            columns += ["modem", modem.board.model, modem.publicKey.prefix(6).hex, place ?? ""]
        }
        self.columns = columns
    }

    /// The lines under a heading, in columns.
    static func table(_ lines: [NodeLine]) -> [String] {
        TextTable.lines(["node", "role", "name", "public key", "endpoint"], lines.map(\.columns))
    }
}
