import MeshCapture
import MeshFiles
import MeshRecords
import MeshTestSupport
import MeshTime
import Testing

/// Records as recordings, and what adverts among them tell.
@Suite struct ObserverRecordingsTests {
    @Test func `each observer has a recording, which is read again`() throws {
        let file = try RecordFile(FieldExample.bytes("observers.jsonl"))

        let parts = ObserverRecordings(file.packets).parts

        #expect(parts.map { $0.observer?.name } == ["Valley observer", "Hill observer"])
        #expect(parts.map(\.lines) == [[2, 4, 6, 9], [5, 7, 8, 10]])
        #expect(parts[0].recording.entries.map(\.time.microseconds) == [0, 700_000, 3_100_000, 6_200_000])
        #expect(parts[0].recording.header.date == "2025-11-22")
        #expect(parts[0].recording.header.began == .microseconds(43_201_700_000))
        var problems: [CaptureProblem] = []
        let again = try Recording([UInt8](parts[0].recording.text.utf8), problems: &problems)
        #expect(again == parts[0].recording && problems.isEmpty)
        #expect(again.text.contains("began: 12:00:01.700000\n"))
        #expect(again.text.contains(" snr=9.5 rssi=-71\n"))
    }

    @Test func `packets without a time follow the one before, and longer ones than any are left out`() throws {
        let long = String(repeating: "00", count: 256)
        let text = """
            {"raw":"1500","timestamp":"2026-11-22T12:00:05Z"}
            {"raw":"1501"}
            {"raw":"1502","timestamp":"2026-11-22T12:00:00Z","direction":"tx"}
            {"raw":"\(long)"}
            """
        let recordings = ObserverRecordings(try RecordFile([UInt8](text.utf8)).packets)

        #expect(recordings.misfits.map(\.line) == [4])
        let entries = recordings.parts[0].recording.entries
        #expect(entries.map(\.time.microseconds) == [5_000_000, 5_000_000, 0])
        #expect(
            entries.map(\.event) == [
                .packet(.heard, [0x15, 0x00], signal: nil), .packet(.heard, [0x15, 0x01], signal: nil),
                .packet(.transmitted, [0x15, 0x02], signal: nil),
            ])
    }

    @Test func `the newest valid advert of a node counts, and a forged one does not`() throws {
        var heard = HeardAdverts()
        let file = try RecordFile(FieldExample.bytes("observers.jsonl"))

        let places = file.packets.map { heard.take($0) }

        #expect(places == [0, 1, 1, 2, 3, nil, nil, nil])
        #expect(heard.nodes.map(\.title) == ["Hill", "Roof", "Ann", "Mast"])
        #expect(heard.nodes.map { $0.point == nil } == [false, false, false, true])
        #expect(heard.adverts == 5)
    }

    @Test func `of two cards one is forged, and tells of no node`() throws {
        var heard = HeardAdverts()

        let places = try RecordFile(FieldExample.bytes("cards-forged.txt")).packets.map { heard.take($0) }

        #expect(places == [0, nil, 1])
    }

    // MARK: What was left out

    @Test func `a tally names the first lines, and one reason once`() {
        var leftOut = LeftOut(of: "line")
        for line in 1...7 { leftOut.note("of no use", line: line, detail: "detail \(line)") }
        leftOut.note("of another kind", isFault: false, line: 0)

        #expect("\(leftOut.rows[0])" == "7 lines of no use, lines 1, 2, 3, 4, 5, …: detail 1")
        #expect("\(leftOut.rows[1])" == "1 line of another kind")
        #expect((leftOut.count, leftOut.faults) == (8, 7))
        leftOut.excuse("of no use")
        #expect(leftOut.faults == 0)
        var both = LeftOut(of: "line")
        both.note("of no use", line: 9)
        both.add(leftOut)
        #expect(both.rows[0].count == 8 && both.rows[0].lines == [9, 1, 2, 3, 4])
    }
}
