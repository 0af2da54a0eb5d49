import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshWire
import MeshWorlds

// What feeds a node, what it measures, where it is.
extension ControlAPI {
    static let bodies: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/nodes/{node}/body") { api, call in
            try call.checkQuery()
            return try await api.look { driver in
                let node = try driver.node(call["node"])
                return try driver.withWorld { try NodeBodyRecord.of(node, &$0) }
            }
        },
        WebRoute("POST", "/nodes/{node}/body") { api, call in
            let fields = try JSONFields(reading: call.request.body)
            return try await api.steer { driver in
                let node = try driver.node(call["node"])
                return try driver.withWorld { world in
                    try world.change(fields, of: node)
                    return try NodeBodyRecord.of(node, &world)
                }
            }
        },
    ]
}

extension NodeBodyRecord {
    /// The record of a node; refuses guests.
    fileprivate static func of(_ node: NodeID, _ world: inout World) throws(WebRefusal) -> NodeBodyRecord {
        guard let record = NodeBodyRecord(node, &world) else {
            throw WebRefusal(.conflict, "the node runs in another program, or is a modem: its body is its own")
        }
        return record
    }
}

extension World {
    /// Changes the body of a node by the members of a request, whose times count from now.
    fileprivate mutating func change(_ fields: JSONFields, of node: NodeID) throws {
        guard let firmware = firmware(node) else {
            throw WebRefusal(.conflict, "the node runs in another program, or is a modem: its body is its own")
        }
        let role: Topology.Role = (firmware as? any InfrastructureNode).map { .server($0.server.role) } ?? .companion
        let place = (firmware as? any InfrastructureNode).map {
            GeoPoint(stated: $0.server.preferences.latitude, $0.server.preferences.longitude)
        }
        var body = bodyNow(of: node) ?? NodeBody()
        let reader = BodyFields(
            board: board(of: node), role: role, label: label(of: node), place: place ?? nil, from: now, seed: seed)
        try reader.read(fields, into: &body)
        setBody(body, of: node)
    }
}
