import Testing

@testable import MeshReports

/// The summary of a job in Markdown.
@Suite struct JobSummaryTests {
    private static var statement: TestReport {
        var report = TestReport(title: "Compliance", command: "comply", target: "tcp://radio")
        var entry = TestReport.Entry(
            kind: .statement, id: "CMP-034", group: "D", title: "A short frame", verdict: .broken(["got  nothing"]))
        var rationale = TestReport.Rationale()
        rationale.sentence = "A short frame is refused."
        entry.rationale = rationale
        entry.repeatCommand = "meshbed comply --only CMP-034"
        report.entries = [
            entry, .init(kind: .statement, id: "CMP-018", group: "B", title: "b", verdict: .notRun("no build")),
            .init(kind: .statement, id: "CMP-019", group: "B", title: "b", verdict: .kept),
        ]
        return report
    }

    @Test func `the answer comes first, then counts, then what broke with its sentence and bytes`() {
        var report = Self.statement
        report.seed = 7
        report.provenance = Provenance(version: MeshbedVersion(number: "1.2.3"), date: "2026-11-22T18:52:56Z")

        #expect(
            report.jobSummary == """
                ## ✗ Compliance: 1 broken

                | kept | broken | not run |
                |--:|--:|--:|
                | 1 | 1 | 1 |

                Target tcp://radio, seed 7.

                ### What broke

                #### CMP-034 A short frame

                A short frame is refused.

                <pre>got  nothing</pre>

                Repeat:

                <pre>meshbed comply --only CMP-034</pre>

                <details><summary>Not run: 1</summary>

                - no build: CMP-018

                </details>

                meshbed 1.2.3 · 2026-11-22T18:52:56Z


                """)
    }

    @Test func `statements lead to their text where the article's address is known`() {
        var report = Self.statement
        report.entries.append(.init(kind: .check, id: "MATRIX-1", group: "M", title: "m", verdict: .broken([])))
        report.statements = "https://example.org/a b>c.md"

        let lines = report.jobSummary.split(separator: "\n")

        #expect(lines.contains("#### [CMP-034](<https://example.org/a%20b%3Ec.md#cmp-034>) A short frame"))
        #expect(lines.contains("- no build: [CMP-018](<https://example.org/a%20b%3Ec.md#cmp-018>)"))
        #expect(lines.contains("#### MATRIX-1 m"))
    }

    @Test func `a run without findings has no part for them`() {
        var report = Self.statement
        report.entries.removeFirst(2)

        #expect(report.jobSummary.hasPrefix("## ✓ Compliance: all kept\n"))
        #expect(!report.jobSummary.contains("###") && !report.jobSummary.contains("<details>"))
    }

    @Test func `the first thirty failures are shown in full, and the others named`() {
        var report = Self.statement
        report.entries = (0..<32).map {
            .init(kind: .scenario, id: "s\($0)", group: "S", title: "s", verdict: .broken([]))
        }

        let summary = report.jobSummary

        #expect(summary.split(separator: "\n").count { $0.hasPrefix("#### ") } == 30)
        #expect(summary.contains("\nAnd 2 more: s30, s31\n"))
    }

    @Test func `what came from outside acts neither as Markdown nor as HTML`() {
        let hostile = "x|`*_[a](b)<script>&#@!$\\\n## forged\r\u{1B}[2J\u{202E}"
        var report = TestReport(title: hostile, command: "comply", target: hostile)
        var entry = TestReport.Entry(
            kind: .scenario, id: hostile, group: hostile, title: hostile,
            verdict: .broken([hostile, "</pre>\n\n## forged"]))
        entry.repeatCommand = hostile
        entry.explanation = hostile
        let others: [TestReport.Verdict] = [.notRun(hostile), .differs(hostile, []), .couldNotRun(hostile)]
        report.entries = [entry] + others.map { .init(kind: .scenario, id: hostile, group: "", title: "", verdict: $0) }
        report.abortedBecause = hostile
        report.provenance = Provenance(version: MeshbedVersion(number: hostile), date: hostile)
        let ours = ["<details>", "<summary>", "</summary>", "</details>", "**The run ended early:**"]

        // A block has only text: nothing in it can be its end.
        let blocks = report.jobSummary.matches(of: /<pre>[^<]*<\/pre>/)
        let prose = ours.reduce(report.jobSummary.replacing(/<pre>[^<]*<\/pre>/, with: "")) {
            $0.replacing($1, with: "")
        }

        #expect(blocks.count == 3)
        #expect(prose.unicodeScalars.filter { "<>`*\\[]_\r\u{1B}\u{202E}".unicodeScalars.contains($0) }.isEmpty)
        #expect(!prose.split(separator: "\n").contains { $0.hasPrefix("## forged") })
        #expect(prose.split(separator: "\n").filter { $0.contains("|") }.count == 3)
    }
}
