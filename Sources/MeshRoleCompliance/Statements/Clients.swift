import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let file = "/s_contacts"

    /// The table of clients: its size, its permissions and its paths.
    static let clients = RoleTopic(
        "Client table",
        [
            Row("INF-013", about: "The identity file holds the public key and the private one", needs: .board) { node in
                let bytes = try node.target.file("/identity/_main.id") ?? []
                try node.require("bytes", bytes.count, is: 96)
                try node.require("the first half", [UInt8](bytes.prefix(32)), is: try node.key())
            },
            Row("INF-014", about: "Clients are written 5 s after the last reason to", needs: .board) { node in
                try node.hear(try node.login(RoleProbe.alice, "password", at: node.nextStamp()), for: .seconds(1))
                try node.require("a file", try node.target.file(file) == nil, is: true)
                try node.wait(.seconds(5))
                try node.require("bytes", try node.target.file(file)?.count, is: 136)
            },
            Row("INF-015", about: "A guest's login writes nothing", of: .repeater, needs: .board) { node in
                try node.require("an answer", try node.logIn(.bob, "") != nil, is: true)
                try node.wait(.seconds(10))
                try node.require("no file", try node.target.file(file) == nil, is: true)
            },
            Row("INF-023", about: "The table holds 20 clients", needs: .emptyContacts, afterRestart: true) { node in
                let count = node.switches.serverClients
                for number in 0...count { try node.admit(Peer(number: number)) }
                let lost = try (0..<count).filter { try node.answer(Peer(number: $0), telemetry) == nil }
                try node.require(lost.count == 1, "one client to be forgotten", got: "\(lost.count)")
            },
            Row(
                "INF-024", about: "The guest who was silent for longest makes room", of: .repeaterAndRoom,
                needs: .emptyContacts, afterRestart: true
            ) { node in
                let count = node.switches.serverClients
                for number in 0..<(count + 5) {
                    let answer = try node.logIn(Peer(number: number), node.role == .roomServer ? "hello" : "")
                    try node.require("an answer to login \(number)", answer != nil, is: true)
                }
                let known = try (0..<(count + 5)).filter { try node.answer(Peer(number: $0), telemetry) != nil }
                try node.require("known clients", known, is: [Int](5..<(count + 5)))
            },
            Row(
                "INF-025", about: "Among administrators the last place is given away", needs: .emptyContacts,
                afterRestart: true
            ) { node in
                let count = node.switches.serverClients
                for number in 0..<(count + 5) { try node.admit(Peer(number: number)) }
                let known = try (0..<(count + 5)).filter { try node.answer(Peer(number: $0), telemetry) != nil }
                try node.require("known clients", known, is: [Int](0..<(count - 1)) + [count + 4])
            },
            Row(
                "INF-026", about: "An administrator stays while there is a guest", of: .repeaterAndRoom,
                needs: .emptyContacts, afterRestart: true
            ) { node in
                try node.admit(RoleProbe.alice)
                for number in 0..<(node.switches.serverClients + 2) {
                    try node.logIn(Peer(number: number), node.role == .roomServer ? "hello" : "")
                }
                try node.require("an answer", try node.answer(RoleProbe.alice, telemetry) != nil, is: true)
            },
            Row("INF-027", about: "A key that was given permissions needs no login") { node in
                try node.type("setperm \(RoleProbe.alice.key.hex) 3", "OK")
                try node.require("an access list", try node.answer(RoleProbe.alice, accessList) != nil, is: true)
            },
            Row("INF-028", about: "Permissions of 0 delete the first client whose key begins so") { node in
                try node.admit(RoleProbe.alice)
                try node.type("setperm \(RoleProbe.alice.key.prefix(4).hex) 0", "OK")
                try node.silence(try node.request(RoleProbe.alice, telemetry))
            },
            Row("INF-029", about: "Permissions without a role delete as well") { node in
                try node.admit(RoleProbe.alice)
                try node.type("setperm \(RoleProbe.alice.key.hex) 192", "OK")
                try node.silence(try node.request(RoleProbe.alice, telemetry))
            },
            Row("INF-030", about: "Granting needs a whole key", by: .console) { node in
                try node.type("setperm aabb 3", "Err - invalid params")
            },
            Row("INF-031", about: "Half a byte and a missing number are refused", by: .console) { node in
                try node.type("setperm abc 1", "Err - bad pubkey")
                try node.type("setperm abcd", "Err - bad params")
            },
            Row("INF-032", about: "A client's path replaces the one before") { node in
                try node.admit(RoleProbe.alice)
                for path in [[0xA1, 0xA2], [0xB1]] as [[UInt8]] {
                    try node.teach(RoleProbe.alice, path)
                    let reply = try node.one(try node.request(RoleProbe.alice, telemetry))
                    try node.require("the route", reply.packet.route, is: .direct)
                    try node.require("the path", reply.packet.path, is: path)
                }
            },
            Row("INF-033", about: "A login by flood makes the path forgotten") { node in
                try node.admit(RoleProbe.alice)
                try node.teach(RoleProbe.alice, [0xA1, 0xA2])
                try node.admit(RoleProbe.alice)
                let reply = try node.one(try node.request(RoleProbe.alice, telemetry))
                try node.require("the route", reply.packet.route, is: .flood)
                try node.require("the type", reply.packet.kind, is: .response)
            },
            Row("INF-034", about: "A direct login leaves the path") { node in
                try node.admit(RoleProbe.alice)
                try node.teach(RoleProbe.alice, [0xA1, 0xA2])
                try node.require("an answer", try node.logIn(RoleProbe.alice, by: .direct) != nil, is: true)
                let reply = try node.one(try node.request(RoleProbe.alice, telemetry))
                try node.require("the path", reply.packet.path, is: [0xA1, 0xA2])
            },
            Row("INF-035", about: "No path is sent back") { node in
                try node.admit(RoleProbe.alice)
                try node.silence(try node.teach(RoleProbe.alice, [0x77], by: .flood))
            },
        ])

    // Types of requests. Source: InfrastructureNodes, "Requests".
    static let status: UInt8 = 1
    static let telemetry: UInt8 = 3
    static let accessList: UInt8 = 5
    static let neighbourList: UInt8 = 6
    static let ownerInfo: UInt8 = 7
}
