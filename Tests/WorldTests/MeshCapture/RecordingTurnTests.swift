import MeshCompanion
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshCapture

/// Recordings of radios whose world went back to a snapshot.
@Suite struct RecordingTurnTests {
    /// Reads lines without a header.
    static func recording(_ lines: String) throws -> Recording {
        var problems: [CaptureProblem] = []
        let recording = try Recording("meshbed capture 1\n\n\(lines)\n".utf8, problems: &problems)
        try #require(problems.isEmpty, "\(problems)")
        return recording
    }

    /// The clock is asked for before the snapshot, the battery behind it; then the world goes back, and another app
    /// asks.
    static let forked = """
        0 tcp +
        1 tcp > 05
        1 tcp < 0901020304
        2 tcp @ snapshot met
        3 tcp > 14
        3 tcp < 0c04100000000000000000
        4 tcp > 14
        2 tcp @ restored met
        5 tcp +
        5 tcp > 14
        5 tcp < \(battery)
        """
    /// What the radio says of its battery in the run that went on.
    static let battery = "0c05110000000000000000"

    // MARK: Lines

    @Test func `turns are lines that are read again`() throws {
        let recording = try Self.recording("1.5 tcp @ snapshot two words\n1.5 ble @ restored two words ; note")

        #expect(recording.entries.map(\.event) == [.turn(.snapshot("two words")), .turn(.restored("two words"))])
        #expect(
            recording.entries.map(\.line) == [
                "1.500000 tcp @ snapshot two words\n", "1.500000 ble @ restored two words ; note\n",
            ])
    }

    @Test func `a recorder tells cut frames before it tells of the return`() {
        var recorder = StreamRecorder(.tcp)
        var entries: [RecordingEntry] = []

        recorder.turn(.snapshot("met"), at: .seconds(2), now: .seconds(2), into: &entries)
        recorder.take([0x3C, 5, 0, 1], .toRadio, at: .seconds(3), into: &entries)
        recorder.turn(.restored("met"), at: .seconds(2), now: .seconds(4), into: &entries)
        recorder.take([0x3C, 1, 0, 5], .toRadio, at: .seconds(3), into: &entries)

        #expect(
            entries.map(\.line).joined() == """
                2.000000 tcp @ snapshot met
                4.000000 tcp ! a frame to the radio ends after 1 of 5 bytes
                2.000000 tcp @ restored met
                3.000000 tcp > 05 ; CMD_GET_DEVICE_TIME

                """)
    }

    // MARK: History

    @Test func `the run that went on has what led to the snapshot and what followed the return`() throws {
        let history = try Self.recording(Self.forked).history

        #expect(history.places == [0, 1, 2, 3, 7, 8, 9, 10])
        #expect((history.restores, history.abandoned) == (1, 3))
    }

    @Test func `a return to a snapshot from before the recording leaves everything before it behind`() throws {
        let history = try Self.recording("8 tcp +\n8 tcp > 05\n2 tcp @ restored met\n3 tcp +").history

        #expect(history.places == [2, 3])
        #expect(history.abandoned == 2)
    }

    @Test func `a recording without a return is its own history`() throws {
        let history = try Self.recording("0 tcp +\n1 tcp > 05\n1 tcp @ snapshot met").history

        #expect(history.places == [0, 1, 2])
        #expect((history.restores, history.abandoned, history.note) == (0, 0, nil))
    }

    @Test func `very many turns are sorted in a time that grows with their number alone`() {
        var entries: [RecordingEntry] = []
        for number in 0..<100_000 {
            entries.append(RecordingEntry(.zero, .tcp, .turn(.snapshot("\(number)"))))
            entries.append(RecordingEntry(.zero, .tcp, .turn(.restored("\(number / 2)"))))
        }

        #expect(Recording(RecordingHeader(), entries).history.restores == 100_000)
    }

    // MARK: Checks

    @Test func `a return ends the connection, and a command before it without an answer breaks nothing`() throws {
        let conversation = RecordingConversation(try Self.recording(Self.forked))

        #expect(conversation.breaches.isEmpty)
        #expect(conversation.unanswered == [6])
        #expect(conversation.exchanges.count == 3)
    }

    @Test func `a frame behind a return without a new connection breaks the protocol`() throws {
        let lines = "0 tcp +\n0 tcp @ snapshot s\n1 tcp > 05\n1 tcp < 0901020304\n0 tcp @ restored s\n1 tcp < 83"

        #expect(RecordingConversation(try Self.recording(lines)).breaches.map(\.rule) == [.notConnected])
    }

    @Test func `a push whose cause was left behind has none`() throws {
        let text = "> 0200000000000000000000000061"
        func rules(_ turns: Bool) throws -> [ProtocolBreach.Rule] {
            let lines = """
                0 tcp +
                \(turns ? "0 tcp @ snapshot s" : "")
                1 tcp \(text)
                1 tcp < 06000102030400000000
                \(turns ? "0 tcp @ restored s\n1 tcp +" : "")
                2 tcp < 820102030400000000
                """
            return RecordingConversation(try Self.recording(lines)).breaches.map(\.rule)
        }

        #expect(try !rules(false).contains(.pushWithoutCause))
        #expect(try rules(true).contains(.pushWithoutCause))
    }

    @Test func `the duration is the sum of what lies between two returns`() throws {
        let statistics = RecordingStatistics(try Self.recording(Self.forked))

        #expect(statistics.duration == .seconds(4 + 3))
        #expect((statistics.connections, statistics.restores, statistics.unanswered) == (2, 1, 1))
    }

    @Test func `recordings that went back to other snapshots differ`() throws {
        let one = try Self.recording("0 tcp @ snapshot a\n0 tcp @ restored a")
        let other = try Self.recording("0 tcp @ snapshot a\n0 tcp @ restored b")

        #expect(RecordingDifference(one, one).changes.isEmpty)
        #expect(!RecordingDifference(one, other).changes.isEmpty)
    }

    // MARK: Scrubbing

    @Test func `names of snapshots become numbers, and the history stays what it was`() throws {
        let recording = try Self.recording(
            "0 tcp @ snapshot Hunter2\n1 tcp @ snapshot other\n2 tcp > 05\n0 tcp @ restored Hunter2\n1 tcp @ restored other"
        )
        let scrubbed = recording.scrubbed(salt: ScrubbingTests.salt).recording

        #expect(!scrubbed.text.contains("Hunter2"))
        #expect(scrubbed.history == recording.history)
        #expect(scrubbed.scrubbed(salt: ScrubbingTests.salt).recording == scrubbed)
    }

    @Test func `an answer is scrubbed by what was asked in its own run`() {
        let secret = "Hunter2-geheim"
        func line(_ second: Int, _ direction: FrameDirection, _ frame: [UInt8]) -> RecordingEntry {
            RecordingEntry(.seconds(second), .tcp, .frame(direction, frame))
        }
        let answer = ScrubbingTests.answer("> \(secret)")
        let entries = [
            line(1, .toRadio, ScrubbingTests.text(.cliData, "get guest.password")),
            RecordingEntry(.seconds(2), .tcp, .turn(.snapshot("asked"))),
            line(3, .toApp, answer),
            // A harmless question, left behind without its answer.
            line(4, .toRadio, ScrubbingTests.text(.cliData, "get radio")),
            RecordingEntry(.seconds(2), .tcp, .turn(.restored("asked"))),
            line(3, .toApp, answer),
        ]
        let scrubbed = Recording(RecordingHeader(), entries).scrubbed(salt: ScrubbingTests.salt).recording

        for entry in scrubbed.entries {
            guard case .frame(_, let bytes) = entry.event else { continue }
            #expect(!ScrubbingTests.contains(bytes, [UInt8](secret.utf8)), "\(entry.line)")
        }
    }

    // MARK: Replays

    @Test func `a client replays the run that went on, and leaves where it went back`() throws {
        var bench = try PlayedBench(Self.forked, frames: ["0901020304", Self.battery])

        #expect(bench.run() == [])

        #expect(
            bench.seen == [
                "connect", "1000 ms", "> 05", "1000 ms", "disconnect", "3000 ms", "connect", "> 14",
            ])
    }

    @Test func `a difference is named by its line in the whole recording`() throws {
        var client = PlayedClient(try Self.recording(Self.forked), answers: [["0901020304"], ["0101"]])

        #expect(!client.run().isEmpty)

        #expect(client.sent == ["05", "14"])
        #expect(client.client.checks.map(\.entry) == [1, 9])
        #expect(client.client.checks.map { $0.problems.isEmpty } == [true, false])
    }

    @Test func `a radio answers as the run that went on did`() throws {
        var played = Played(try Self.recording(Self.forked))

        #expect(played.asks("05") == ["0901020304"])
        #expect(played.reconnects() == [])
        #expect(played.asks("14") == [Self.battery])
        #expect(played.radio.script.exchanges.map(\.command) == [[0x05], [0x14]])
        #expect(played.radio.neverCame.isEmpty)
        #expect(played.radio.script.history.note?.contains("3 lines") == true)
    }
}
