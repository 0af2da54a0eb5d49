import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice

    /// The command line, by console and by radio.
    static let commands = RoleTopic("Command line", byRadio + clock + texts + keys + files)

    private static let day: UInt32 = 86_400

    private static let byRadio: [Row] = [
        Row("INF-189", about: "A command is answered after the role's delay, and not acknowledged") { node in
            try permit(alice, node)
            let reply = try node.one(try node.text(alice, "get role", type: 1))
            let delay: Int64 = node.role == .repeater ? 600 : node.role == .roomServer ? 300 : 1000
            try node.after(delay, reply)
            try node.require("the type", reply.packet.kind, is: .text)
            let opened = try node.open(reply, by: alice) ?? []
            try node.require("the flags", opened.dropFirst(4).first, is: 4)
            try node.require("the text", opened.dropFirst(5).prefix { $0 != 0 }.text, is: "> \(node.role.commandName)")
        },
        Row("OTA-060", about: "Texts are what type, time, attempt, keys and route give, byte for byte") { node in
            try permit(alice, node)
            for path in [[], [0x77]] as [[UInt8]] {
                if !path.isEmpty { try node.teach(alice, path) }
                let reply = try node.one(try node.text(alice, "get role", type: 1))
                let text = [UInt8]("> \(node.role.commandName)".utf8)
                try node.require(reply, isText: [4] + text, for: alice, along: path)
            }
            if node.role == .roomServer { try exactPushes(node) }
        },
        Row("INF-190", about: "Three characters up to a bar come back, of lines longer than four", by: .console) {
            node in
            try node.type("ab|xy", "ab|Unknown command")
            try node.type("ab|x", "Unknown command")
            try node.type("7f|get role", "7f|> \(node.role.commandName)")
        },
        Row("INF-191", about: "A retry is neither run nor answered", of: .repeaterAndRoom) { node in
            try permit(alice, node)
            let time = node.nextStamp()
            try node.one(try node.text(alice, "set lat 1.5", type: 1, at: time))
            try node.type("set lat 2.5", "OK")
            try node.silence(try node.text(alice, "set lat 1.5", type: 1, attempt: 1, at: time))
            try node.type("get lat", "> 2.5")
        },
        Row(
            "INF-192", about: "A plain command is acknowledged and answered, its retry acknowledged only", of: .repeater
        ) {
            node in
            try permit(alice, node)
            let time = node.nextStamp()
            let first = try node.text(alice, "get name", at: time)
            try node.require("types", first.map(\.packet.kind), is: [.ack, .text])
            try node.after(200, first[0])
            try node.after(600, first[1])
            let ack = node.acknowledgement(of: "get name", flags: 0, at: time, by: alice)
            try node.require("the acknowledgement", first[0].packet.payload, is: ack)
            let again = try node.one(try node.text(alice, "get name", attempt: 1, at: time))
            let second = node.acknowledgement(of: "get name", flags: 1, at: time, by: alice)
            try node.require("the acknowledgement", again.packet.payload, is: second)
        },
        Row("INF-193", about: "Who is no administrator gets silence") { node in
            for permissions in [1, 2] {
                try node.type("setperm \(Peer.bob.key.hex) \(permissions)", "OK")
                try node.silence(try node.text(.bob, "set name Bob", type: 1))
            }
            try node.require("another name", try node.type("get name") != "> Bob", is: true)
        },
        Row("INF-194", about: "Commands of the console are unknown by radio", needs: .identity) { node in
            try permit(alice, node)
            for (line, answer) in [
                ("get prv.key", "??: prv.key"), ("get acl", "??: acl"), ("set freq 868", "unknown config: freq 868"),
                ("erase", "Unknown command"), ("log", "Unknown command"), ("stats-core", "Unknown command"),
            ] {
                try node.require("an answer to '\(line)'", try node.command(alice, line), is: answer)
            }
        },
        Row("INF-195", about: "clock sync sets the second after the command's, and never back", needs: .clock) { node in
            try permit(alice, node)
            let start = node.target.clock
            let ahead = try node.command(alice, "clock sync", at: start + day)
            try node.require("an answer", ahead, is: "OK - clock set: \(NodeClock.text(start + day + 1))")
            try node.type("clock sync", "ERR: clock cannot go backwards")
            try node.type("time \(start + 3 * day)")
            let back = try node.command(alice, "clock sync", at: start + 2 * day)
            try node.require("an answer", back, is: "ERR: clock cannot go backwards")
        },
        Row("INF-196", about: "A room stamps its answer to clock sync before, the others after", needs: .clock) {
            node in
            try permit(alice, node)
            let time = node.target.clock + day
            let reply = try node.one(try node.text(alice, "clock sync", type: 1, at: time))
            let stamp = (try node.open(reply, by: alice) ?? []).littleEndian
            try node.require(
                (stamp > time) == (node.role != .roomServer),
                "a time stamp \(node.role == .roomServer ? "before" : "after") the change", got: "\(stamp)")
        },
        Row("INF-198", about: "A reboot sends nothing, and its retry reboots again", needs: .restart) { node in
            try node.admit(alice)
            try node.wait(.seconds(10))
            let time = node.nextStamp() + 10
            for attempt in [0, 1] as [UInt8] {
                try node.silence(try node.text(alice, "reboot", type: 1, attempt: attempt, at: time))
                let memory = try node.printed(by: "stats-core")
                // A board may need a second or two to restart.
                let seconds = node.target.keepsState ? 1...7 : 4...5
                try node.require(
                    seconds.contains { memory.contains("\"uptime_secs\":\($0),") },
                    "an uptime of \(seconds.lowerBound) to \(seconds.upperBound) s", got: memory.visible)
            }
        },
        Row("INF-199", about: "A password is echoed as far as it is kept, and administrators stay") { node in
            try permit(alice, node)
            let answer = try node.command(alice, "password abcdefghijklmnopqrst")
            try node.require("an answer", answer, is: "password now: abcdefghijklmno")
            try node.require("an answer", try node.command(alice, "get role") != nil, is: true)
            try node.silence(try node.sendLogin(.bob, "password"))
            try node.require("an answer", try node.logIn(.bob, "abcdefghijklmno") != nil, is: true)
        },
    ]

    private static let clock: [Row] = [
        Row("INF-197", about: "time does not go back, and says so in parentheses", by: .console, needs: .clock) {
            node in
            let start = node.target.clock
            for line in ["time 1", "time \(start - 1)", "time x"] {
                try node.type(line, "(ERR: clock cannot go backwards)")
            }
            try node.type("time \(start + day)", "OK - clock set: \(NodeClock.text(start + day))")
        },
        Row("INF-200", about: "Temporary radio settings come after 2 s and go after their minutes", needs: .air) {
            node in
            // The airtime of an advert tells the settings: SF7 at 125 kHz is several times as fast.
            try node.type("set txdelay 0", "OK")
            try node.type("tempradio 869.618,125,7,5,1", "OK - temp params for 1 mins")
            let stored = try node.type("get radio")
            try node.require("stored settings", stored.contains("62.5,8,5"), is: true)
            let slow = try gap(node)
            try node.wait(.seconds(3))
            let fast = try gap(node)
            try node.wait(.seconds(61))
            let back = try gap(node)
            try node.require(fast * 2 < slow, "packets twice as fast", got: "\(fast) ms, and \(slow) ms before")
            try node.require("the pace", abs(back - slow) <= 2 * node.error, is: true)
        },
    ]

    private static let texts: [Row] = [
        Row("INF-202", about: "Numbers are written as the firmware writes them", by: .console) { node in
            try node.type("get direct.txdelay", node.role == .repeater ? "> 0.3" : "> 0.1999999")
            try node.type("get af", "> 1.0")
            try node.type("set lat -0.1278", "OK")
            try node.type("get lat", "> -0.1277999")
            if node.target.radio == LoRaParameters() { try node.type("get radio", "> 869.6179809,62.5,8,5") }
        },
        Row("INF-203", about: "A limit of 256 is one of 0, and 65 is refused", of: .repeaterAndRoom, by: .console) {
            node in
            try node.type("set flood.max 256", "OK")
            try node.type("get flood.max", "> 0")
            try node.type("set flood.max 65", "Error, max 64")
            try node.type("get flood.max", "> 0")
        },
        Row("INF-204", about: "A duty cycle is stored as a factor, and echoed", by: .console) { node in
            try node.type("set dutycycle 10", "OK - 10.0%")
            try node.type("get af", "> 9.0")
            try node.type("set dutycycle 0", "ERROR: dutycycle must be 1-100")
        },
        Row("INF-209", about: "There are no neighbours", of: .roomAndSensor, by: .console) { node in
            try node.type("neighbors", "not supported")
        },
        Row("INF-210", about: "What is unknown is answered as unknown", by: .console) { node in
            try node.type("frobnicate", "Unknown command")
            try node.type("get nothing", "??: nothing")
            try node.type("set nothing here", "unknown config: nothing here")
        },
    ]

    private static func permit(_ peer: Peer, _ node: RoleProbe) throws {
        try node.type("setperm \(peer.key.hex) 3", "OK")
    }

    /// The time from one advert on command to the next one that was queued with it.
    private static func gap(_ node: RoleProbe) throws -> Int64 {
        try node.type("advert.zerohop")
        try node.type("advert")
        let sent = try node.listen(for: .seconds(4))
        try node.require(sent.count == 2, "two adverts", got: NodeReply.list(sent))
        return sent[1].milliseconds - sent[0].milliseconds
    }
}

extension RoleProbe {
    /// Fails unless a packet is the text of these flags and bytes behind its time, sealed for a peer, and sent along a
    /// path, or by flood where there is none.
    func require(_ reply: NodeReply, isText body: [UInt8], for peer: Peer, along path: [UInt8]) throws {
        guard let opened = try open(reply, by: peer) else {
            throw failure(expected: "a text for \(peer.key.prefix(4).hex)", got: "another packet")
        }
        let age = Int64(opened.littleEndian) - Int64(target.clock)
        try require((0...900).contains(age), "the time of now", got: "\(age) s after the beginning")
        let sealed = peer.seal(.text, opened.littleEndian.wireBytes + body, to: try key()).payload
        let payload = [peer.hash, try key()[0]] + sealed.dropFirst(2)
        let packet = AirPacket(.text, path.isEmpty ? .flood : .direct, path: path, payload: payload)
        try require("the packet", reply.bytes, is: packet.bytes)
    }
}
