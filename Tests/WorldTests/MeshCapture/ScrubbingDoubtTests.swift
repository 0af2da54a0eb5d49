import MeshCompanion
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshCapture

/// Secrets that are not where they usually are: spelled otherwise, mistyped, repeated by nodes, in words for people.
@Suite struct ScrubbingDoubtTests {
    private static let secret = "Hunter2-geheim"
    private static let bytes = [UInt8](secret.utf8)

    private func scrubbed(_ frame: [UInt8], _ direction: FrameDirection = .toRadio) -> [UInt8] {
        var scrubber = RecordingScrubber(salt: ScrubbingTests.salt)
        return scrubber.scrubbed(frame: frame, direction)
    }

    private func holdsSecret(_ bytes: [UInt8]) -> Bool { ScrubbingTests.contains(bytes, Self.bytes) }

    /// The word with each letter in one of its cases.
    private static func cased(_ word: String, _ stream: inout RandomStream) -> String {
        String(word.map { Bool.random(using: &stream) ? Character($0.uppercased()) : $0 })
    }

    private static func blanks(_ least: Int, _ stream: inout RandomStream) -> String {
        let kinds = [" ", " ", "\t", "\r\n", "\n", "\r", "\u{0B}"]
        return (0..<Int.random(in: least...3, using: &stream))
            .map { _ in kinds[Int.random(in: 0..<kinds.count, using: &stream)] }.joined()
    }

    /// Leading blanks, number and bar, case, repeated blanks and line ends, over all commands that set a password.
    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `a password is replaced however the command is spelled`(seed: UInt64) throws {
        var stream = Seed(seed).stream("spellings")
        let commands = [
            ["password"], ["set", "guest.password"], ["set", "admin.password"], ["set", "bridge.secret"],
            ["set", "wifi.pwd"], ["login"], ["set", "prv.key"],
        ]
        let words = commands[Int.random(in: 0..<commands.count, using: &stream)]
        let number = ["", "01|", "7f|", "a|", "1|  "][Int.random(in: 0..<5, using: &stream)]
        let spelled = words.map { Self.cased($0, &stream) }
        let line =
            Self.blanks(0, &stream) + number
            + spelled.map { $0 + Self.blanks(1, &stream) }.joined() + Self.secret + Self.blanks(0, &stream)
        let frame = ScrubbingTests.text(.cliData, line)

        let scrubbed = scrubbed(frame)

        #expect(!holdsSecret(scrubbed), "\(line)")
        #expect(scrubbed.count == frame.count)
        // What the command was can still be read.
        #expect(ScrubbingTests.contains(scrubbed, [UInt8](spelled[0].utf8)), "\(line)")
    }

    @Test(arguments: [
        " password X", " set guest.password X", "Password x X", "set  guest.password X", "pasword X", "X",
        "set guest.passwort X", "set guest.password=X", "passwordX", "ver\npassword X", "ver X", "SET\tName.x X",
        "get X", "get guest.password X", "set repeat X", "set tx X", "reboot X", "sensor set token X", "time X",
        "clock sync X", "room.post X", "setperm X 3", "neighbor.remove X", "gps X", "log start X",
    ])
    func `what is no harmless command is replaced`(line: String) {
        let frame = ScrubbingTests.text(.cliData, line.replacing("X", with: Self.secret))

        #expect(!holdsSecret(scrubbed(frame)))
    }

    @Test(arguments: [
        "ver", "reboot", "clock sync", "clock", "time 1700000000", "get radio", "get guest.password", "01|get name",
        "set radio 869.525,250,11,5", "set repeat on", "set tx 22", "set af 1.0", "tempradio 869.5,62.5,8,5,10",
        "neighbor.remove 0a1b2c3d", "setperm 0a1b2c3d4e5f 3", "log start", "powersaving on", "region put home",
        "  advert", "stats-core", "gps advert share", "set flood.advert.interval 12", "start ota", "clear stats",
    ])
    func `the language of nodes stays`(line: String) {
        let frame = ScrubbingTests.text(.cliData, line)

        #expect(scrubbed(frame) == frame)
    }

    @Test(arguments: [
        "password now: X", "  Password Now:   X", "01|password now: X", "> X", "01|> X", ">X", "??: X",
        "unknown config: guest.passwort X", "Unknown Config: X",
    ])
    func `a node that tells a secret is not believed to tell anything else`(line: String) {
        let frame = ScrubbingTests.answer(line.replacing("X", with: Self.secret))

        #expect(!holdsSecret(scrubbed(frame, .toApp)))
    }

    @Test func `a value is that of an open question for a secret, whatever was lost before it`() {
        var scrubber = RecordingScrubber(salt: ScrubbingTests.salt)
        let asked = ["get radio", "set tx 20", "get guest.password", "ver"]
        for line in asked { _ = scrubber.scrubbed(frame: ScrubbingTests.text(.cliData, line), .toRadio) }

        let done = scrubber.scrubbed(frame: ScrubbingTests.answer("OK"), .toApp)
        let value = scrubber.scrubbed(frame: ScrubbingTests.answer("> \(Self.secret)"), .toApp)
        let radio = scrubber.scrubbed(frame: ScrubbingTests.answer("> 869.525,250.0,11,5"), .toApp)

        #expect(done == ScrubbingTests.answer("OK"))
        #expect(!holdsSecret(value))
        #expect(radio == ScrubbingTests.answer("> 869.525,250.0,11,5"))
    }

