import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshWire
import MeshWorlds

// Who is there, and what is known of them.
extension ControlAPI {
    static let nodes: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/nodes") { api, call in
            let page = try call.page()
            let endpoints = api.emulator.endpoints
            return try await api.look { driver in
                let all = driver.world.nodes
                return NodeListRecord(
                    nodes: all.page(page).map { NodeRecord($0, driver, endpoints) }, total: all.count)
            }
        },
        WebRoute("POST", "/nodes") { api, call in
            let fields = try call.fields("name", "role", "links")
            return try await api.steer { driver in
                NodeRecord(try api.add(fields, &driver), driver, api.emulator.endpoints)
            }
        },
        WebRoute("GET", "/nodes/{node}") { api, call in
            try call.checkQuery()
            return try await api.look { NodeRecord(try $0.node(call["node"]), $0, api.emulator.endpoints) }
        },
        WebRoute("DELETE", "/nodes/{node}") { api, call in
            try call.checkQuery()
            return try await api.change { driver in
                let node = try driver.node(call["node"])
                guard !driver.hasEndpoint(node) else {
                    throw WebRefusal(.conflict, "the node has an endpoint: take its power instead")
                }
                driver.remove(node)
            }
        },
        WebRoute("POST", "/nodes/{node}/walks") { api, call in
            let fields = try call.fields("links")
            guard fields.member("links") != nil else { throw fields.missing("links") }
            return try await api.node(call) { driver, node in
                let links = try ControlAPI.links(fields, driver)
                if let itself = links.first(where: { $0.0 == node }) {
                    throw fields.problem("links", "\(driver.world.label(of: itself.0)) does not hear itself")
                }
                driver.withWorld { world in
                    world.links.disconnect(node)
                    for (other, link) in links { world.links.connect(node, other, link) }
                }
            }
        },
        WebRoute("GET", "/nodes/{node}/contacts") { api, call in
            try call.checkQuery()
            return try await api.look { driver in
                guard let companion = driver.world.companion(try driver.node(call["node"])) else {
                    throw WebRefusal(.conflict, "only companion radios have contacts")
                }
                return ["contacts": companion.contacts.listed.map { NodeContactRecord($0, driver.world) }]
            }
        },
        WebRoute("GET", "/nodes/{node}/inbox") { api, call in
            try call.checkQuery()
            return try await api.look { driver in
                let inbox = try driver.people?.inbox(of: driver.node(call["node"])) ?? Inbox()
                return InboxRecord(
                    messages: inbox.entries.map { ReceivedRecord($0, driver.world) }, forgotten: inbox.forgotten)
            }
        },
    ]
}

private struct NodeListRecord: Encodable, Sendable {
    let nodes: [NodeRecord]
    let total: Int
}

private struct InboxRecord: Encodable, Sendable {
    let messages: [ReceivedRecord]
    let forgotten: Int
}

extension ControlAPI {
    /// Steers at a node, and answers with its state after that.
    func node(
        _ call: WebCall, _ body: @escaping @Sendable (inout WorldDriver, NodeID) throws -> Void
    ) async throws -> WebAnswer {
        let record = try await emulator.steer({ try body(&$0, $0.node(call["node"])) }) { [emulator] in
            NodeRecord(try $0.node(call["node"]), $0, emulator.endpoints)
        }
        return try WebAnswer(record)
    }

    fileprivate func add(_ fields: JSONFields, _ driver: inout WorldDriver) throws -> NodeID {
        let label = try fields.needString("name")
        if let problem = WorldFile.problem(withLabel: label) { throw fields.problem("name", problem) }
        guard driver.world.node(labelled: label) == nil else { throw fields.problem("name", "is taken already") }
        guard driver.world.nodes.count < WorldFile.mostNodes else {
            throw WebRefusal(.conflict, "a world has \(WorldFile.mostNodes) nodes at most")
        }
        guard let role = Topology.Role(rawValue: try fields.needString("role")) else {
            let known = Topology.Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.problem("role", "must be one of \(known)")
        }
        // All members are right before anything changes.
        let links = try Self.links(fields, driver)
        let node = Topology.Node(label, role)
        let plan = WorldPlan(Topology(name: world, nodes: [node]))
        let added = driver.add(node, plan.node(at: 0))
        driver.withWorld { world in for (other, link) in links { world.links.connect(added, other, link) } }
        return added
    }

    /// The links in a request, the same in both directions.
    fileprivate static func links(_ fields: JSONFields, _ driver: WorldDriver) throws -> [(NodeID, AirLink)] {
        let list = try fields.list("links") ?? []
        guard list.count <= 1000 else { throw fields.problem("links", "are more than 1000") }
        return try list.enumerated().map { index, value in
            let link = try JSONFields(value, at: "\(fields.path("links"))[\(index)]")
            try link.allow(["to", "snr", "rssi", "loss"])
            return (try driver.node("to", in: link), try link.airLink())
        }
    }
}
