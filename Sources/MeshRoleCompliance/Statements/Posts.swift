import MeshBoards
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice
    private static let carol = Peer.carol

    /// Posts of a room, and what acknowledges them.
    static let posts = RoleTopic(
        "Posts",
        [
            Row("INF-153", about: "A post is acknowledged after 200 ms, by flood or along the path", of: .room) {
                try acknowledged(by: $0)
            },
            Row("INF-154", about: "With multi.acks and a path a copy goes at 200 ms, and one at 500 ms", of: .room) {
                try acknowledgedTwice(by: $0)
            },
            Row("OTA-064", about: "Direct texts are acknowledged by route, once or twice", of: .room) { node in
                try acknowledged(by: node)
                try acknowledgedTwice(by: node)
            },
            Row("OTA-061", about: "The number of an attempt behind a text changes neither text nor value", of: .room) {
                node in
                try enter([alice, .bob], node)
                let time = node.nextStamp()
                let text = [UInt8]("Hello room".utf8)
                for (attempt, tail) in [(1, []), (5, [0, 5]), (9, [0, 9])] as [(UInt8, [UInt8])] {
                    let packet = alice.text(text + tail, at: time, attempt: attempt, to: try node.key())
                    let reply = try node.one(try node.hear(packet, for: .seconds(1)))
                    let ack = node.acknowledgement(of: "Hello room", flags: 1, at: time, by: alice)
                    try node.require("the acknowledgement", reply.packet.payload, is: ack)
                }
                let post = [UInt8](try first(for: .bob, node).plaintext.dropFirst(9))
                try node.require("the text", [UInt8](post.prefix(text.count)), is: text)
                try node.require("nothing behind it", post.dropFirst(text.count).allSatisfy { $0 == 0 }, is: true)
            },
            Row("OTA-066", about: "A post counts as read by four bytes, hashed with the reader's key", of: .room) {
                node in
                try enter([alice, .bob], node)
                try node.one(try node.text(alice, "Hello room"))
                let push = try first(for: .bob, node)
                let wrong = [push.ack(of: alice.key), push.ack(of: try node.key()), [UInt8](push.ack.prefix(3))]
                for ack in wrong { try node.hear(AirPacket(.ack, .flood, payload: ack), for: .milliseconds(100)) }
                let again = try first(for: .bob, node)
                try node.acknowledge(again, of: .bob)
                try node.silence(try node.listen(for: .seconds(30)))
            },
            Row("INF-155", about: "A retry is acknowledged with its own value, and stored once", of: .room) { node in
                try enter([alice], node)
                let time = node.nextStamp()
                for attempt in [0, 1] as [UInt8] {
                    let reply = try node.one(try node.text(alice, "Hello room", attempt: attempt, at: time))
                    let ack = node.acknowledgement(of: "Hello room", flags: attempt, at: time, by: alice)
                    try node.require("the acknowledgement", reply.packet.payload, is: ack)
                }
                try node.require("posts", try count(node), is: 1)
            },
            Row("INF-156", about: "A text older than the last is met with silence", of: .room) { node in
                try enter([alice], node)
                let time = node.nextStamp() + 100
                try node.one(try node.text(alice, "new", at: time))
                try node.silence(try node.text(alice, "old", at: time - 1))
            },
            Row("INF-157", about: "A guest's post is met with silence, and not stored", of: .room) { node in
                try node.type("set allow.read.only on", "OK")
                try node.require("an answer", try node.logIn(.bob, "nope") != nil, is: true)
                try node.silence(try node.text(.bob, "from a guest"))
                try enter([alice], node)
                try node.require("posts", try count(node), is: 0)
            },
            Row("INF-158", about: "A client of role 1 may post", of: .room) { node in
                try node.type("setperm \(Peer.bob.key.hex) 1", "OK")
                try node.require("an answer", try node.one(try node.text(.bob, "hello")).packet.kind, is: .ack)
                try enter([alice], node)
                try node.require("posts", try count(node), is: 1)
            },
            Row("INF-179", about: "A command of somebody who is no administrator is met with silence", of: .room) {
                node in
                try enter([.bob], node)
                try node.silence(try node.text(.bob, "get name", type: 1))
            },
            Row("INF-159", about: "A post keeps its first 150 bytes", of: .room) { node in
                try enter([alice, .bob], node)
                let text = String(repeating: "x", count: 149) + "yz12"
                try node.one(try node.text(alice, text))
                let push = try first(for: .bob, node)
                try node.require("the text", push.text, is: String(text.prefix(150)))
            },
            Row("INF-160", about: "An author never gets its own post", of: .room) { node in
                try enter([alice], node)
                try node.one(try node.text(alice, "to nobody"))
                try node.silence(try node.listen(for: .seconds(60)))
            },
        ])

    /// Posts on their way to members, and their times.
    static let pushes = RoleTopic("Pushes", times + progress)

    private static let times: [Row] = [
        Row("INF-161", about: "A push waits for six seconds of the clock, and two after the last post", of: .room) {
            node in
            try enter([alice, .bob], node)
            try node.text(alice, "one", for: .milliseconds(5500))
            let sent = try node.text(alice, "two", for: .seconds(9))
            let pushes = try pushes(in: sent, for: .bob, node)
            try node.require("texts", pushes.first?.text, is: "one")
            let start = pushes.first?.milliseconds ?? 0
            try node.require(
                (2000 - node.error...2400 + node.error).contains(start), "a push 2000 to 2400 ms after the last post",
                got: "after \(start) ms")
        },
        Row("INF-162", about: "A push has its flags, the author and the post's time", of: .room) { node in
            try enter([alice, .bob], node)
            try node.one(try node.text(alice, "Hello room"))
            let push = try first(for: .bob, node)
            try node.require("flags without the attempt", push.plaintext[4] & 0xFC, is: 8)
            try node.require("the author", [UInt8](push.plaintext[5..<9]), is: [UInt8](alice.key.prefix(4)))
            let age = Int64(push.plaintext.littleEndian) - Int64(node.target.clock)
            try node.require((0...600).contains(age), "the time of the post", got: "\(age) s after the clock was set")
        },
        Row("INF-163", about: "Pushes to members are 1200 ms apart", of: .room) { node in
            try enter([alice, .bob, carol], node)
            try node.one(try node.text(alice, "both"))
            let sent = try node.listen(for: .seconds(9))
            let times = try [Peer.bob, carol].compactMap { try pushes(in: sent, for: $0, node).first?.milliseconds }
            try node.require("members with a push", times.count, is: 2)
            let gap = abs(times[0] - times[1])
            // Where the author's turn is between, the next look is 151 ms later.
            let isKept = [1201, 1352].contains { abs(gap - $0) <= node.error }
            try node.require(isKept, "1200 ms between two pushes, or a look more", got: "\(gap) ms")
        },
        Row("INF-164", about: "A member has one push outstanding at most", of: .room) { node in
            try enter([alice, .bob], node)
            for text in ["1", "2", "3"] { try node.text(alice, text, for: .seconds(1)) }
            let pushes = try pushes(in: try node.listen(for: .seconds(13)), for: .bob, node)
            try node.require("texts", pushes.map(\.text), is: ["1"])
        },
        Row(
            "INF-165", about: "An unacknowledged push is repeated at the first look after its time", of: .room,
            needs: .freshRadio
        ) { node in
            for (path, time) in [([], 12_000), ([0x77], 8000), ([0x77, 0x78], 10_000)] as [([UInt8], Int64)] {
                try node.begin(RoleSetup())
                try enter([alice, .bob], node)
                if !path.isEmpty { try node.teach(.bob, path) }
                try node.text(alice, "again", for: .seconds(1))
                let pushes = try pushes(in: try node.listen(for: .seconds(30)), for: .bob, node)
                try node.require(pushes.count >= 2, "a push and a repetition", got: "\(pushes.count)")
                let gap = pushes[1].milliseconds - pushes[0].milliseconds
                // Looks are 151 ms apart, and there are two members.
                try node.require(
                    (time...time + 460).contains(gap), "a repetition after \(time) to \(time + 460) ms",
                    got: "\(gap) ms")
            }
        },
        Row("INF-166", about: "After three failures only a sign of life brings pushes back", of: .room) { node in
            try enter([alice, .bob], node)
            try node.one(try node.text(alice, "nobody hears"))
            let pushes = try pushes(in: try node.listen(for: .seconds(120)), for: .bob, node)
            try node.require("pushes", pushes.count, is: 3)
            try node.request(.bob, telemetry)
            try node.require("the text", try first(for: .bob, node).text, is: "nobody hears")
        },
    ]

    private static let progress: [Row] = [
        Row("INF-167", about: "An acknowledgement of any form moves a member on", of: .room) { node in
            try enter([alice, .bob], node)
            for text in ["1", "2", "3", "4"] { try node.text(alice, text, for: .seconds(1)) }
            for (form, text) in ["1", "2", "3", "4"].enumerated() {
                let push = try first(for: .bob, node)
                try node.require("the text", push.text, is: text)
                switch form {
                case 0: try node.hear(AirPacket(.ack, .flood, payload: push.ack))
                case 1: try node.hear(AirPacket(.multipart, .direct, payload: [0x13] + push.ack))
                case 2: try node.hear(Peer.bob.returnedPath([0x77], extra: .ack, push.ack, to: try node.key()))
                default:
                    try node.hear(
                        AirPacket(.ack, .direct, path: [try node.hop(0), try node.hop(1)], payload: push.ack))
                }
            }
            try node.silence(try node.listen(for: .seconds(30)))
        },
        Row("OTA-045", about: "An acknowledgement that passes by counts", of: .room) { node in
            try enter([alice, .bob], node)
            try node.one(try node.text(alice, "one"))
            let push = try first(for: .bob, node)
            let hops = [try node.hop(0), try node.hop(1)]
            try node.silence(try node.hear(AirPacket(.ack, .direct, path: hops, payload: push.ack)))
            try node.silence(try node.listen(for: .seconds(30)))
        },
        Row("INF-168", about: "Posts arrive oldest first", of: .room) { node in
            try enter([alice, .bob], node)
            for text in ["one", "two", "three"] { try node.text(alice, text, for: .seconds(1)) }
            try node.require("texts", try read(.bob, 3, node), is: ["one", "two", "three"])
        },
        Row("INF-169", about: "The 33rd post takes the place of the first", of: .room, needs: .time) { node in
            try enter([alice], node)
            for number in 1...33 { try node.text(alice, "post \(number)", for: .seconds(1)) }
            try node.require("an answer", try node.logIn(.bob, "hello") != nil, is: true)
            try node.require("texts", try read(.bob, 32, node), is: (2...33).map { "post \($0)" })
        },
        Row("INF-170", about: "A login with a time brings what is newer", of: .room) { node in
            try enter([alice], node)
            for text in ["one", "two", "three"] { try node.text(alice, text, for: .seconds(2)) }
            try node.logIn(.bob, "hello")
            let time = try first(for: .bob, node).plaintext.littleEndian
            try node.logIn(.bob, "hello", since: time)
            try node.require("texts", try read(.bob, 2, node), is: ["two", "three"])
        },
        Row("INF-171", about: "A blank login leaves the place where a member reads", of: .room) { node in
            try enter([alice, .bob], node)
            try node.one(try node.text(alice, "one"))
            try node.require("texts", try read(.bob, 1, node), is: ["one"])
            try node.require("an answer", try node.logIn(.bob, "") != nil, is: true)
            try node.silence(try node.listen(for: .seconds(30)))
        },
        Row("INF-172", about: "A keep-alive is answered after 300 ms along the path", of: .room) { node in
            try enter([alice, .bob], node)
            try node.teach(.bob, [0x77])
            let time = node.nextStamp()
            let reply = try node.one(try node.request(.bob, keepAlive, [0, 0, 0, 0], at: time))
            try node.after(300, reply)
            try node.require("type and route", [reply.bytes[0], reply.bytes[1]], is: [0x0E, 1])
            try node.require("the path", reply.packet.path, is: [0x77])
            let covered = time.wireBytes + [keepAlive, 0, 0, 0, 0]
            let ack = MeshHash.ackHash(plaintext: covered, key: PublicKey(Peer.bob.key)).wireBytes
            try node.require("the acknowledgement", reply.packet.payload, is: ack + [0])
        },
        Row("INF-173", about: "A keep-alive tells how many posts wait, rested or not", of: .room) { node in
            try enter([alice, .bob], node)
            try node.teach(.bob, [0x77])
            for text in ["one", "two"] { try node.text(alice, text, for: .milliseconds(600)) }
            let reply = try node.one(try node.request(.bob, keepAlive, [0, 0, 0, 0]))
            try node.require("posts that wait", reply.packet.payload.last, is: 2)
        },
        Row("INF-174", about: "A keep-alive sets the place where a member reads, also backwards", of: .room) { node in
            try enter([alice, .bob], node)
            try node.teach(.bob, [0x77])
            try node.one(try node.text(alice, "one"))
            let push = try first(for: .bob, node)
            try node.acknowledge(push, of: .bob)
            try node.request(.bob, keepAlive, [0, 0, 0, 0])
            try node.silence(try node.listen(for: .seconds(15)))
            try node.request(.bob, keepAlive, (push.plaintext.littleEndian - 1).wireBytes)
            try node.require("the text", try first(for: .bob, node).text, is: "one")
        },
        Row("INF-175", about: "Without a path, or by flood, a keep-alive is met with silence", of: .room) { node in
            try enter([alice, .bob], node)
            try node.silence(try node.request(.bob, keepAlive, [0, 0, 0, 0]))
            try node.teach(.bob, [0x77])
            try node.silence(try node.request(.bob, keepAlive, [0, 0, 0, 0], by: .flood))
            try node.one(try node.request(.bob, keepAlive, [0, 0, 0, 0]))
        },
        Row("INF-176", about: "A post of the room goes to everybody, in its own name", of: .room) { node in
            try enter([alice, .bob], node)
            try node.type("room.post", "ERR empty message")
            try node.type("room.post Maintenance tonight", "OK")
            let sent = try node.listen(for: .seconds(12))
            for member in [alice, .bob] {
                let push = try pushes(in: sent, for: member, node).first
                try node.require("the text", push?.text, is: "Maintenance tonight")
                let author = push.map { [UInt8]($0.plaintext[5..<9]) }
                try node.require("the author", author, is: [UInt8](try node.key().prefix(4)))
            }
        },
        Row(
            "INF-177", about: "After a restart a member gets nothing until it says something", of: .room,
            needs: .restart
        ) {
            node in
            try node.admit(alice)
            try node.wait(.seconds(10))
            try node.type("reboot")
            try node.wait(.seconds(20))
            try node.type("room.post for the returned", "OK")
            try node.require(
                "pushes", try pushes(in: try node.listen(for: .seconds(60)), for: alice, node).count, is: 0)
            try node.require("an answer", try node.logIn(alice, "") != nil, is: true)
            try node.require(
                "pushes", try pushes(in: try node.listen(for: .seconds(60)), for: alice, node).count, is: 0)
            try node.request(alice, telemetry)
            try node.require("the text", try first(for: alice, node).text, is: "for the returned")
        },
        Row("INF-178", about: "Posts and their counts do not survive a restart", of: .room, needs: .restart) { node in
            try node.admit(alice)
            try node.one(try node.text(alice, "soon forgotten"))
            try node.wait(.seconds(10))
            try node.type("reboot")
            try node.wait(.seconds(20))
            try node.admit(alice)
            try node.require("posts", try count(node), is: 0)
        },
    ]

    // MARK: Acknowledgements

    private static func acknowledged(by node: RoleProbe) throws {
        try enter([alice], node)
        for path in [[], [0x77]] as [[UInt8]] {
            if !path.isEmpty { try node.teach(alice, path) }
            let time = node.nextStamp()
            let reply = try node.one(try node.text(alice, "Hello room", at: time))
            try node.after(200, reply)
            try node.require("the type", reply.packet.kind, is: .ack)
            try node.require("the route", reply.packet.route, is: path.isEmpty ? .flood : .direct)
            try node.require("the path", reply.packet.path, is: path)
            let ack = node.acknowledgement(of: "Hello room", flags: 0, at: time, by: alice)
            try node.require("the acknowledgement", reply.packet.payload, is: ack)
        }
    }

    private static func acknowledgedTwice(by node: RoleProbe) throws {
        try node.type("set multi.acks 1", "OK")
        try enter([alice], node)
        // A path that was told before would be a duplicate.
        try node.teach(alice, [0x78])
        let replies = try node.text(alice, "Hello room")
        try node.require("types", replies.map(\.packet.kind), is: [.multipart, .ack])
        try node.after(200, replies[0])
        try node.after(500, replies[1])
        try node.require("the copy's head", replies[0].packet.payload.first, is: 0x13)
    }

    /// Fails unless pushes are the bytes that follow from post, reader and route, and count as read by the value that
    /// follows from the same bytes alone.
    static func exactPushes(_ node: RoleProbe) throws {
        try enter([.bob], node)
        for path in [[], [0x77]] as [[UInt8]] {
            if !path.isEmpty { try node.teach(.bob, path) }
            try node.text(alice, "Hello room", for: .seconds(1))
            var times: [UInt32] = []
            var wrong: [UInt8]?
            for isLast in [false, true] {
                var push = try first(for: .bob, node)
                // The room may draw the attempt whose value it has heard: that value once more is a duplicate.
                while push.ack == wrong { push = try first(for: .bob, node) }
                let attempt = push.plaintext[4] & 3
                let body = [8 | attempt] + alice.key.prefix(4) + [UInt8]("Hello room".utf8)
                try node.require(push.reply, isText: body, for: .bob, along: path)
                times.append(push.plaintext.littleEndian)
                // The value of another attempt is none of this one.
                let ack = isLast ? push.ack : push.ackOfAnotherAttempt
                wrong = ack
                try node.hear(AirPacket(.ack, .flood, payload: ack), for: .milliseconds(100))
            }
            try node.require("the time of a repeated push", times[1], is: times[0])
            try node.silence(try node.listen(for: .seconds(30)))
        }
    }

    // MARK: Members

    static let keepAlive: UInt8 = 2

    /// Members come into the room, and its first looks pass.
    private static func enter(_ members: [Peer], _ node: RoleProbe) throws {
        for member in members {
            try node.require("an answer to a login", try node.logIn(member, "hello") != nil, is: true)
        }
    }

    /// The number of posts since boot, as alice reads it.
    private static func count(_ node: RoleProbe) throws -> UInt32? {
        try node.answer(alice, status).map { $0.dropFirst(48).littleEndian & 0xFFFF }
    }

    /// The pushes among packets that a member can read.
    private static func pushes(in replies: [NodeReply], for member: Peer, _ node: RoleProbe) throws -> [RoomPushPacket]
    {
        try replies.compactMap { reply in
            guard reply.packet.kind == .text, let plaintext = try node.open(reply, by: member), plaintext.count > 9,
                plaintext[4] >> 2 == 2
            else { return nil }
            return RoomPushPacket(reply: reply, plaintext: plaintext, member: member)
        }
    }

    /// The next push to a member, within 20 s.
    private static func first(for member: Peer, _ node: RoleProbe) throws -> RoomPushPacket {
        for _ in 0..<40 {
            let sent = try node.listen(for: .milliseconds(500))
            if let push = try pushes(in: sent, for: member, node).first { return push }
        }
        throw node.failure(expected: "a push to \(member.key.prefix(4).hex)", got: "none in 20 s")
    }

    /// The texts that a member gets who acknowledges each of them.
    private static func read(_ member: Peer, _ count: Int, _ node: RoleProbe) throws -> [String] {
        try (0..<count).map { _ in
            let push = try first(for: member, node)
            try node.acknowledge(push, of: member)
            return push.text
        }
    }
}

