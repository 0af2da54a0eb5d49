import Foundation
import FoundationXML
import MeshSimulator
import MeshTime
import MeshWire
import Testing

@testable import MeshReports
@testable import MeshScenarios
@testable import MeshWorlds

/// Names and texts that strangers chose, in everything that is written for people.
@Suite struct HostileNameTests {
    /// Clears the screen, rings, forges a row, turns the text round, and would end an element or an attribute.
    static let hostile = "\u{1B}[2J\u{07}\nforged\r\u{9B}1m\u{202E}\u{2028}\u{0}<b>&\"']]>\u{FFFF}日e\u{301}"
    private static let visible = #"\u001B[2J\u0007\nforged\r\u009B1m\u202E\u2028\u0000"#

    /// Tells whether a character of the text, except ends of lines, acts on a terminal.
    private func acts(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
            default: false
            }
        }
    }

    private func xmlProblem(_ text: String) -> String? {
        let parser = XMLParser(data: Data(text.utf8))
        return parser.parse() ? nil : "\(parser.parserError.map { "\($0)" } ?? "") line \(parser.lineNumber)"
    }

    private static let report: TestReport = {
        var report = TestReport(title: hostile, command: "comply", target: hostile)
        var entry = TestReport.Entry(
            kind: .scenario, id: hostile, group: hostile, title: hostile,
            verdict: .broken(["expected  \(hostile)", "got       \(hostile)"]))
        entry.transcript = ["app> \(hostile)"]
        entry.repeatCommand = "meshbed scenario run \(hostile)"
        entry.tags = [hostile]
        var timeline = Timeline(lanes: [.app(hostile), .radio(hostile)])
        timeline.add(.init(.frame, in: 0, at: .milliseconds(12), hostile), to: 1)
        entry.timeline = timeline
        report.entries = [
            entry, .init(kind: .scenario, id: hostile, group: hostile, title: hostile, verdict: .notRun(hostile)),
            .init(kind: .scenario, id: hostile, group: hostile, title: hostile, verdict: .couldNotRun(hostile)),
            .init(kind: .scenario, id: hostile, group: hostile, title: hostile, verdict: .invalid([hostile])),
        ]
        report.entries[0].effects = [hostile]
        report.coverage = [.init(hostile, 1)]
        report.notes = [hostile]
        report.abortedBecause = hostile
        return report
    }()

    private static let topology: Topology = {
        var topology = Topology(name: hostile)
        topology.nodes = ["a", "b"].map { Topology.Node($0 + hostile, .repeater) }
        topology.links = [Topology.Link(0, 1, .benchmark)]
        return topology
    }()

    @Test func `a report for people shows them and obeys none`() {
        let text = Self.report.text(isVerbose: true)

        #expect(!acts(text))
        #expect(text.contains("BROKEN   \(Self.visible)"))
        #expect(!text.split(separator: "\n").contains("forged"))
        #expect(text.contains("日e\u{301}"))
    }

    @Test func `JUnit XML with them is read by a parser`() {
        let xml = Self.report.junit

        #expect(xmlProblem(xml) == nil)
        #expect(!acts(xml))
    }

    @Test func `an HTML report with them holds nothing that acts, and no tag of theirs`() {
        let html = HTMLReport(Self.report).html

        #expect(!acts(html))
        #expect(!html.contains("forged\r") && !html.contains("<b>&"))
    }

    @Test func `a drawing with them is read by a parser`() {
        let svg = MeshDrawing(Self.topology).svg

        #expect(xmlProblem(svg) == nil)
        #expect(!acts(svg))
    }

    @Test func `the fate of a message with them has as many lines as one without`() throws {
        let run = try RunFixture("line:3", seconds: 39)
        let plain = String(decoding: run.trace, as: UTF8.self)
        let name = try #require(String(data: try JSONEncoder().encode("alice" + Self.hostile), encoding: .utf8))
        let marked = plain.replacing("\"alice\"", with: name)
        try #require(marked != plain)

        let usual = try MessageFate("1", in: TraceFile(run.trace)).text
        let fate = try MessageFate("1", in: TraceFile([UInt8](marked.utf8))).text

        #expect(!acts(fate))
        #expect(fate.contains("alice\(Self.visible)"))
        #expect(fate.split(separator: "\n").count == usual.split(separator: "\n").count)
    }

    @Test func `what a stack ended up with shows them in lines of their own`() {
        var outcome = StackOutcome()
        outcome.contacts = [.init(name: Self.hostile, publicKey: "00", type: 1, hops: 1, unread: 0)]
        outcome.messages = []

        let text = outcome.lines.joinedVisibleLines

        #expect(!acts(text) && text.contains(Self.visible))
    }
}
