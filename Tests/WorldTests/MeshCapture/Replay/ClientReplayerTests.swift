import MeshCompanion
import MeshTime
import MeshWire
import Testing

@testable import MeshCapture

/// The capture plays the client.
@Suite struct ClientReplayerTests {
    private func contact(_ key: String, _ name: String, lastmod: String) -> String {
        "03" + String(repeating: key, count: 32) + "0100ff" + String(repeating: "00", count: 64) + name
            + String(repeating: "0", count: 64 - name.count) + "01000000" + "0000000000000000" + lastmod
    }

    @Test func `commands are sent in their order, each when the one before is answered`() {
        var radio = PlayedClient(
            recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 > 2b\n2.1 < 17 00000000 e8030000"),
            answers: [["0c0410"], ["1700000000e8030000"]])

        #expect(radio.run() == [])

        #expect(radio.sent == ["14", "2b"])
        #expect(radio.client.checks.map(\.title) == ["CMD_GET_BATT_AND_STORAGE", "CMD_GET_TUNING_PARAMS"])
    }

    @Test func `a byte that differs is named by its field`() {
        var radio = PlayedClient(
            recorded("0 +\n1 > 2b\n1.1 < 17 00000000 e8030000"), answers: [["1700000000e9030000"]])

        #expect(
            radio.run() == [
                "CMD_GET_TUNING_PARAMS: RESP_CODE_TUNING_PARAMS: airtime_factor: recorded 1000 /1000, seen 1001 /1000 (content)"
            ])
    }

    @Test func `what may differ is a matter of rules`() {
        let recording = recorded("0 +\n1 > 05\n1.1 < 09 01000000\n2 > 14\n2.1 < 0c 0410")
        let answers = [["0905000000"], ["0c0510"]]
        var radio = PlayedClient(recording, answers: answers)
        var strict = PlayedClient(recording, rules: .none, answers: answers)
        var some = PlayedClient(recording, rules: .init(mayDiffer: [.time], fields: ["battery"]), answers: answers)

        #expect(radio.run() == [])
        #expect(strict.run().count == 2)
        #expect(some.run() == [])
    }

    @Test func `an answer that does not come is missing, and one that was not recorded is told`() {
        let recording = recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 > 07 01\n2.1 < 00")
        var silent = PlayedClient(recording, answers: [[], ["00"]])
        var talkative = PlayedClient(recording, answers: [["0c0410", "0901000000"], ["00"]])

        #expect(silent.run() == ["CMD_GET_BATT_AND_STORAGE: not answered; recorded was 0c0410"])
        #expect(talkative.run() == ["RESP_CODE_CURR_TIME: an answer that was not recorded: 0901000000"])
    }

    @Test func `an app that hung up before the answer has recorded none, and the radio may give one`() {
        let recording = recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 > 0a\n2.01 - closed by the app")
        var radio = PlayedClient(recording, answers: [["0c0410"], ["0a"]])
        var silent = PlayedClient(recording, answers: [["0c0410"], []])

        #expect(radio.run() == [])
        #expect(silent.run() == [])
    }

    @Test func `a refusal in place of an answer is a difference`() {
        var radio = PlayedClient(recorded("0 +\n1 > 14\n1.1 < 0c0410"), answers: [["0101"]])

        #expect(
            radio.run() == [
                "CMD_GET_BATT_AND_STORAGE: RESP_CODE_BATT_AND_STORAGE: frame: recorded RESP_CODE_BATT_AND_STORAGE, seen "
                    + "RESP_CODE_ERR (content)"
            ])
    }

    @Test func `contacts are compared by key, whatever their order, and the missing one is told`() {
        let (one, two) = (contact("aa", "6161", lastmod: "01000000"), contact("bb", "6262", lastmod: "02000000"))
        let recording = recorded("0 +\n1 > 04\n1.1 < 02 02000000\n1.2 < \(one)\n1.3 < \(two)\n1.4 < 04 02000000")
        var turned = PlayedClient(recording, answers: [["0202000000", two, one, "0402000000"]])
        var short = PlayedClient(recording, answers: [["0202000000", two, "0402000000"]])

        #expect(turned.run() == [])
        #expect(short.run() == ["CMD_GET_CONTACTS: not answered; recorded was \(one)"])
    }

    @Test func `a contact that was asked for by its key is the whole answer`() {
        let one = contact("aa", "6161", lastmod: "01000000")
        let key = String(one.dropFirst(2).prefix(64))
        let recording = recorded(
            "0 +\n1 > 1e\(key)\n1.1 < \(one)\n2 > 04\n2.1 < 02 01000000\n2.2 < \(one)\n2.3 < 04 01000000")
        var client = PlayedClient(recording, answers: [[one], ["0201000000", one, "0401000000"]])

        #expect(client.run() == [])
    }

    @Test func `a recorded frame says which of its bytes make no difference`() throws {
        var problems: [CaptureProblem] = []
        let lines = "0 tcp +\n1 tcp > 14\n1 tcp < 0c0410 any=1\n2 tcp < 8104 any=1\n"
        var radio = PlayedClient(
            try Recording("meshbed capture 1\n\n\(lines)".utf8, problems: &problems), rules: .none,
            answers: [["0cff10", "8105"]])

        #expect(radio.run() == [] && problems.isEmpty)
    }

    // MARK: Pushes

    @Test func `a push may come before its turn or within the limit behind it`() {
        let recording = recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 < 83\n3 > 0a\n3.1 < 0a")
        var early = PlayedClient(recording, answers: [["83", "0c0410"], ["0a"]])
        var late = PlayedClient(recording, answers: [["0c0410", "+8", "83"], ["0a"]])

        #expect(early.run() == [] && late.run() == [])
    }

    @Test func `a push that does not come is missing, and one that nobody expected is told in the end`() {
        let recording = recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 < 83\n3 > 0a\n3.1 < 0a")
        var missing = PlayedClient(recording, answers: [["0c0410"], ["0a"]])
        var extra = PlayedClient(recording, answers: [["0c0410", "83", "90"], ["0a"]])

        #expect(missing.run() == ["PUSH_CODE_MSG_WAITING: did not come; recorded was 83"])
        #expect(extra.run() == ["PUSH_CODE_CONTACTS_FULL: a push that was not recorded: 90"])
    }

    @Test func `packets that are logged come and go, and so does what the rules name`() {
        let recording = recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 < 88 28 b0 3e00\n3 > 0a\n3.1 < 0a")
        var radio = PlayedClient(recording, answers: [["0c0410", "90"], ["0a"]])
        var lenient = PlayedClient(
            recording, rules: .init(mayDiffer: [.measurement], fields: ["PUSH_CODE_CONTACTS_FULL"]),
            answers: [["0c0410", "90"], ["0a"]])

        #expect(radio.run() == ["PUSH_CODE_CONTACTS_FULL: a push that was not recorded: 90"])
        #expect(lenient.run() == [])
    }

    // MARK: What the radio chooses

    @Test func `the code that the radio expects is carried over to the confirmation, and another one is not`() {
        let text = "0200000a0b0c0dc3c3c3c3c3c36869"
        let recording = recorded("0 +\n1 > \(text)\n1.1 < 06 00 11223344 e8030000\n2 < 82 11223344 90010000")
        var radio = PlayedClient(recording, answers: [["0600aabbccdde8030000", "82aabbccdd20010000"]])
        var wrong = PlayedClient(recording, answers: [["0600aabbccdde8030000", "821122334420010000"]])

        #expect(radio.run() == [])
        #expect(
            wrong.run() == [
                "PUSH_CODE_SEND_CONFIRMED: PUSH_CODE_SEND_CONFIRMED: ack: recorded 0xddccbbaa, seen 0x44332211 (random)"
            ])
    }

    @Test func `the time of the last change is carried over to the next listing`() {
        var radio = PlayedClient(
            recorded(
                "0 +\n1 > 04\n1.1 < 02 00000000\n1.2 < 04 02000000\n2 > 04 02000000\n2.1 < 02 00000000\n2.2 < 04 02000000"
            ),
            answers: [["0200000000", "0409000000"], ["0200000000", "0409000000"]])

        #expect(radio.run() == [])
        #expect(radio.sent == ["04", "0409000000"])
    }

    @Test func `commands about the radio itself name the key that it has now`() {
        func info(_ key: String) -> String {
            "05010000" + String(repeating: key, count: 32) + String(repeating: "00", count: 22) + "61"
        }
        let (old, new) = (String(repeating: "aa", count: 32), String(repeating: "bb", count: 32))
        var radio = PlayedClient(
            recorded("0 +\n1 > 01 0300000000000061\n1.1 < \(info("aa"))\n2 > 1e \(old)\n2.1 < 01 02"),
            rules: .otherIdentities, answers: [[info("bb")], ["0102"]])

        #expect(radio.run() == [])
        #expect(radio.sent.last == "1e\(new)")
    }

    @Test func `a radio whose clock is elsewhere is set to its own future`() {
        let recording = recorded("0 +\n1 > 05\n1.1 < 09 00000010\n2 > 06 0a000010\n2.1 < 00")
        var elsewhere = PlayedClient(recording, answers: [["0900000020"], ["00"]])
        var nearby = PlayedClient(recording, answers: [["0905000010"], ["00"]])

        #expect(elsewhere.run() == [] && elsewhere.sent.last == "060a000020")
        #expect(nearby.run() == [] && nearby.sent.last == "060a000010")
    }

    // MARK: Links

    @Test func `a restart ends the link, and the next connection goes on`() {
        let recording = recorded("0 +\n1 > 13 7265626f6f74\n1.1 -\n3 +\n4 > 14\n4.1 < 0c0410")
        var radio = PlayedClient(recording, answers: [["-"], ["0c0410"]])
        var stays = PlayedClient(recording, answers: [[], ["0c0410"]])

        #expect(radio.run() == [])
        #expect(stays.run() == ["CMD_REBOOT: the link stays, and ended when it was recorded"])
    }

    @Test func `a link that ends by itself is told, and the rest of the connection is left out`() {
        var radio = PlayedClient(
            recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 > 2b\n2.1 < 1700000000e8030000\n3 -\n4 +\n5 > 05\n5.1 < 0901000000"),
            answers: [["-"], ["0901000000"]])

        #expect(
            radio.run() == [
                "CMD_GET_BATT_AND_STORAGE: not answered; recorded was 0c0410",
                "link: the link ended, and did not when it was recorded",
            ])
        #expect(radio.sent == ["14", "05"])
    }

    @Test func `what changes a radio is known beforehand`() {
        let script = ReplayScript(
            recorded("0 +\n1 > 14\n1.1 < 0c0410\n2 > 08 61\n2.1 < 00\n3 > 18 00\n3.1 < 0101\n4 > 08 62\n4.1 < 00"))

        #expect(script.changes == [.setAdvertName, .importPrivateKey])
        #expect(CommandCode.allCases.count { $0.row.changesRadio } == 22)
    }
}
