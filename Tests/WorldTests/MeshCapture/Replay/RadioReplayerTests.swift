import MeshCompanion
import MeshTime
import MeshWire
import Testing

@testable import MeshCapture

/// The capture plays the radio.
@Suite struct RadioReplayerTests {
    private let key = String(repeating: "c3", count: 32)

    @Test func `a command gets the answer that was recorded for it`() {
        var client = Played(recorded("0 +\n1 > 14\n1.1 < 0c 04 10\n2 > 05\n2.1 < 09 01 00 00 00"))

        #expect(client.asks("14") == ["0c0410"])
        #expect(client.asks("05") == ["0901000000"])
        #expect(client.radio.departures.isEmpty && client.radio.neverCame.isEmpty)
    }

    @Test func `commands may come in another order, and what never came is told`() {
        var client = Played(recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 > 05\n2.1 < 0901000000\n3 > 2b\n3.1 < 17"))

        #expect(client.asks("05") == ["0901000000"])
        #expect(client.asks("14") == ["0c0410"])

        #expect(client.radio.neverCame.map(\.command) == [[0x2B]])
    }

    @Test func `a recorded command says which of its bytes make no difference`() throws {
        var problems: [CaptureProblem] = []
        let lines = "0 tcp +\n1 tcp > 0c0a any=1\n1 tcp < 00\n"
        var client = Played(try Recording("meshbed capture 1\n\n\(lines)".utf8, problems: &problems))

        #expect(client.asks("0c14") == ["00"])
        #expect(client.radio.departures.isEmpty && problems.isEmpty)
    }

    @Test func `a client that asks again gets the next answer, and then the last one for ever`() {
        var client = Played(recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 > 14\n2.1 < 0c0510"))

        #expect(client.asks("14") == ["0c0410"])
        #expect(client.asks("14") == ["0c0510"])
        #expect(client.asks("14") == ["0c0510"])
        #expect(client.radio.repeated == 1 && client.radio.departures.isEmpty)
    }

    @Test(
        arguments: [
            // Recorded, sent instead, scrubbed.
            ("0100000000000000616263", "010300000000000078797a00", []),
            ("060a0b0c0d", "0601020304", []),
            ("0200000a0b0c0dc3c3c3c3c3c36869", "020003010203 04c3c3c3c3c3c36869", []),
            ("0300000a0b0c0d6869", "030000010203046869", []),
            ("24443322110700000000aabb", "24112233440900000000aabb", []),
            ("16 03", "16 08", []),
            ("04 0a0b0c0d", "04 01020304", []),
            ("37 80041122334400000000", "37 8004aabbccdd01020304", []),
            ("0200000a0b0c0dc3c3c3c3c3c3 6869", "0200000a0b0c0dc3c3c3c3c3c3 79616161", [.texts]),
            ("25 01e24000", "25 40e20100", [.pins]),
            ("08 616263", "08 7a7a7a7a", [.names]),
            ("0e 0102030405060708", "0e 1111111122222222", [.positions]),
        ] as [(String, String, Set<RecordingHeader.Secret>)])
    func `a command means the same when only hours, draws and private matters differ`(
        recordedHex: String, seen: String, scrubbed: Set<RecordingHeader.Secret>
    ) {
        var client = Played(recorded("0 +\n1 > \(recordedHex)\n1.1 < 00", scrubbed: scrubbed))

        let answer = client.asks(seen)

        #expect(answer == ["00"], "\(client.radio.departures)")
        #expect(client.radio.departures.isEmpty)
    }

    @Test(arguments: [
        ("0200000a0b0c0dc3c3c3c3c3c36869", "0200000a0b0c0dc3c3c3c3c3c36868", "text"),
        ("0200000a0b0c0dc3c3c3c3c3c36869", "0200000a0b0c0da1c3c3c3c3c36869", "pubkey_prefix"),
        ("0300000a0b0c0d6869", "0300010a0b0c0d6869", "channel_idx"),
        ("24443322110700000000aabb", "24443322110700000000aacc", "path"),
        ("16 03", "16 01", "app_target_ver"),
        ("37 80041122334400000000", "37 80021122334400000000", "payload"),
        ("25 01e24000", "25 40e20100", "pin"),
        ("0b f2440d0024f400000805", "0b f3440d0024f400000805", "freq"),
    ])
    func `a field that matters makes it another command, which is refused and told by field`(
        recordedHex: String, seen: String, field: String
    ) throws {
        var client = Played(recorded("0 +\n1 > \(recordedHex)\n1.1 < 00"))

        let answer = try #require(client.asks(seen).first)

        #expect(answer.hasPrefix("01"))
        let departure = try #require(client.radio.departures.first)
        #expect(departure.nearest?.command == [UInt8](hex: recordedHex))
        #expect(departure.fields.map(\.name) == [field])
        #expect(departure.description.contains("\(field) is "))
    }

    @Test func `a code that was never recorded has no nearest command`() throws {
        var client = Played(recorded("0 +\n1 > 14\n1.1 < 0c0410"))

        #expect(client.asks("0702") == ["0103"])

        let departure = try #require(client.radio.departures.first)
        #expect(departure.nearest == nil)
        #expect(departure.description == "CMD_SEND_SELF_ADVERT 0702: no such command was recorded")
    }

    @Test func `answers are told from pushes, and pushes follow the command that they followed`() {
        let text = "0200000a0b0c0dc3c3c3c3c3c36869"
        var client = Played(
            recorded(
                "0 +\n1 > \(text)\n1.1 < 80 \(key)\n1.2 < 06 00 11223344 e8030000\n3 < 82 11223344 90010000\n4 > 14\n4.1 < 0c0410"
            ),
            pace: .recorded)

        #expect(client.asks("14") == [])
        #expect(client.waits(0.2) == ["0c0410"])
        #expect(client.asks(text) == [])
        #expect(client.waits(0.1) == ["80\(key)"])
        #expect(client.waits(0.2) == ["060011223344e8030000"])
        #expect(client.waits(1.6) == [])
        #expect(client.waits(0.1) == ["821122334490010000"])
    }

    @Test func `a command that is repeated has its late answer again, and no other push`() {
        let login = "1a \(key) 6869"
        var client = Played(
            recorded("0 +\n1 > \(login)\n1.1 < 06 00 11223344 e8030000\n1.5 < 83\n2 < 85 01 c3c3c3c3c3c3"))

        #expect(client.asks(login) == ["060011223344e8030000", "8501c3c3c3c3c3c3", "83"].sorted(by: Self.asRecorded))
        #expect(client.asks(login) == ["060011223344e8030000", "8501c3c3c3c3c3c3"])
    }

    private static func asRecorded(_ one: String, _ other: String) -> Bool {
        let order = ["06", "85", "83"]
        return order.firstIndex(of: String(one.prefix(2))) ?? 9 < order.firstIndex(of: String(other.prefix(2))) ?? 9
    }

    @Test func `a push whose command does not come is given when the client is silent`() {
        var client = Played(recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 < 83\n3 > 0a\n3.1 < 0a"), pace: .recorded)

        #expect(client.waits(29) == [])
        #expect(client.waits(2) == ["83"])
        #expect(client.radio.isSpent)
    }

    @Test func `no message is given before it was announced, and none twice`() {
        let message = "10 0a 0000 c3c3c3c3c3c3 ff 00 01020304 6869"
        var client = Played(
            recorded("0 +\n1 > 0a\n1.1 < 0a\n2 > 14\n2.1 < 0c0410\n5 < 83\n5.1 > 0a\n5.2 < \(message)"), pace: .recorded
        )
        let given = [UInt8](hex: message)?.hex ?? ""

        #expect(client.asks("0a") == [] && client.waits(0.1) == ["0a"])
        #expect(client.asks("0a") == ["0a"])
        #expect(client.asks("14") == [] && client.waits(0.2) == ["0c0410"])
        #expect(client.waits(4) == ["83"])
        #expect(client.asks("0a") == [] && client.waits(0.2) == [given])
        #expect(client.asks("0a") == ["0a"])
    }

    // MARK: What the radio repeats

    @Test func `tags that the client draws come back as its own`() {
        var client = Played(
            recorded(
                "0 +\n1 > 24443322110700000000aabb\n1.1 < 06 00 44332211 60170000\n2 < 89 00 02 00 44332211 07000000 aabb 28d8 14"
            ))

        #expect(
            client.asks("24010203040900000000aabb")
                == ["06000102030460170000", "890002000102030409000000aabb28d814"])
    }

    @Test func `the tag of a discovery comes back as the client's own`() {
        var client = Played(
            recorded("0 +\n1 > 37 80041122334400000000\n1.1 < 00\n2 < 8e 28 b0 00 92 e3 11223344 c3c3c3c3c3c3c3c3"))

        #expect(client.asks("37 8004aabbccdd00000000") == ["00", "8e28b00092e3aabbccddc3c3c3c3c3c3c3c3"])
    }

    @Test func `a channel that was set under another name is read under that name, and no other channel is`() {
        func channel(_ code: String, _ index: String, _ name: String, _ secret: String) -> String {
            code + index + name + String(repeating: "0", count: 64 - name.count) + String(repeating: secret, count: 16)
        }
        var client = Played(
            recorded(
                """
                0 +
                1 > \(channel("20", "01", "6161", "11"))
                1.1 < 00
                2 > 1f01
                2.1 < \(channel("12", "01", "6161", "11"))
                3 > 1f02
                3.1 < \(channel("12", "02", "6161", "11"))
                """, scrubbed: [.names, .keys]))

        #expect(client.asks(channel("20", "01", "626262", "22")) == ["00"])
        #expect(client.asks("1f01") == [channel("12", "01", "626262", "22")])
        #expect(client.asks("1f02") == [channel("12", "02", "6161", "11")])
    }

    @Test func `a clock that was set to another hour goes on from there`() {
        var client = Played(recorded("0 +\n1 > 06 00000010\n1.1 < 00\n2 > 05\n2.1 < 09 05000010"))

        #expect(client.asks("06 00000020") == ["00"])
        #expect(client.asks("05") == ["0905000020"])
    }

    @Test func `what the radio chose stays as recorded`() {
        let text = "0200000a0b0c0dc3c3c3c3c3c36869"
        var client = Played(
            recorded("0 +\n1 > \(text)\n1.1 < 06 00 0a0b0c0d e8030000\n3 < 82 0a0b0c0d 90010000"))

        #expect(
            client.asks("02000001020304c3c3c3c3c3c36869") == ["06000a0b0c0de8030000", "820a0b0c0d90010000"])
    }

    // MARK: Links

    @Test func `the next connection goes on behind the last one`() {
        var client = Played(
            recorded("0 +\n1 > 05\n1.1 < 0901000000\n2 -\n3 +\n3.5 < 83\n4 > 05\n4.1 < 0909000000"))

        #expect(client.asks("05") == ["0901000000"])
        #expect(client.reconnects() == ["83"])
        #expect(client.asks("05") == ["0909000000"])
    }

    @Test func `what was left out on one connection is not made up for on the next`() {
        var client = Played(
            recorded("0 +\n1 > 05\n1.1 < 0901000000\n2 > 05\n2.1 < 0902000000\n3 -\n4 +\n5 > 05\n5.1 < 0909000000"))

        #expect(client.asks("05") == ["0901000000"])
        _ = client.reconnects()
        #expect(client.asks("05") == ["0909000000"])
    }

    @Test func `two commands that changed places take nothing from the next connection`() {
        // The power is 22 dBm, and 11 dBm once it was set; the message was asked for before.
        var client = Played(
            recorded(
                "0 +\n1 > 0a\n1.1 < 0a\n2 > 0c0b\n2.1 < 00\n3 > 05\n3.1 < 0902000000\n4 -\n"
                    + "5 +\n6 > 0a\n6.1 < 0a\n7 > 05\n7.1 < 0909000000"))

        #expect(client.asks("0c0b") == ["00"])
        #expect(client.asks("0a") == ["0a"])
        #expect(client.asks("05") == ["0902000000"])
    }

    @Test func `a radio that restarted ends the link`() {
        var client = Played(recorded("0 +\n1 > 13 7265626f6f74\n1.1 -\n3 +\n4 > 05\n4.1 < 0909000000"))

        #expect(client.asks("13 7265626f6f74") == [])

        #expect(client.hungUp)
    }

    @Test func `an answer waits as long as was recorded, and half as long at twice the speed`() {
        let recording = recorded("0 +\n1 > 14\n3 < 0c0410")
        var client = Played(recording, pace: .recorded)
        var hasty = Played(recording, pace: .recorded(perMille: 2000))

        #expect(client.asks("14") == [] && hasty.asks("14") == [])
        #expect(client.waits(1.9) == [] && client.waits(0.1) == ["0c0410"])
        #expect(hasty.waits(0.9) == [] && hasty.waits(0.1) == ["0c0410"])
    }

    @Test func `empty and unknown frames of a client stop nobody`() {
        var client = Played(recorded("0 +\n1 > f7 01\n1.1 < 0101"))

        #expect(client.asks("") == [])
        #expect(client.asks("f7 01") == ["0101"])
        #expect(client.asks("f7 02") == ["0101"])
        #expect(client.radio.departures.count == 1)
    }
}
