import Foundation
import MeshFiles
import Testing

@testable import MeshReports

/// Reports are read back as they were written, and what is no report is refused in a sentence.
@Suite struct ReportReadingTests {
    static let sample: TestReport = {
        var report = TestReport(title: "Compliance", command: "comply", target: "tcp://127.0.0.1:5000")
        report.provenance = Provenance(
            version: MeshbedVersion(number: "0.3.0", commit: "abcdef0123"), date: "2026-11-22T18:52:56Z")
        var node = TestedNode(.companion, against: "1.17.1")
        (node.name, node.model, node.version, node.build, node.level) = ("mine", "Board", "v1.17.1", "1 Jan", 13)
        report.node = node
        report.notes = ["a note"]
        report.abortedBecause = "the cable"
        let verdicts: [TestReport.Verdict] = [
            .kept, .broken(["step 1", "got  01"]), .differs("no quirk", ["got  02"]), .lacks("no command", ["got  03"]),
            .notApplicable("no"), .notRun("later"), .couldNotRun("never"),
        ]
        report.entries = verdicts.enumerated().map { index, verdict in
            var entry = TestReport.Entry(
                kind: .statement, id: "CMP-00\(index + 1)", group: "A", title: HostileNameTests.hostile,
                verdict: verdict)
            entry.seconds = 0.5
            entry.repeatCommand = "meshbed comply --only CMP-00\(index)"
            guard !entry.details.isEmpty else { return entry }
            entry.exchange = ["app> 01", "<app 02"]
            entry.transcript = ["app> 00", "app> 01", "<app 02"]
            return entry
        }
        report.entries[0].explanation = "why"
        report.entries[0].tags = ["a", "b"]
        report.entries[0].rationale = TestReport.Rationale()
        report.entries[0].rationale?.given = "05"
        return report
    }()

    private static func read(_ text: String) throws -> TestReport { try TestReport(reading: [UInt8](text.utf8)) }

    private static func problem(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `what was written is read`() throws {
        let read = try Self.read(Self.sample.json)

        #expect(read.entries == Self.sample.entries)
        #expect(read.node == Self.sample.node)
        #expect(read.provenance == Self.sample.provenance)
        #expect(read.abortedBecause == "the cable" && read.notes == ["a note"])
        #expect(read.json == Self.sample.json)
    }

    @Test func `a node without words and a report without one are read, too`() throws {
        var report = Self.sample
        report.node = TestedNode(.room, against: "1.16")
        #expect(try Self.read(report.json).node == report.node)
        report.node = nil
        report.provenance = nil
        #expect(try Self.read(report.json).node == nil)
    }

    @Test(arguments: [
        (#""format" : "meshbed-report/1""#, #""format" : "meshbed-report/2""#, "format: must be \"meshbed-report/1\""),
        (#""broken" : 1"#, #""broken" : 2"#, "broken: is 2, and the checks have 1"),
        (#""lacks" : 1,"#, "", "lacks: is missing"),
        (#""verdict" : "kept""#, #""verdict" : "fine""#, "checks[0].verdict: 'fine' is no verdict"),
        (#""kind" : "statement""#, #""kind" : "poem""#, "checks[0].kind: 'poem' is no kind of check"),
        (#""role" : "companion""#, #""role" : "oven""#, "'oven' is none of companion, repeater, room, sensor"),
        (#""level" : 13"#, #""level" : 1300"#, "node.level: 1300 is not within 0…255"),
        (#""id" : "CMP-001""#, #""id" : 7"#, "checks[0].id: must be a text, this is a number"),
        (#""seconds" : 0.5"#, #""seconds" : -1"#, "checks[0].seconds: -1 is not within"),
    ])
    func `another file is refused with the place of the first mistake`(_ part: String, other: String, reason: String) {
        let text = Self.sample.json
        #expect(text.contains(part))
        let place = text.firstRange(of: part)

        let problem = Self.problem(place.map { text.replacingCharacters(in: $0, with: other) } ?? "")

        #expect(problem?.contains(reason) == true, "\(problem ?? "none")")
        #expect(problem?.contains("\n") == false)
    }

    @Test func `every cut is refused, in one line`() {
        let bytes = [UInt8](Self.sample.json.utf8)
        for end in stride(from: 0, to: bytes.count - 2, by: 13) {
            let problem = Self.problem(String(decoding: bytes[..<end], as: UTF8.self))
            #expect(problem?.contains("\n") == false, "cut at \(end)")
        }
    }

    @Test(arguments: ["[]", "null", "7", #"{"checks": []}"#, String(repeating: "[", count: 5000)])
    func `what is no report is refused`(text: String) {
        #expect(Self.problem(text) != nil)
    }
}
