import MeshBoards
import MeshTime

// Login, status, telemetry, binary and anonymous requests; path discovery is in `Requests+Discovery`.
extension Section {
    static let requests = Section(
        letter: "K", title: "Login and requests",
        statements: (logins + answers + discovery + refusals).sorted { $0.number < $1.number })

    private static let logins: [Statement] = [
        Statement(159, "SENT of a login carries the first bytes of the server's key") { radio in
            try radio.add(.rep, type: 2)
            try radio.ask("1A \(Peer.rep.key) 'password'", "06 01 \(Peer.rep.key.prefix(4)) timeout4")
            try radio.add(.rep2, type: 2, path: [0xAA])
            try radio.ask("1A \(Peer.rep2.key) 'password'", "06 00 \(Peer.rep2.key.prefix(4)) timeout4")
        },
        Statement(160, "A password is cut at 15 bytes; a room is told since when", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            try radio.ask("1A \(Peer.rep.key) 70×30", "06 01 ?8")
            let login = try radio.expectAir(.anonymous, .flood)
            try radio.require("sender", [UInt8](login.payload[1..<33]), is: try radio.me())
            let plain = try radio.require(try radio.open(login, by: .rep), "time4 70×15 00×13")
            try radio.requireNow("timestamp", plain.number("time"))
            try radio.add(.room, type: 3)
            try radio.ask("1A \(Peer.room.key) 70×30", "06 01 ?8")
            let room = try radio.expectAir(.anonymous, .flood)
            try radio.require(try radio.open(room, by: .room), "time4 00000000 70×15 00×9")
            try radio.ask("1A \(Peer.room.key)", "06 01 ?8")
            let empty = try radio.expectAir(.anonymous, .flood)
            try radio.require(try radio.open(empty, by: .room), "time4 00×12")
        },
        Statement(161, "A login answer is pushed as LOGIN_SUCCESS, once", needs: .packets) { radio in
            try logIn(radio)
            try answer("\(radio.sentAt) 00 00 01 03 DEADBEEF 02", radio)
            try radio.expect("85 01 \(Peer.rep.prefix) \(radio.sentAt) 03 02")
            try answer("\(radio.sentAt + 1) 00 00 01 03 DEADBEEF 02", radio)
            try radio.expectSilence()
        },
        Statement(162, "An old server's OK is the short LOGIN_SUCCESS, all else LOGIN_FAIL", needs: .packets) { radio in
            try logIn(radio)
            try answer("\(radio.sentAt) 'OK'", radio)
            try radio.expect("85 00 \(Peer.rep.prefix)")
            try logIn(radio)
            try answer("\(radio.sentAt) 01", radio)
            try radio.expect("86 00 \(Peer.rep.prefix)")
        },
        Statement(175, "A connection lasts from a login with keep-alive to the logout", needs: .air) { radio in
            try radio.ask("1C \(Peer.rep.key)", "01 02")
            try radio.ask("1D \(Peer.rep.key)", "00")
            try logIn(radio)
            try answer("\(radio.sentAt) 00 04 01 03 DEADBEEF 02", radio)
            try radio.expect("85 …")
            try radio.ask("1C \(Peer.rep.key)", "00")
            try radio.wait(.seconds(600))
            try radio.ask("1C \(Peer.rep.key)", "00")
            try radio.ask("1D \(Peer.rep.key)", "00")
            try radio.ask("1C \(Peer.rep.key)", "01 02")
            try radio.ask("1D \(Peer.rep.key)", "00")
        },
    ]

