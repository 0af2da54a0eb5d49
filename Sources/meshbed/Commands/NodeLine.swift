import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshWire

/// One node in the list that `meshbed emulate` prints.
struct NodeLine: Sendable {
    let columns: [String]

    init(_ node: NodeID, in world: World, endpoints: [NodeEndpoint]) {
        let label = world.label(of: node)
        let endpoint = endpoints.first { $0.label == label }?.endpoint
        var columns = [label]
        if let companion = world.companion(node) {
            columns += ["companion radio", companion.name.description, companion.publicKey.prefix(6).hex]
            columns.append(endpoint.map { "\($0)" } ?? "no endpoint")
        } else if let repeater = world.repeater(node) {
            columns += ["repeater", repeater.server.preferences.name.description, repeater.publicKey.prefix(6).hex, ""]
        }
        self.columns = columns
    }

    /// The lines under a heading, in columns.
    static func table(_ lines: [NodeLine]) -> [String] {
        let rows = [["node", "role", "name", "public key", "endpoint"]] + lines.map(\.columns)
        let widths = (0..<5).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                cell + String(repeating: " ", count: column == row.count - 1 ? 0 : widths[column] - cell.count)
            }
            return "  " + cells.joined(separator: "  ")
        }
    }
}
