import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// The command line of companions and commands of contacts, since 1.18 (FWV-120 to FWV-130).
@Suite struct CommandLineTests {
    private func bench() -> CompanionBench { .running(.v1_18) }

    private func run(_ line: String, on bench: inout CompanionBench) throws -> String {
        let answer = try #require(bench.ask(RunCliCommand(ByteText(line))).first)
        return try Resp.CliReply(decoding: answer).text.string
    }

    @Test(
        .proves("FWV-121", "FWV-123"),
        arguments: [
            ("ver", "v1.18.0 (Build: 15 Oct 2026)"), ("  ver", "v1.18.0 (Build: 15 Oct 2026)"),
            ("01|get tx", "01|> 22"), ("get tx", "> 22"), ("nonsense", "Unknown command"),
            ("7f|nonsense", "7f|Unknown command"), ("version", "Unknown command"), ("get freq", "> 869.6179809"),
            ("get radio", "> 869.6179809,62.5,8,5"), ("set freq 868", "unknown config: freq 868"),
            ("get pin", "??: pin"),
            ("get af", "> 1.0"), ("set af 9.5", "ERROR: af must be 0-9"), ("set af 2", "OK"),
            ("set dutycycle 0", "ERROR: dutycycle must be 1-100"), ("set rxdelay 21", "Error, must be 0-20"),
            ("set txdelay 2.5", "Error, must be 0-2"), ("get txdelay", "> 0.5"), ("get direct.txdelay", "> 0.1999999"),
            ("set agc.reset.interval 22", "OK - interval rounded to 20"), ("get agc.reset.interval", "> 0"),
            ("set agc.reset.interval 1021", "Error, must be 0-1020"), ("get cad", "> off"), ("get int.thresh", "> 0"),
            ("set name a[b", "Error, bad chars"), ("set pin 1234", "> pin is now 001234"),
            ("set tz.offset 15", "Error, must be -12 to 14"),
            ("set tx 40", "Error, must be -9 to 22"), ("get wifi.ssid", "Error: unsupported"),
            ("set radio 100,250,11,5", "Error, invalid radio params"), ("get radio.fem.rxgain", "Error: unsupported"),
        ] as [(String, String)])
    func `a line has its reply`(_ line: String, _ reply: String) throws {
        var bench = bench()

        let answer = try run(line, on: &bench)
        #expect(answer == reply)
    }