    private static let answers: [Statement] = [
        Statement(163, "A status answer is matched by its sender and pushed without tag", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            let tag = try radio.ask("1B \(Peer.rep.key)", "06 01 tag4 timeout4")["tag"]
            let request = try radio.expectAir(.request, .flood)
            let random = try radio.require(
                try radio.open(request, by: .rep), "\(tag) 01 00000000 random4 00×3")["random"]
            try radio.require(random != bytes(0, 4), "four random bytes", got: "zeros")
            try answer("\(radio.nonce) 11223344", radio)
            try radio.expect("87 00 \(Peer.rep.prefix) 11223344 00×8")
            try answer("\(tag) 11223344", radio)
            try radio.expectSilence()
        },
        Statement(164, "A telemetry answer is matched by tag and pushed with its padding", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            let tag = try radio.ask("27 00 00 00 \(Peer.rep.key)", "06 01 tag4 timeout4")["tag"]
            let request = try radio.expectAir(.request, .flood)
            try radio.require(try radio.open(request, by: .rep), "\(tag) 03 00000000 ?4 00×3")
            try answer("\(radio.nonce) 01740190", radio)
            try radio.expectSilence()
            try answer("\(tag) 01740190", radio)
            try radio.expect("8B 00 \(Peer.rep.prefix) 01740190 00×8")
        },
        Statement(165, "A binary request is tag and data, its answer is pushed padded", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            let tag = try radio.ask("32 \(Peer.rep.key) 06 00 FF", "06 01 tag4 timeout4")["tag"]
            let request = try radio.expectAir(.request, .flood)
            try radio.require(try radio.open(request, by: .rep), "\(tag) 06 00 FF 00×9")
            try answer("\(tag) 0102030405", radio)
            try radio.expect("8C 00 \(tag) 0102030405 00×7")
        },
        Statement(166, "A new request cancels the pending one", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            try radio.add(.bob)
            let later: [Pattern] = [
                "1A \(Peer.bob.key) 'pw'", "1B \(Peer.bob.key)", "27 00 00 00 \(Peer.bob.key)", "32 \(Peer.bob.key) 01",
                "34 00 \(Peer.bob.key)", "39 \(Peer.bob.key) 01",
            ]
            for command in later {
                let tag = try radio.ask("32 \(Peer.rep.key) 05", "06 01 tag4 ?4")["tag"]
                try radio.ask(command, "06 ?9")
                try answer("\(tag) 0102", radio)
                try radio.expectSilence()
                try radio.skipAir()
            }
            let old = try radio.ask("32 \(Peer.rep.key) 05", "06 01 tag4 ?4")["tag"]
            let tag = try radio.ask("27 00 00 00 \(Peer.rep.key)", "06 01 tag4 ?4")["tag"]
            try answer("\(old) 0102", radio)
            try radio.expectSilence()
            try answer("\(tag) 0102", radio)
            try radio.expect("8B 00 \(Peer.rep.prefix) 0102 00×10")
        },
        Statement(167, "Texts, traces and failed requests leave the pending request alone", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            let tag = try radio.ask("32 \(Peer.rep.key) 05", "06 01 tag4 ?4")["tag"]
            try radio.ask("02 00 00 \(radio.sentAt) \(Peer.rep.prefix) 'hi'", "06 ?9")
            try radio.ask("24 00×8 00 AA", "06 ?9")
            try radio.ask("19 00 01020304", "00")
            try radio.ask("32 \(Peer.carol.key) 05", "01 02")
            try answer("\(tag) 0102", radio)
            try radio.expect("8C 00 \(tag) 0102 00×10")
        },
        Statement(170, "An answer inside a path follows PATH_UPDATED", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            let tag = try radio.ask("27 00 00 00 \(Peer.rep.key)", "06 01 tag4 ?4")["tag"]
            let path = Peer.rep.returnedPath([0xAA], extra: .response, tag + [1, 2], to: try radio.me())
            try radio.hear(path.by(.flood, path: [0xBB]))
            try radio.expect("81 \(Peer.rep.key)")
            try radio.expect("8B 00 \(Peer.rep.prefix) 0102 …")
        },
        Statement(176, "Tags are the clock, and never the same twice", needs: .emptyContacts) { radio in
            try radio.add(.rep, type: 2)
            let now = try radio.now()
            let tags = try (0..<5).map { _ in try radio.ask("1B \(Peer.rep.key)", "06 01 tag4 ?4").number("tag") }
            try radio.require(
                tags[0] >= now && zip(tags, tags.dropFirst()).allSatisfy { $1 > $0 }, "rising tags from \(now) on",
                got: "\(tags)")
            guard radio.isAlone else { return }
            try radio.require("last tag", tags[4], is: tags[0] + 4)
        },
        Statement(177, "An answer that nobody asked for, with tag 0, is pushed as telemetry", needs: .packets) {
            radio in
            try radio.add(.rep, type: 2)
            // A request that an earlier statement left unanswered would take the answer.
            if !radio.isAlone { try radio.ask("32 \(Peer.rep.key) 05", "06 ?9") }
            try answer("00000000 \(radio.nonce)", radio)
            try radio.expect("8B 00 \(Peer.rep.prefix) \(radio.nonce) 00×8")
        },
        Statement(178, "An answer that comes while nobody is connected is lost", needs: [.air, .link]) { radio in
            try radio.add(.rep, type: 2)
            let tag = try radio.ask("32 \(Peer.rep.key) 05", "06 01 tag4 ?4")["tag"]
            _ = try radio.me()
            try radio.disconnect()
            try answer("\(tag) 0102", radio)
            try radio.wait(.seconds(1))
            try radio.connect()
            try radio.expectSilence()
            try radio.ask("38 02", "18 02 01000000 …")
            try answer("\(tag) 0103", radio)
            try radio.expect("88 …")
            try radio.expectSilence()
        },
        Statement(179, "An answer of more than 156 bytes is not delivered", needs: .air) { radio in
            try radio.add(.rep, type: 2)
            let first = try radio.ask("32 \(Peer.rep.key) 05", "06 01 tag4 ?4")["tag"]
            try answer("\(first) \(bytes(0xA5, 157))", radio)
            try radio.expectSilence()
            let second = try radio.ask("32 \(Peer.rep.key) 05", "06 01 tag4 ?4")["tag"]
            try answer("\(second) \(bytes(0xA5, 156))", radio)
            try radio.expect("8C 00 \(second) A5×156")
        },
    ]

    /// Knows the repeater and asks it to let us in.
    static func logIn(_ radio: Probe) throws {
        try radio.add(.rep, type: 2)
        try radio.ask("1A \(Peer.rep.key) 'password'", "06 01 \(Peer.rep.key.prefix(4)) ?4")
        _ = try radio.expectAir(.anonymous, .flood)
    }

    /// Has the repeater answer with this RESPONSE, sent direct.
    static func answer(_ data: Pattern, _ radio: Probe) throws {
        try radio.hear(Peer.rep.response(try data.bytes(), to: try radio.me()).by(.direct))
    }
}