/// A push of a room, as a member reads it.
struct RoomPushPacket: Sendable {
    /// The packet as it was on the air.
    let reply: NodeReply
    let plaintext: [UInt8]
    let member: Peer

    var milliseconds: Int64 { reply.milliseconds }

    /// The text behind time, flags and author.
    private var body: [UInt8] { [UInt8](plaintext.dropFirst(9).prefix { $0 != 0 }) }
    var text: String { body.text }
    /// The value that acknowledges it.
    var ack: [UInt8] { ack(of: member.key) }
    /// The value that would acknowledge the same text with another number of its attempt.
    var ackOfAnotherAttempt: [UInt8] {
        var other = plaintext
        other[4] ^= 1
        return RoomPushPacket(reply: reply, plaintext: other, member: member).ack
    }

    /// The value that follows from a key.
    func ack(of key: [UInt8]) -> [UInt8] {
        MeshHash.ackHash(plaintext: [UInt8](plaintext.prefix(9)) + body, key: PublicKey(key)).wireBytes
    }
}

extension RoleProbe {
    /// A member acknowledges a push.
    func acknowledge(_ push: RoomPushPacket, of member: Peer) throws {
        try hear(AirPacket(.ack, .flood, payload: push.ack), for: .milliseconds(100))
    }
}
