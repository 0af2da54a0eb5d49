import MeshCapture
import MeshCompanion
import MeshTime
import Testing

/// The project's own format.
@Suite struct RecordingTests {
    static let recording = Recording(
        RecordingHeader(
            firmware: "v1.17.1", board: "heltec-v3", transport: .tcp, story: "the time", date: "2026-11-22",
            scrubbed: [.keys, .pins], rows: [.init("world", "pair")]),
        [
            RecordingEntry(.zero, .tcp, .connected),
            RecordingEntry(.microseconds(1250), .tcp, .frame(.toRadio, [0x05]), note: "GET_DEVICE_TIME; asked"),
            RecordingEntry(.microseconds(3_000_000), .tcp, .frame(.toApp, [0x09, 1, 2, 3, 4])),
            RecordingEntry(
                .seconds(4), .air,
                .packet(.heard, [0x11, 0x22], signal: .init(snrQuarterDecibels: -41, rssi: -112))),
            RecordingEntry(
                .seconds(5), .air, .packet(.transmitted, [0x11], signal: nil),
                tolerance: tolerance { ($0.any, $0.sealed) = ([2...2, 4...9], [0...3]) }),
            RecordingEntry(
                .seconds(5), .tcp, .frame(.toApp, [0x09, 1, 2, 3, 4]), tolerance: tolerance { $0.within = 7 },
                note: "CURR_TIME"),
            RecordingEntry(.seconds(6), .tcp, .problem("12 bytes between frames")),
            RecordingEntry(.seconds(7), .tcp, .disconnected(reason: "closed by the app")),
        ])

    private static func tolerance(
        _ change: (inout RecordingEntry.Tolerance) -> Void
    ) -> RecordingEntry.Tolerance {
        var tolerance = RecordingEntry.Tolerance.none
        change(&tolerance)
        return tolerance
    }

    @Test func `what is written is read again`() throws {
        var problems: [CaptureProblem] = []

        let read = try Recording(Self.recording.text.utf8, problems: &problems)

        #expect(read == Self.recording)
        #expect(problems.isEmpty)
    }

    @Test func `a frame is a line that people can read`() {
        let lines = Self.recording.text.split(separator: "\n", omittingEmptySubsequences: false)

        #expect(lines.first == "meshbed capture 1")
        #expect(lines.contains("0.001250 tcp > 05 ; GET_DEVICE_TIME; asked"))
        #expect(lines.contains("4.000000 air < 1122 snr=-10.25 rssi=-112"))
        #expect(lines.contains("5.000000 air > 11 any=2,4-9 sealed=0-3"))
        #expect(lines.contains("5.000000 tcp < 0901020304 within=7 ; CURR_TIME"))
    }

    @Test(arguments: [
        ("x tcp +", "'x' is no time"), ("1.0 usb +", "no link 'usb'"), ("1.0 tcp *", "no mark '*'"),
        ("1.0 tcp @ restored", "a turn is"), ("1.0 tcp @ forked x", "a turn is"),
        ("1.0 tcp > 0g", "no hex"), ("1.0 tcp >", "no hex"), ("1.0 tcp > 05 06", "behind the frame"),
        ("1.0 air < 05 snr=1", "a signal is"), ("1.0", "a line is"), ("99999999999.0 tcp +", "no time"),
        ("1.0000001 tcp +", "no time"), ("1.0 tcp < 05 any=3-1", "names no bytes"),
        ("1.0 tcp < 05 any=", "names no bytes"), ("1.0 tcp < 05 any=1-2-3", "names no bytes"),
        ("1.0 tcp < 05 within=x", "no number"), ("1.0 tcp < 05 within=1", "four bytes"),
        ("1.0 air > 0901020304 within=1", "for frames"), ("1.0 tcp < 05 sealed=1", "for packets"),
    ])
    func `a line that is none is named, and those round it are read`(line: String, reason: String) throws {
        var problems: [CaptureProblem] = []
        let text = "meshbed capture 1\n\n0.5 tcp +\n\(line)\n2.0 tcp -\n"

        let read = try Recording(text.utf8, problems: &problems)

        #expect(read.entries.count == 2)
        #expect(problems.count == 1)
        #expect(problems.first?.number == 4)
        #expect(problems.first?.offset == 29)
        #expect(problems.first?.reason.contains(reason) == true, "\(problems)")
    }

    @Test func `a last line that was cut is left out and named`() throws {
        var problems: [CaptureProblem] = []

        let read = try Recording("meshbed capture 1\n\n0.5 tcp +\n0.6 tcp > 0".utf8, problems: &problems)

        #expect(read.entries.count == 1)
        #expect(problems.first?.reason == "the last line has no end: 11 bytes were left out")
    }

    @Test func `another file is refused at its first line`() {
        var problems: [CaptureProblem] = []

        #expect(throws: CaptureProblem.self) { try Recording("btsnoop\0".utf8, problems: &problems) }
    }

    // MARK: Time of day

    @Test(
        arguments: [
            ("12:00:01.7", 43_201_700_000), ("00:00:00", 0), ("23:59:59.999999", 86_399_999_999), ("24:00:00", nil),
            ("12:60:00", nil), ("12:00:60", nil), ("1:00:00", nil), ("12:00", nil), ("noon", nil), ("-1:00:00", nil),
        ] as [(String, Int64?)])
    func `the time of day at which a recording began is a row of its head`(text: String, microseconds: Int64?) {
        let header = RecordingHeader(rows: [.init("began", text)])

        #expect(header.began?.microseconds == microseconds)
    }

    @Test func `a time of day is written, replaced and kept when secrets are scrubbed`() throws {
        var header = RecordingHeader(rows: [.init("world", "town")])
        header.began = .microseconds(43_201_700_000)
        header.began = .microseconds(1_000_001)

        #expect(header.text.contains("began: 00:00:01.000001\n"))
        #expect(header.rows.count == 2)
        #expect(RecordingScrubber(salt: [1], in: header).header.began == header.began)
        let pin = RecordingHeader(rows: [.init("began", "123456")])
        #expect(RecordingScrubber(salt: [1], in: pin).header.value(of: "began") != "123456")
    }
}
