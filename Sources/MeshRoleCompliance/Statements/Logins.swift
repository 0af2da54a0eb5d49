import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice

    /// Logins: who is let in, and by what route the answer goes.
    static let logins = RoleTopic("Login", answers + decisions)

    private static let answers: [Row] = [
        Row("INF-036", about: "A login by flood is answered after 300 ms by a returned path") { node in
            let reply = try node.one(try node.sendLogin(alice))
            try node.after(300, reply)
            try node.require("the type", reply.packet.kind, is: .path)
            try node.require("the route", reply.packet.route, is: .flood)
            guard let path = try node.pathReturn(reply, for: alice) else {
                throw node.failure(expected: "a path for the client", got: "another one")
            }
            try node.require("the extra's type", path.extraType & 15, is: 1)
            // 13 bytes, and the padding of the last block.
            try node.require("bytes of the extra", path.extra.count, is: 14)
        },
        Row("INF-037", about: "The path comes back as it came") { node in
            let reply = try twoHops(node)
            let path = try node.pathReturn(reply, for: alice)
            try node.require("the path length", path?.length, is: 0x42)
            try node.require("the path", path?.path, is: [0x21, 0x22, 0x23, 0x24])
        },
        Row("INF-038", about: "The answer is a flood of the request's hash size") { node in
            try node.require("the path length", try twoHops(node).packet.pathLength, is: 0x40)
        },
        Row("INF-039", about: "The answer tells the level of the role") { node in
            let body = try body(of: try node.logIn(alice), node)
            try node.require("result and interval", [UInt8](body[4...5]), is: [0, 0])
            try node.require("the level", body[12], is: node.role == .repeater ? 2 : 1)
        },
        Row("INF-040", about: "The answer tells administrators from guests", of: .repeater) { node in
            try node.type("set guest.password guest", "OK")
            try node.require("an admin's bytes", try role(node, alice, "password"), is: [1, 3])
            try node.require("a guest's bytes", try role(node, .bob, "guest"), is: [0, 0])
        },
        Row("INF-041", about: "The answer tells administrators, members and readers", of: .room) { node in
            try node.type("set allow.read.only on", "OK")
            try node.require("an admin's bytes", try role(node, alice, "password"), is: [1, 3])
            try node.require("a member's bytes", try role(node, .bob, "hello"), is: [0, 2])
            try node.require("a reader's bytes", try role(node, .carol, "nope"), is: [2, 0])
        },
        Row("INF-042", about: "A new administrator gets all alerts", of: .sensor) { node in
            try node.require("an admin's bytes", try role(node, alice, "password"), is: [1, 0xC3])
        },
        Row("INF-052", about: "A direct login is answered by flood, or along a known path", of: .repeaterAndRoom) {
            node in
            let flooded = try node.one(try node.sendLogin(alice, by: .direct))
            try node.require("the route", flooded.packet.route, is: .flood)
            try node.require("the type", flooded.packet.kind, is: .response)
            try node.after(300, flooded)
            try node.teach(alice, [0xA1, 0xA2])
            let direct = try node.one(try node.sendLogin(alice, by: .direct))
            try node.require("the route", direct.packet.route, is: .direct)
            try node.require("the path", direct.packet.path, is: [0xA1, 0xA2])
        },
        Row("INF-053", about: "A direct login is answered by flood in any case", of: .sensor) { node in
            for isKnown in [false, true] {
                if isKnown { try node.teach(alice, [0xA1, 0xA2]) }
                let reply = try node.one(try node.sendLogin(alice, by: .direct))
                try node.require("the route", reply.packet.route, is: .flood)
                try node.require("the type", reply.packet.kind, is: .response)
                try node.after(300, reply)
            }
        },
        Row("INF-054", about: "The times in answers grow, even within a second", needs: .time) { node in
            let peers = [alice, .bob, .carol]
            var replies: [NodeReply] = []
            for (index, peer) in peers.enumerated() {
                let packet = try node.login(peer, "password", at: node.nextStamp())
                replies += try node.hear(packet, for: index == 2 ? .seconds(6) : .zero)
            }
            let times = try zip(replies, peers).map { reply, peer in
                try node.answer(in: [reply], for: peer)?.littleEndian ?? 0
            }
            try node.require("answers", times.count, is: 3)
            try node.require(times[0] < times[1] && times[1] < times[2], "growing times", got: "\(times)")
        },
    ]

    private static let decisions: [Row] = [
        Row("INF-043", about: "A wrong password is met with silence") { node in
            for password in ["nope", "Password", "password1"] { try node.silence(try node.sendLogin(alice, password)) }
        },
        Row("OTA-087", about: "A login has key, time, a room's time of posts, and up to 15 bytes of password") {
            node in
            let password = [UInt8]("abcdefghijklmno".utf8)
            try node.type("password abcdefghijklmnopqrst", "password now: \(password.text)")
            let posts: [UInt8] = [0x30, 0x30, 0x30, 0x30]
            let (own, other): ([UInt8], [UInt8]) = node.role == .roomServer ? (posts, []) : ([], posts)
            let wrong = alice.anonymous(node.nextStamp().wireBytes + other + password, to: try node.key())
            try node.silence(try node.hear(wrong))
            let right = alice.anonymous(node.nextStamp().wireBytes + own + password, to: try node.key())
            try node.require("an answer", try node.answer(in: try node.hear(right), for: alice) != nil, is: true)
        },
        Row("INF-044", about: "A login that is not newer than the last is met with silence") { node in
            let time = node.nextStamp() + 1000
            try node.require("an answer", try node.logIn(alice, at: time) != nil, is: true)
            try node.silence(try node.sendLogin(alice, at: time - 1))
            try node.require("an answer", try node.logIn(alice, at: time + 1) != nil, is: true)
        },
        Row("INF-045", about: "A known client needs no password, whatever the time", of: .repeaterAndRoom) { node in
            let time = node.nextStamp() + 1000
            try node.require("an answer", try node.logIn(alice, at: time) != nil, is: true)
            let body = try body(of: try node.logIn(alice, "", at: time - 500), node)
            try node.require("the client's bytes", [UInt8](body[6...7]), is: [1, 3])
        },
        Row("INF-046", about: "A newcomer without password is a guest unless guests need one", of: .repeater) { node in
            try node.require("a guest's bytes", try role(node, .bob, ""), is: [0, 0])
            try node.type("set guest.password x", "OK")
            try node.silence(try node.sendLogin(.carol, ""))
            try node.require("a guest's bytes", try role(node, .carol, "x"), is: [0, 0])
        },
        Row("INF-047", about: "A newcomer without password is not let into a room that has one", of: .room) { node in
            try node.silence(try node.sendLogin(.bob, ""))
            try node.require("a member's bytes", try role(node, .bob, "hello"), is: [0, 2])
        },
        Row("INF-048", about: "Nobody is let in without the administrator's password", of: .sensor) { node in
            try node.type("set guest.password guest", "OK")
            try node.silence(try node.sendLogin(.bob, ""))
            try node.silence(try node.sendLogin(.bob, "guest"))
        },
        Row("INF-049", about: "The guest password makes a guest of an administrator", of: .repeater) { node in
            try node.type("set guest.password guest", "OK")
            try node.admit(alice)
            try node.require("an answer", try node.command(alice, "get role"), is: "> repeater")
            try node.require("a guest's bytes", try role(node, alice, "guest"), is: [0, 0])
            try node.require("an answer", try node.command(alice, "get role"), is: nil)
        },
        Row("INF-050", about: "Where reading is free, a wrong password makes a reader", of: .room) { node in
            try node.silence(try node.sendLogin(.carol, "nope"))
            try node.type("set allow.read.only on", "OK")
            try node.require("a reader's bytes", try role(node, .carol, "nope"), is: [2, 0])
        },
        Row("INF-051", about: "Where both passwords are one, it is the administrator's") { node in
            try node.type("set guest.password password", "OK")
            try node.require("the byte of an admin", try role(node, alice, "password").first, is: 1)
        },
        Row("INF-055", about: "The same login packet is a duplicate") { node in
            let packet = try node.login(alice, "password", at: node.nextStamp())
            try node.one(try node.hear(packet))
            try node.silence(try node.hear(packet))
            try node.silence(try node.hear(packet.by(.direct)))
        },
        Row("INF-056", about: "Logins do not need what forwarding needs") { node in
            try node.type("set repeat off", "OK - repeat is now OFF")
            try node.type("region denyf *")
            try node.type("set flood.max 0", "OK")
            try node.require("an answer", try node.logIn(alice) != nil, is: true)
        },
    ]

    /// The answer to a login that came over two hops with hashes of two bytes.
    private static func twoHops(_ node: RoleProbe) throws -> NodeReply {
        try node.one(try node.sendLogin(alice, by: .floodAlong([0x21, 0x22, 0x23, 0x24], hashSize: 2)))
    }

    private static func body(of answer: [UInt8]?, _ node: RoleProbe) throws -> [UInt8] {
        guard let answer, answer.count >= 13 else { throw node.failure(expected: "an answer to a login", got: "none") }
        return answer
    }

    /// The bytes of an answer that tell the client's role.
    private static func role(_ node: RoleProbe, _ peer: Peer, _ password: String) throws -> [UInt8] {
        [UInt8](try body(of: try node.logIn(peer, password), node)[6...7])
    }
}
