import MeshSimulator
import MeshTime
import Testing

@testable import MeshWorlds

/// Traces of runs that went back to a snapshot.
@Suite struct TraceTurnTests {
    private static let alice = NodeID(index: 0)
    private static let topology = Topology.line(3)

    /// A trace from lines and marks, in the order of writing; with an end.
    private func written(_ write: (inout TraceWriter) -> Void) -> [UInt8] {
        var writer = TraceWriter()
        writer.begin(Self.topology, seed: Seed(1), span: .zero)
        write(&writer)
        writer.end(digest: "d", unseed: "u", at: .seconds(9))
        return writer.takeText()
    }

    private func texts(_ trace: TraceFile) -> [String] {
        trace.lines.compactMap { if case .message(_, _, let text) = $0.content { text } else { nil } }
    }

    private func say(_ text: String, at second: Int64, number: Int = 1, to writer: inout TraceWriter) {
        writer.add(.seconds(second), Self.alice, .message(number: number, to: "bob", text: text))
    }

    @Test func `what lies between a snapshot and the return to it is left out and counted`() throws {
        let trace = try TraceFile(
            written {
                say("before", at: 1, to: &$0)
                $0.add(.snapshot("met"), at: .seconds(2))
                // At the very moment of the snapshot, and yet behind it.
                say("left at once", at: 2, to: &$0)
                say("left", at: 5, to: &$0)
                $0.add(.restored("met"), at: .seconds(2))
                say("after", at: 3, to: &$0)
            })

        #expect(texts(trace) == ["before", "after"])
        #expect((trace.restores, trace.abandoned) == (1, 2))
        #expect(trace.digest == "d")
        #expect(trace.restoreNote?.contains("went back to a snapshot once") == true)
    }

    @Test func `a snapshot outlives a return to an earlier one, and brings back what led to it`() throws {
        let trace = try TraceFile(
            written {
                $0.add(.snapshot("a"), at: .seconds(1))
                say("to b", at: 2, to: &$0)
                $0.add(.snapshot("b"), at: .seconds(3))
                $0.add(.restored("a"), at: .seconds(1))
                say("from a", at: 2, to: &$0)
                // It is later than the line before.
                $0.add(.restored("b"), at: .seconds(3))
                say("from b", at: 4, to: &$0)
            })

        #expect(texts(trace) == ["to b", "from b"])
        #expect((trace.restores, trace.abandoned) == (2, 1))
    }

    @Test func `a later snapshot of the same name replaces the earlier one`() throws {
        let trace = try TraceFile(
            written {
                $0.add(.snapshot("s"), at: .seconds(1))
                say("first", at: 2, to: &$0)
                $0.add(.snapshot("s"), at: .seconds(2))
                say("left", at: 3, to: &$0)
                $0.add(.restored("s"), at: .seconds(2))
            })

        #expect(texts(trace) == ["first"])
    }

    @Test func `a trace without marks has nothing left out`() throws {
        let trace = try TraceFile(written { say("all", at: 1, to: &$0) })

        #expect((trace.restores, trace.abandoned) == (0, 0))
        #expect(trace.restoreNote == nil)
    }

    @Test(arguments: [
        (#"{"t":1000000,"e":"restored","name":"none"}"#, "line 2: name: no snapshot \"none\" was taken before"),
        (#"{"t":1000000,"e":"restored"}"#, "line 2: name: is missing"),
        (
            #"{"t":1000000,"e":"forked","name":"x"}"#,
            "line 2: e: is \"forked\": this version knows no such line about a whole run"
        ),
    ])
    func `a mark that cannot be followed is refused in a sentence`(line: String, reason: String) {
        var writer = TraceWriter()
        writer.begin(Self.topology, seed: Seed(1), span: .zero)
        let problem = #expect(throws: FileProblem.self) { try TraceFile(writer.takeText() + [UInt8](line.utf8)) }

        #expect(problem?.description == reason)
    }

    @Test func `a return to another time than the snapshot's is refused`() {
        let bytes = written {
            $0.add(.snapshot("s"), at: .seconds(1))
            $0.add(.restored("s"), at: .seconds(2))
        }
        let problem = #expect(throws: FileProblem.self) { try TraceFile(bytes) }

        #expect(problem?.description == "line 3: t: the snapshot \"s\" was taken at 1000000")
    }

    @Test func `time does not run backwards behind a mark either`() {
        let bytes = written {
            $0.add(.snapshot("s"), at: .seconds(2))
            $0.add(.restored("s"), at: .seconds(2))
            say("too early", at: 1, to: &$0)
        }

        #expect(throws: FileProblem.self) { try TraceFile(bytes) }
    }

    @Test func `a trace with marks that is cut anywhere is read or refused, and has no digest`() {
        let bytes = written {
            for round in 1...20 {
                $0.add(.snapshot("s\(round % 3)"), at: .seconds(1))
                say("\(round)", at: 2, to: &$0)
                $0.add(.restored("s\(round % 3)"), at: .seconds(1))
            }
        }
        for length in stride(from: 0, to: bytes.count - 1, by: 7) {
            #expect((try? TraceFile([UInt8](bytes.prefix(length))))?.digest == nil)
        }
    }

    // MARK: Readers

    /// A whole run as if it had been left behind by another course from its beginning.
    private func forked(_ left: [UInt8], from other: [UInt8]) -> [UInt8] {
        let mark = { (word: String) in "{\"t\":0,\"e\":\"\(word)\",\"name\":\"start\"}" }
        let lines = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let (first, second) = (lines(left), lines(other))
        let all = [first[0], mark("snapshot")] + first.dropFirst().dropLast() + [mark("restored")] + second.dropFirst()
        return [UInt8](all.joined(separator: "\n").utf8)
    }

    @Test func `the fate of a message is that of the run that went on, though numbers repeat`() throws {
        let left = try RunFixture("line:5", traffic: "flood:20s", seconds: 120, seed: 1).trace
        let other = try RunFixture("line:5", traffic: "flood:20s", seconds: 120, seed: 2).trace
        let trace = try TraceFile(forked(left, from: other))
        let alone = try TraceFile(other)

        #expect(trace.abandoned > 20)
        for number in 1...2 {
            #expect(
                try MessageFate("\(number)", in: trace).text == MessageFate("\(number)", in: alone).text, "\(number)")
        }
    }

    @Test func `a picture counts the frames of the run that went on`() throws {
        let left = try RunFixture("line:5", traffic: "flood:20s", seconds: 120, seed: 1).trace
        let other = try RunFixture("line:5", traffic: "flood:20s", seconds: 120, seed: 2).trace

        #expect(
            MeshDrawing.Overlay(try TraceFile(forked(left, from: other))).sent
                == MeshDrawing.Overlay(try TraceFile(other)).sent)
    }

    @Test func `two traces differ in what their runs left behind`() throws {
        let one = written {
            $0.add(.snapshot("s"), at: .seconds(1))
            say("left", at: 2, to: &$0)
            $0.add(.restored("s"), at: .seconds(1))
        }
        let other = written {
            $0.add(.snapshot("s"), at: .seconds(1))
            $0.add(.restored("s"), at: .seconds(1))
        }
        #expect(try TraceDifference.first(in: one, one) == nil)

        let difference = try #require(try TraceDifference.first(in: one, other))

        #expect((difference.lines, difference.second) == ([3, 3], "\(Instant.seconds(1)) restored s"))
        #expect(difference.node == nil, "the earlier of the two is the mark, which has no node")
    }
}