    @Test(.proves("FWV-124")) func `what a line sets is what the frames show, at once and after a restart`() throws {
        var bench = bench()
        for line in [
            "set name Hill", "set tx 17", "set rxdelay 3", "set path.hash.mode 2", "set txdelay 1.5",
            "set tz.offset -3",
        ] {
            #expect(try run(line, on: &bench).hasPrefix("OK"), "\(line)")
        }
        for _ in 0..<2 {
            let info = try Resp.SelfInfo(decoding: try #require(bench.ask(AppStart()).first))
            let tuning = try Resp.TuningParams(decoding: try #require(bench.ask(GetTuningParams()).first))
            #expect((info.name, info.txPower) == ("Hill", 17))
            #expect(tuning.receiveDelay == 3000)
            #expect(bench.ask([0x16, 3])[0][81] == 2)
            #expect(bench.radio.floodDelayFactor == 1.5)
            #expect(try run("get tz.offset", on: &bench) == "> -3")
            bench.reboot()
        }
    }

    @Test func `the radio's parameters change with the restart and not before`() throws {
        var bench = bench()

        #expect(try run("set radio 868.5,125,9,6", on: &bench) == "OK - reboot to apply")
        let before = try Resp.SelfInfo(decoding: try #require(bench.ask(AppStart()).first))
        // Another setting does not lose what waits.
        #expect(try run("set multi.acks 1", on: &bench) == "OK")
        bench.reboot()
        let after = try Resp.SelfInfo(decoding: try #require(bench.ask(AppStart()).first))

        #expect((before.frequency, before.bandwidth, before.spreadingFactor) == (869_618, 62_500, 8))
        #expect((after.frequency, after.bandwidth, after.spreadingFactor, after.codingRate) == (868_500, 125_000, 9, 6))
        #expect(after.multiAcks == 1)
    }

    @Test(arguments: ["reboot", "poweroff", "shutdown", "01|reboot"])
    func `what ends the radio is not answered`(_ line: String) {
        var bench = bench()

        #expect(bench.ask(RunCliCommand(ByteText(line))) == [])
        #expect(bench.radio.isHalted)
        #expect(bench.rebootCount == (line.hasSuffix("reboot") ? 1 : 0))
    }

    // MARK: Contacts

    private func command(
        _ line: String, flags: UInt8, _ way: Peer.Way = .direct
    ) -> (bench: CompanionBench, air: [PacketView]) {
        var bench = bench()
        bench.add(.bob, flags: flags)
        bench.hear(Peer.bob.text(line, type: .remoteCommand, at: CompanionBench.epoch + 5, to: bench.key, way))
        return (bench, bench.airAfter(milliseconds: 3000))
    }

    private func texts(_ air: [PacketView], for key: PublicKey) throws -> [TextPlaintext] {
        try air.filter { $0.type == .txtMsg }.map { packet in
            try #require(Peer.bob.opened(packet.bytes, with: key)).withUnsafeBytes { try TextPlaintext(reading: $0) }
        }
    }

    @Test(
        .proves("FWV-127"),
        arguments: [Peer.Way.direct, .flood])
    func `a contact whose flag permits it commands the radio, and the app hears nothing`(_ way: Peer.Way) throws {
        var (bench, air) = command("get name", flags: 0x10, way)

        let replies = try texts(air, for: bench.key)
        #expect(air.count == 1)
        #expect(replies.map(\.type) == [.cliData])
        #expect(replies.first?.text.string.hasPrefix("> ") == true)
        #expect(bench.nextMessage() == [0x0A])
    }

    @Test(.proves("FWV-128")) func `without the flag the app gets the text with its type, and nothing is sent`() throws
    {
        for flags in [0, 0xEF] as [UInt8] {
            var (bench, air) = command("reboot", flags: flags, .flood)

            let message = try Resp.ContactMsgRecvV3(decoding: bench.nextMessage()).message
            #expect((message.textType, message.text) == (.remoteCommand, "reboot"))
            #expect(air.isEmpty && !bench.radio.isHalted)
        }
    }

    @Test(.proves("FWV-129")) func `a text of type 1 is never run`() {
        var bench = bench()
        bench.add(.bob, flags: 0xFF)
        bench.hear(Peer.bob.text("reboot", type: .cliData, at: CompanionBench.epoch, to: bench.key))

        #expect(!bench.radio.isHalted)
        #expect(bench.nextMessage().first == 0x10)
    }

    @Test func `older versions do not know the type, and keep the flag without heeding it`() throws {
        for version in FirmwareVersion.all where version != .v1_18 {
            var bench = CompanionBench.running(version)
            bench.add(.bob, flags: 0x10)
            bench.hear(Peer.bob.text("reboot", type: .remoteCommand, at: CompanionBench.epoch, to: bench.key, .flood))

            #expect(bench.airAfter().isEmpty && !bench.radio.isHalted)
            #expect(bench.nextMessage() == [0x0A])
            #expect(try bench.mustKnow(.bob).flags == 0x10)
        }
    }

    @Test(.proves("FWV-126"))
    func `a command is sent with the radio's own time and without an expected acknowledgement`() throws {
        var bench = bench()
        let sent = try bench.mustSend(
            SendTxtMsg(
                textType: .remoteCommand, attempt: 6, timestamp: 5, publicKeyPrefix: FixedBytes(Peer.bob.prefix),
                text: "get name"))

        let packet = try #require(bench.airAfter().first)
        let text = try texts([packet], for: bench.key)[0]
        #expect(sent.tag == 0)
        #expect(text.head == 0x0C | 2)
        #expect(text.timestamp >= CompanionBench.epoch)
    }

    @Test(
        .proves("FWV-131"),
        arguments: ServerRole.allCases)
    func `infrastructure nodes take type 3 for type 1 since then`(_ role: ServerRole) {
        for version in [FirmwareVersion.v1_17_1, .v1_18] {
            var board = BoardProfile.vectors
            board.firmware = version
            var stage = ServerStage(role, board: board)
            stage.logIn(ServerStage.alice)
            let line = ServerStage.alice.text("ver", type: .remoteCommand, at: stage.nextStamp(), to: ServerStage.key)
            let answers = stage.hear(line).filter { $0.type == .txtMsg }

            #expect(answers.count == (version == .v1_18 ? 1 : 0))
        }
    }
}