    /// Nodes carry out plain texts of admins, too.
    @Test func `a password in a plain text is replaced also where texts stay`() {
        var scrubber = RecordingScrubber(of: [.passwords], salt: ScrubbingTests.salt)

        let set = scrubber.scrubbed(frame: ScrubbingTests.text(.plain, " set guest.password \(Self.secret)"), .toRadio)
        let chat = scrubber.scrubbed(frame: ScrubbingTests.text(.plain, "see you at the lake"), .toRadio)

        #expect(!holdsSecret(set))
        #expect(chat == ScrubbingTests.text(.plain, "see you at the lake"))
    }

    @Test func `a login that is sent as a question of a stranger is replaced, a question stays`() {
        func request(_ data: [UInt8]) -> [UInt8] { ScrubbingTests.frame(SendAnonReq.self) { $0.data = data } }

        #expect(!holdsSecret(scrubbed(request(Self.bytes))))
        #expect(!holdsSecret(scrubbed(request([1, 2, 3, 4] + Self.bytes))))
        #expect(scrubbed(request([1, 0])) == request([1, 0]))
        #expect(scrubbed(request([2, 2, 0xAA, 0xBB])) == request([2, 2, 0xAA, 0xBB]))
    }

    @Test func `variables named after a secret lose their value`() {
        let set = ScrubbingTests.frame(SetCustomVar.self) { $0.setting = ByteText("wifi.pwd:\(Self.secret)") }
        let vars = ScrubbingTests.frame(Resp.CustomVars.self) { $0.vars = ByteText("gps:1,api.key:\(Self.secret)") }

        #expect(!holdsSecret(scrubbed(set)))
        let told = scrubbed(vars, .toApp)
        #expect(!holdsSecret(told) && ScrubbingTests.contains(told, [UInt8]("gps:1,api.key:".utf8)))
    }

    @Test func `a packet of a type that nobody knows says nothing any more, also inside a frame`() {
        var scrubber = RecordingScrubber(salt: ScrubbingTests.salt)
        let packet = [UInt8(12 << 2 | 1), 0] + Self.bytes
        let log = ScrubbingTests.frame(Push.LogRxData.self) { $0.raw = packet }

        #expect(!holdsSecret(scrubber.scrubbed(packet: packet)))
        #expect(!holdsSecret(scrubber.scrubbed(frame: log, .toApp)))
        #expect(scrubber.scrubbed(packet: packet).prefix(2) == packet.prefix(2))
    }

    @Test func `rows of the header that name a secret lose their value, unknown ones their words`() {
        let rows: [RecordingHeader.Row] = [
            .init("pin", "654321"), .init("PIN code", "1234"), .init("admin password", Self.secret),
            .init("remark", "bob's is \(Self.secret)"), .init("seed", "1234567"), .init("world", "pair"),
            .init("node", "alice"), .init("client", "pin 4321"),
        ]
        let recording = Recording(RecordingHeader(story: "pin-654321", rows: rows))

        let header = recording.scrubbed(salt: ScrubbingTests.salt).recording.header

        #expect(
            header.rows.map(\.value) == [
                "xxxxxx", "xxxx", "xxxxxxx-xxxxxx", "xxx'x is xxxxxxx-xxxxxx", "1234567", "pair", "alice", "pin xxxx",
            ])
        #expect(header.story == "pin-xxxxxx")
    }

    @Test func `words on lines for people are those of recorders or none`() throws {
        let entries = [
            RecordingEntry(.zero, .tcp, .problem("password \(Self.secret)"), note: Self.secret),
            RecordingEntry(.zero, .tcp, .disconnected(reason: "the PIN 654321 was wrong"), note: "4711 \(Self.secret)"),
            RecordingEntry(.zero, .tcp, .problem("12 bytes outside of frames to the radio")),
            RecordingEntry(.zero, .ble, .disconnected(reason: "reason 0x13")),
            RecordingEntry(.zero, .tcp, .disconnected(reason: "closed by the app")),
        ]

        let scrubbed = Recording(RecordingHeader(), entries).scrubbed(salt: ScrubbingTests.salt).recording

        #expect(
            scrubbed.entries.map(\.line) == [
                "0.000000 tcp ! xxxxxxxx xxxxxxx-xxxxxx ; xxxxxxx-xxxxxx\n",
                "0.000000 tcp - the xxx xxxxxx was xxxxx ; 4711 xxxxxxx-xxxxxx\n",
                "0.000000 tcp ! 12 bytes outside of frames to the radio\n", "0.000000 ble - reason 0x13\n",
                "0.000000 tcp - closed by the app\n",
            ])
    }

    /// Scrubs in the same way what a recorder writes while it records.
    @Test func `a recording that is scrubbed while it grows holds no password of a mistyped command`() {
        var scrubber = RecordingScrubber(salt: ScrubbingTests.salt)
        var recorder = StreamRecorder(.tcp)
        var entries: [RecordingEntry] = []
        recorder.connected(at: .zero, note: Self.secret, into: &entries)
        for line in [" password \(Self.secret)", "Set Guest.Password \(Self.secret)", "pasword \(Self.secret)\r\n"] {
            let frame = StreamFraming.encode(toRadio: ScrubbingTests.text(.cliData, line))
            recorder.take(frame, .toRadio, at: .milliseconds(1), into: &entries)
        }

        let text = entries.map { scrubber.scrubbed($0).line }.joined()

        #expect(entries.count == 4)
        #expect(!text.contains(Self.bytes.hex))
    }
}
