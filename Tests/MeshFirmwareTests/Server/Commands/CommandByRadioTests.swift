import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Commands that administrators send by radio.
@Suite struct CommandByRadioTests {
    private static let all = ServerRole.allCases

    /// A node at 2026-01-01, with Alice as administrator.
    private func stage(_ role: ServerRole) -> ConsoleBench {
        var stage = ConsoleBench(role)
        #expect(stage.type("setperm \(ConsoleBench.alice.key.hex) 3") == "OK")
        stage.setClock(1_767_225_600)
        return stage
    }

    private static func replyDelay(of role: ServerRole) -> Int64 {
        switch role {
        case .repeater: 600
        case .roomServer: 300
        case .sensor: 1000
        }
    }

    @Test(.proves("INF-189"), arguments: all)
    func `a command is answered by a text of its own type after the role's delay, and not acknowledged`(
        role: ServerRole
    ) throws {
        var stage = stage(role)

        let sent = stage.tell("ver")

        #expect(sent.map(\.at) == [Self.replyDelay(of: role)])
        #expect(sent.first?.packet.type == .txtMsg)
        let reply = try #require(ConsoleBench.text(sent.first?.packet))
        #expect(reply.head == 0x04)
        #expect(reply.text == "v1.17.1 (Build: 14 Aug 2026)")
    }

    @Test(.proves("INF-190"), arguments: all)
    func `three bytes up to a bar come back in front of the answer of a line longer than four`(role: ServerRole) {
        var stage = stage(role)

        for (line, answer) in [
            ("ab|xy", "ab|Unknown command"), ("ab|x", "Unknown command"), ("7f|get role", "7f|> \(role.commandName)"),
            ("ab|cd|ef", "ab|Unknown command"), ("  7f|set lat 1", "7f|OK"),
        ] {
            #expect(stage.command(line) == answer)
            #expect(stage.type(line) == answer)
        }
    }

    @Test(.proves("INF-191"), arguments: [ServerRole.repeater, .roomServer])
    func `a retry neither runs the command nor is answered`(role: ServerRole) {
        var stage = stage(role)
        let time = stage.nextStamp()
        let first = stage.tell("time 1800000000", at: time)
        #expect(first.count == 1)
        #expect(stage.clock() >= 1_800_000_000)
        stage.setClock(1_790_000_000)

        let sent = stage.tell("time 1800000000", attempt: 1, at: time)

        #expect(sent.isEmpty)
        #expect(stage.clock() < 1_790_000_010)
    }

    @Test(.proves("INF-192"))
    func `a repeater acknowledges a plain command, then answers; its retry is acknowledged only`() throws {
        var stage = stage(.repeater)
        let time = stage.nextStamp()
        let plain = try #require(TextPlaintext(timestamp: time, text: "get name"))
        let retried = try #require(TextPlaintext(timestamp: time, attempt: 1, text: "get name"))
        let acks = [plain, retried].map { text in
            text.ackHash(sender: ConsoleBench.alice.key, receiver: InfrastructureVectors.server.publicKey).map {
                Peer.bytes($0).hex
            }
        }

        let first = stage.tell("get name", type: .plain, at: time)
        let again = stage.tell("get name", type: .plain, attempt: 1, at: time)

        #expect(first.map(\.at) == [200, 600])
        #expect(first.map(\.packet.type) == [.ack, .txtMsg])
        #expect(first.first?.packet.payload.hex == acks[0])
        #expect(ConsoleBench.text(first.last?.packet)?.text == "> repeater")
        #expect(ConsoleBench.text(first.last?.packet)?.type == .cliData)
        #expect(again.map(\.at) == [200])
        #expect(again.first?.packet.payload.hex == acks[1])
    }

    @Test(.proves("INF-193"), arguments: all)
    func `who is no administrator gets silence, and nothing happens`(role: ServerRole) {
        var stage = stage(role)
        for permissions in ["0", "1", "2", "64"] {
            _ = stage.type("setperm \(ConsoleBench.bob.key.hex) \(permissions)")
            let (preferences, flash) = (stage.server.preferences, stage.server.flash)

            #expect(stage.command("ver", from: ConsoleBench.bob) == nil)
            #expect(stage.command("set name Bob", from: ConsoleBench.bob) == nil)

            #expect(stage.server.preferences == preferences)
            #expect(stage.server.flash[ServerPreferences.path] == flash[ServerPreferences.path])
        }
        _ = stage.type("setperm \(ConsoleBench.bob.key.hex) 3")
        #expect(stage.command("get name", from: ConsoleBench.bob)?.hasPrefix("> ") == true)
    }

    @Test(
        .proves("INF-194"),
        arguments: all,
        [
            ("get prv.key", "??: prv.key"), ("get acl", "??: acl"), ("set freq 868", "unknown config: freq 868"),
            ("erase", "Unknown command"), ("log", "Unknown command"), ("stats-core", "Unknown command"),
            ("stats-radio", "Unknown command"), ("stats-packets", "Unknown command"),
        ])
    func `what is for the console is unknown by radio`(role: ServerRole, row: (String, String)) {
        var stage = stage(role)
        let (preferences, files) = (stage.server.preferences, stage.server.flash.files.map(\.path))

        #expect(stage.command(row.0) == row.1)

        #expect(stage.server.preferences == preferences)
        #expect(files.allSatisfy { stage.server.flash[$0] != nil })
        #expect(stage.type(row.0) != row.1)
    }

