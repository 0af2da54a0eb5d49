import MeshFiles
import MeshRecords
import MeshTestSupport
import MeshWire
import Testing

/// Files of packets that other tools write: each form, whole and damaged.
@Suite struct RecordFileTests {
    private func file(_ text: String) throws(FileProblem) -> RecordFile { try RecordFile([UInt8](text.utf8)) }

    /// The reasons of a tally with their counts.
    private func reasons(_ leftOut: LeftOut) -> [String] { leftOut.rows.map { "\($0.count) \($0.reason)" } }

    // MARK: The forms

    @Test func `records of observers have time, signal and observer, and what is no packet is counted`() throws {
        let file = try RecordFile(FieldExample.bytes("observers.jsonl"))

        #expect(file.packets.map(\.line) == [2, 4, 5, 6, 7, 8, 9, 10])
        #expect(file.packets[0].time?.description == "2025-11-22 12:00:01.700 UTC")
        #expect(file.packets[0].time?.hasZone == false)
        #expect(file.packets[0].observer?.name == "Valley observer")
        #expect(file.packets[0].observer?.id.hasPrefix("48075a59") == true)
        #expect((file.packets[5].snr, file.packets[5].rssi) == (-4.5, -101))
        #expect((file.packets[6].snr, file.packets[6].rssi) == (nil, nil))
        #expect(
            reasons(file.leftOut) == [
                "1 without a packet", "1 equal to one before", "1 with the bytes of another packet",
                "1 with a packet that is cut", "1 of broken JSON",
            ])
        #expect((file.leftOut.count, file.leftOut.faults) == (5, 3))
        #expect("\(file.leftOut.rows[3])" == "1 record with a packet that is cut, line 12: 57 of 115 bytes")
    }

    @Test func `packets of CoreScope are one for each observation`() throws {
        let file = try RecordFile(FieldExample.bytes("corescope-packets.json"))

        #expect(file.packets.map { $0.observer?.name } == ["Valley observer", "Hill observer", "Valley observer"])
        #expect(file.packets.map(\.snr) == [8.25, 3, nil])
        #expect(file.packets[0].bytes.count == 116 && file.packets[1].bytes.count == 115)
        #expect(file.packets[0].time?.hasZone == true)
    }

    @Test func `a push of the client library has its signal in front of the packet`() throws {
        let file = try RecordFile(FieldExample.bytes("rxlog.jsonl"))

        #expect(file.packets.map(\.snr) == [9.5, -4.5])
        #expect(file.packets[0].bytes.starts(with: [0x11, 0x00, 0x88]))
        #expect(file.packets[0].time?.microseconds == 1_763_812_801_000_000)
    }

    @Test func `a console's lines with RAW have the packets, and the next line the signal`() throws {
        let file = try RecordFile(FieldExample.bytes("console.log"))

        #expect(file.packets.map(\.line) == [4, 7])
        #expect(file.packets.map(\.snr) == [9, -4])
        #expect(file.packets.map(\.rssi) == [-71, -101])
        #expect(file.packets[1].time?.description == "2025-11-22 12:00:06.000 UTC")
        // A console prints much else, which is no fault; a RAW that is cut is one.
        #expect(file.leftOut.rows.map(\.isFault) == [false, true])
        #expect(file.leftOut.rows[1].lines == [9])
    }

    @Test func `a list of cards has a packet for each card`() throws {
        let file = try RecordFile(FieldExample.bytes("cards.txt"))

        #expect(file.packets.map(\.line) == [3, 4])
        #expect(file.packets.map(\.form) == [.card, .card])
        #expect(reasons(file.leftOut) == ["2 with a link that has no packet", "1 with no packet in a known form"])
        #expect(file.leftOut.faults == 0)
    }

    @Test(arguments: [
        #"{"hex":"1500"}"#, #"{"data":"1500"}"#, #"{"raw_hex":"1500"}"#, #"{"raw":"15 00"}"#, "1500", "0x1500 # group",
        #"meshcore/MUC/AABB/packets {"raw":"1500"}"#, #"[{"raw":"1500"}]"#, #"{"packets":[{"raw_hex":"1500"}]}"#,
        #"{"type":"packet","data":{"raw":"1500","observer":"x"}}"#, #"{"packet":{"raw_hex":"1500"}}"#,
        #"{"raw_hex":"9c9d1500","payload":"1500","payload_length":2}"#, "\u{FEFF}1500", "\n\n  1500\r\n",
        "meshcore://1500", "10:58:12 - 15/5/2024 U RAW: 1500", "log: 10:58:12 - 15/5/2024 U RAW: 1500\r",
        #"{"raw_hex":null,"raw":"","hex":"1500"}"#,
    ])
    func `the same packet is found in each form`(text: String) throws {
        #expect(try file(text).packets.map(\.bytes) == [[0x15, 0x00]])
    }

    @Test(arguments: [true, false])
    func `a file in UTF-16 is read`(isLittle: Bool) throws {
        let units = [0xFEFF] + Array(#"{"raw":"1500","origin":"Höhe"}"#.utf16)
        let bytes = units.flatMap { unit in
            let pair = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isLittle ? pair.reversed() : pair
        }

        #expect(try RecordFile(bytes).packets.map { $0.observer?.name } == ["Höhe"])
        #expect(throws: FileProblem.self) { try RecordFile(bytes.dropLast()) }
    }

    // MARK: What does not fit

    @Test func `half of the records are cut, and the others are read`() throws {
        let record = #"{"raw":"1500112233","len":"5","SNR":"1"}"#
        let lines = (0..<40).map { $0.isMultiple(of: 2) ? record : String(record.prefix(10 + $0 / 2)) }

        let file = try file(lines.joined(separator: "\n"))

        #expect(file.packets.count == 20)
        #expect(file.leftOut.count == 20 && file.leftOut.faults == 20)
        #expect(file.leftOut.rows[0].lines == [2, 4, 6, 8, 10])
    }

    @Test func `any cut of an example is read or refused, and tells of its last line`() throws {
        for name in ["observers.jsonl", "corescope-packets.json", "console.log", "cards.txt", "rxlog.jsonl"] {
            let whole = FieldExample.bytes(name)
            for count in stride(from: 0, to: whole.count, by: 37) {
                guard let file = try? RecordFile([UInt8](whole[..<count])) else { continue }
                #expect(!file.packets.isEmpty)
            }
        }
        let half = FieldExample.bytes("corescope-packets.json").prefix(1000)
        let problem = #expect(throws: FileProblem.self) { try RecordFile([UInt8](half)) }
        #expect(problem?.reason.hasPrefix("is no JSON") == true && problem?.line ?? 0 > 1)
    }

    @Test(arguments: [
        ("", "is empty; looked for a packet in hex a line; console lines with RAW; cards (meshcore://…)"),
        ("hello", "has no packet, but 1 record with no packet in a known form, line 1: column 1 is not a hex digit"),
        (#"{"raw":"zz"}"#, "1 record with no hex in raw, line 1"),
        (#"{"status":"online"}"#, "1 record without a packet, line 1; looked for"),
        ("150", "column 3 ends in the middle of a byte"), ("{", "is no JSON"), ("[", "is no JSON"),
        ("meshcore://xy", "1 record with no hex in the card"),
    ])
    func `a file without a packet says what was looked for`(text: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) { try file(text) }

        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test func `a huge line is left out, and what stands behind it is read`() throws {
        let file = try file(String(repeating: "00", count: 40_000) + "\n1500")

        #expect(file.packets.map(\.line) == [2])
        #expect(reasons(file.leftOut) == ["1 longer than 65536 bytes"])
    }

    @Test func `numbers beyond any radio are left out of their packet, which stays`() throws {
        let file = try file(#"{"raw":"1500","SNR":1e300,"RSSI":"-9000","timestamp":-1,"len":2}"#)

        #expect(file.packets.map(\.snr) == [nil])
        #expect(file.packets[0].rssi == nil && file.packets[0].time == nil)
        #expect(reasons(file.leftOut) == ["1 with a signal that no radio reports"])
    }

    @Test func `hostile names are kept as they are, and cut`() throws {
        let name = "\u{1B}[2J\u{202E}\nforged " + String(repeating: "x", count: 200)
        let json = #"{"raw":"1500","origin":"\u001b[2J\u202e\nforged \#(String(repeating: "x", count: 200))"}"#

        let observer = try file(json).packets[0].observer

        #expect(observer?.name == ByteText(name).prefix(64).string)
        #expect(observer?.text.visibleLine.contains("\u{1B}") == false)
    }

    @Test func `a record that is nested too deep is left out`() throws {
        let file = try file("1500\n" + #"{"raw": "# + String(repeating: "[", count: 513))

        #expect(file.packets.count == 1)
        #expect(file.leftOut.rows.map(\.detail) == ["nested deeper than 32 levels"])
    }

    // MARK: Lines as they come

    @Test func `a packet of a console waits for its signal, and no longer`() {
        var reader = RecordReader()
        var packets: [HeardPacket] = []
        func take(_ line: String, _ number: Int) {
            _ = reader.take([UInt8](line.utf8)[...], number: number, into: &packets)
        }

        take("10:58:12 - 15/5/2024 U RAW: 15001122", 1)
        #expect(packets.isEmpty)
        take("10:58:12 - 15/5/2024 U: RX, len=4 (type=5, route=F, payload_len=2) SNR=10 RSSI=-60 score=1000", 2)
        #expect(packets.map(\.snr) == [10])
        take("10:58:13 - 15/5/2024 U RAW: 15001122", 3)
        take("10:58:14 - 15/5/2024 U RAW: 1500", 4)
        #expect(packets.map(\.snr) == [10, nil])
        reader.end(into: &packets)
        #expect(packets.map(\.line) == [1, 3, 4])
    }

    @Test func `a fault names its column`() {
        var reader = RecordReader()
        var packets: [HeardPacket] = []

        let fault = reader.take([UInt8]("  150z".utf8)[...], number: 1, into: &packets)

        #expect(fault?.column == 6 && fault?.reason == "is not a hex digit")
    }

    @Test(arguments: [
        ("observers.jsonl", true), ("rxlog.jsonl", true), ("cards.txt", true), ("console.log", false),
        ("app-export.json", false), ("cli-contacts.json", false),
    ])
    func `files of records are told by their first lines`(name: String, isOne: Bool) {
        #expect(RecordFile.looksLikeOne(FieldExample.bytes(name)) == isOne)
    }
}
