import MeshCompanion
import MeshTime
import MeshWire
import Testing

@testable import MeshCapture

/// Files that are small on disk and endless when they are unpacked.
@Suite struct RecordingBoundsTests {
    @Test func `so many rows of a header are kept, and one complaint says that there were more`() throws {
        var problems: [CaptureProblem] = []
        let rows = (0..<100_000).map { "row\($0): \($0)\n" }.joined()

        let recording = try Recording(("meshbed capture 1\n" + rows + "story: late\n\n").utf8, problems: &problems)

        #expect(recording.header.rows.count == 256 && recording.header.rows[255].value == "255")
        #expect(recording.header.story == "late")
        #expect(problems.map(\.reason) == ["more than 256 rows in the header: the others are left out"])
        #expect(problems.first?.number == 258)
    }

    @Test func `so many entries are read, and not a byte behind them`() throws {
        var reader = RecordingReader()
        var (entries, problems, bytes) = (0, 0, 0)
        for byte in "meshbed capture 1\n\n".utf8 { _ = try reader.take(byte) }
        let line = [UInt8]("0.0 tcp +\n".utf8)
        reading: while bytes < 2 * RecordingReader.entryLimit * line.count {
            for byte in line {
                bytes += 1
                do throws(CaptureProblem) {
                    if try reader.take(byte) != nil { entries += 1 }
                } catch {
                    problems += 1
                }
                if reader.isFull { break reading }
            }
        }

        #expect(entries == RecordingReader.entryLimit && problems == 1)
        #expect(bytes == (RecordingReader.entryLimit + 1) * line.count)
        #expect(try reader.take(UInt8(ascii: "\n")) == nil && reader.end() == nil)
    }

    @Test func `of lines that cannot be read the first are named and all are counted`() throws {
        var problems: [CaptureProblem] = []
        let lines = String(repeating: "nonsense\n", count: 5000)

        _ = try Recording(("meshbed capture 1\n\n" + lines).utf8, problems: &problems)

        #expect(problems.count == KeptProblems.limit + 1)
        #expect(problems.last?.reason == "4000 more behind it")
    }

    @Test func `commands that nobody answers are given up before they are too many, and each is counted`() {
        let count = 30_000
        let entries = (0..<count).map { RecordingEntry(.milliseconds($0), .tcp, .frame(.toRadio, [0x05])) }

        let conversation = RecordingConversation(Recording(RecordingHeader(), entries))

        #expect(conversation.unanswered.count == count && conversation.breachCount == count)
        #expect(conversation.breaches.count == RecordingConversation.breachLimit)
        #expect(conversation.breaches.first?.reason == "no answer before 1024 later commands")
        #expect(RecordingStatistics(Recording(RecordingHeader(), entries)).breaches == count)
    }

    @Test func `an answer belongs to a command that still waits`() {
        var pairing = AnswerPairing<Int>()
        for number in 0..<AnswerPairing<Int>.limit { #expect(pairing.ask(number, [0x05]) == nil) }

        #expect(pairing.ask(9999, [0x05]) == 0)

        guard case .answer(let command, _, _) = pairing.take([0x09, 1, 2, 3, 4]) else {
            Issue.record("no answer")
            return
        }
        #expect(command == 1)
    }
}