    @Test(.proves("INF-195"), arguments: all)
    func `clock sync sets the second after the command's, and never back`(role: ServerRole) {
        var stage = stage(role)

        let ahead = stage.command("clock sync", at: 1_800_000_000)
        #expect(ahead == "OK - clock set: 08:00 - 15/1/2027 UTC")
        // The command was heard 2.5 s ago.
        #expect(stage.clock() == 1_800_000_003)

        stage.setClock(1_900_000_000)
        #expect(stage.command("clock sync", at: 1_850_000_000) == "ERR: clock cannot go backwards")
        #expect(stage.clock() == 1_900_000_002)
        #expect(stage.type("clock sync") == "ERR: clock cannot go backwards")
    }

    @Test(.proves("INF-196"), arguments: all)
    func `a room stamps its answer before the clock is set, the others after it`(role: ServerRole) throws {
        var stage = stage(role)
        let before = stage.clock()

        let sent = stage.tell("clock sync", at: 1_800_000_000)

        let stamp = try #require(ConsoleBench.text(sent.first?.packet)).timestamp
        #expect(role == .roomServer ? before...before + 1 ~= stamp : stamp == 1_800_000_001)
    }

    @Test(.proves("INF-197"), arguments: all)
    func `time does not go back, and says so in parentheses`(role: ServerRole) {
        var stage = stage(role)
        let clock = stage.clock()

        for line in ["time 1", "time \(clock - 1)", "time", "time x", "time -5", "time 4294967297"] {
            let answer = stage.type(line)
            #expect(answer == (line == "time" ? "Unknown command" : "(ERR: clock cannot go backwards)"), "\(line)")
        }

        #expect(stage.clock() == clock)
        #expect(stage.type("time \(clock + 60)x").hasPrefix("OK - clock set: "))
        #expect(stage.clock() == clock + 60)
    }

    @Test(.proves("INF-198"), arguments: all)
    func `a reboot sends nothing, and its retry after the restart reboots again`(role: ServerRole) {
        var first = stage(role)
        first.run(.seconds(10))
        #expect(first.server.clients.count == 1)

        let answer = first.tell("reboot", at: 1_767_226_002)

        #expect(answer.isEmpty)

        #expect(first.restarts == 1)
        var second = ConsoleBench(role, flash: first.server.flash)
        #expect(second.server.clients.count == 1)
        let again = second.tell("reboot", attempt: 1, at: 1_767_226_002)
        #expect(again.isEmpty)
        #expect(second.restarts == 1)
    }

    @Test(.proves("INF-199"), arguments: all)
    func `a password is echoed as far as it is kept, and administrators stay`(role: ServerRole) {
        var stage = stage(role)

        #expect(stage.command("password abcdefghijklmnopqrst") == "password now: abcdefghijklmno")

        #expect(stage.command("ver") == "v1.17.1 (Build: 14 Aug 2026)")
        #expect(stage.server.preferences.password == "abcdefghijklmno")
        let old = stage.letsIn(ConsoleBench.bob, password: "password")
        let new = stage.letsIn(ConsoleBench.bob, password: "abcdefghijklmno")
        #expect((old, new) == (false, true))
        #expect(ConsoleBench(role, flash: stage.server.flash).server.preferences.password == "abcdefghijklmno")
    }

    @Test(.proves("INF-200"), arguments: all)
    func `temporary radio settings come after two seconds and go after their minutes, and are not saved`(
        role: ServerRole
    ) {
        var stage = stage(role)
        let own = stage.node.core.parameters
        let file = stage.server.flash[ServerPreferences.path]
        stage.run(.milliseconds(2500))

        #expect(stage.type("tempradio 868.1,125,7,6,1") == "OK - temp params for 1 mins")

        stage.run(.milliseconds(2000))
        #expect(stage.node.core.parameters == own)
        stage.run(.milliseconds(1))
        let other = stage.node.core.parameters
        #expect(other.frequencyKilohertz == 868_100)
        #expect(other.bandwidthHertz == 125_000)
        #expect(other.spreadingFactor == 7)
        #expect(other.codingRate == 6)
        stage.run(.milliseconds(59_999))
        #expect(stage.node.core.parameters == other)
        stage.run(.milliseconds(1))
        #expect(stage.node.core.parameters == own)
        #expect(stage.server.flash[ServerPreferences.path] == file)
    }

    @Test(arguments: all)
    func `an answer by radio has at most 162 bytes; a longer one disappears, and the command counts`(
        role: ServerRole
    ) throws {
        var stage = stage(role)
        for (length, isAnswered) in [(162, true), (163, false), (171, false)] {
            let line = "get " + String(repeating: "x", count: length - 4)
            let sent = stage.tell(line)
            #expect(sent.count == (isAnswered ? 1 : 0))
            if isAnswered {
                #expect(try #require(ConsoleBench.text(sent.first?.packet)).text.string == "??: " + line.dropFirst(4))
            }
        }
        let name = "set name " + String(repeating: "n", count: 162)

        let kept = stage.tell(name)
        #expect(kept.count == 1)

        #expect(stage.server.preferences.name.count == 31)
    }
}
