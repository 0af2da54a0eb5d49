import Foundation
import MeshTime
import Testing

@testable import MeshCompliance
@testable import MeshReports
@testable import MeshScenarios

/// The model that all reports are written from, and the HTML file.
struct TestReportTests {
    static let sample: TestReport = {
        var report = TestReport(title: "Scenarios", command: "scenario run", target: "emulator")
        report.seed = 4711
        report.provenance = Provenance(
            version: MeshbedVersion(number: "1.2.3", commit: "abcdef0123"), date: "2026-11-22T18:52:56Z")
        var first = TestReport.Entry(
            kind: .scenario, id: "retry/flood", group: "Retry", title: "A <b>flood</b> after three", verdict: .kept)
        first.explanation = "When nobody answers & all tries are used up, the message floods."
        first.tags = ["flood", "\"quoted\""]
        var second = TestReport.Entry(
            kind: .scenario, id: "room/login", group: "Rooms", title: "Login",
            verdict: .broken(["step 2", "expected  85 …", "got       nothing <script>alert(1)</script>"]))
        second.repeatCommand = "meshbed scenario run room/login --seed 4711"
        second.transcript = ["app> 1A"]
        second.frames = [
            DecodedFrame([0x05], .toRadio, at: .milliseconds(12)), DecodedFrame([0xEE, 1], .toApp),
            DecodedFrame([0x11], .heard),
        ]
        var timeline = Timeline(lanes: [.app("alice's app"), .radio("alice"), .air("air")])
        timeline.add(.init(.frame, in: 0, at: .milliseconds(12), "GET_DEVICE_TIME"), to: 1)
        second.timeline = timeline
        let others: [TestReport.Entry] = [
            .init(kind: .scenario, id: "a", group: "Rooms", title: "A", verdict: .notRun("no <air>")),
            .init(kind: .scenario, id: "b", group: "Rooms", title: "B", verdict: .notApplicable("no radio of it")),
        ]
        report.entries = [first, second] + others
        report.matrix = ReportMatrix(
            title: "Commands", rows: ["SEND", "LOGIN"], columns: ["ok", "err<or>"],
            cells: [.init(row: 0, column: 0, count: 12), .init(row: 1, column: 1, count: 0)])
        report.coverage = [.init("a flood after three direct tries", 17), .init("a full queue", 0)]
        return report
    }()

    @Test func `verdicts are counted, and only kept ones are kept`() {
        let report = Self.sample

        #expect(report.kept == 1 && report.broken == 1 && report.notRun == 1 && report.notApplicable == 1)
        #expect(report.groups == ["Retry", "Rooms"])
        #expect(
            report.summary == "emulator: kept 1 scenario, broken 1, not run 1, not applicable 1, seed 4711")
    }

    @Test func `the exit code is 0 for kept, 1 for broken, 2 for a run that broke off or kept nothing`() {
        var report = Self.sample
        #expect(report.exitCode == 1)
        report.entries.remove(at: 1)
        #expect(report.exitCode == 0)
        report.entries.remove(at: 0)
        #expect(report.exitCode == 2)
        report = Self.sample
        report.abortedBecause = "the cable"
        #expect(report.exitCode == 2)
    }

    @Test func `the text says what failed, why, how to repeat it, and which states were never reached`() {
        let text = Self.sample.text()

        #expect(text.contains("BROKEN   room/login  Login"))
        #expect(text.contains("repeat    meshbed scenario run room/login --seed 4711"))
        #expect(text.contains("States reached: 1 of 2"))
        #expect(text.contains("never  a full queue"))
        #expect(text.contains("1 × no <air>"))
    }

    @Test func `JSON holds tags, seed, matrix and states`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.sample.json.utf8)) as? [String: Any]
        let checks = try #require(object?["checks"] as? [[String: Any]])
        let matrix = try #require(object?["matrix"] as? [String: Any])

        #expect(object?["seed"] as? Int == 4711)
        #expect(checks[0]["tags"] as? [String] == ["flood", "\"quoted\""])
        #expect(checks[1]["repeat"] as? String == "meshbed scenario run room/login --seed 4711")
        #expect(checks.map { $0["verdict"] as? String } == ["kept", "broken", "not run", "not applicable"])
        #expect((matrix["cells"] as? [[String: Int]])?.last == ["row": 1, "column": 1, "count": 0])
        #expect((object?["coverage"] as? [[String: Any]])?.last?["count"] as? Int == 0)
    }

    @Test func `a run that broke off is an error for build servers, even if all was kept until then`() {
        var report = Self.sample
        report.abortedBecause = "the cable"

        #expect(report.junit.contains(#"tests="5" failures="1" skipped="2" errors="1""#))
        #expect(report.junit.contains(#"<error message="the cable"/>"#))
    }

    @Test func `the matrix lists what was never seen`() {
        var matrix = ReportMatrix(title: "m", rows: ["a", "b"], columns: ["x", "y"])
        matrix.cells = [
            .init(row: 1, column: 0, count: 0), .init(row: 0, column: 1, count: 0), .init(row: 0, column: 0, count: 3),
        ]

        #expect(matrix.empty.map(matrix.name(of:)) == ["a × y", "b × x"])
        #expect(matrix.seen == 1)
    }
}

/// The page for people.
struct HTMLReportTests {
    private let html = HTMLReport(TestReportTests.sample).html

    @Test func `a print is light, whatever its reader prefers on a screen`() {
        for page in [html, FigurePage.html(title: "a", body: "")] {
            #expect(page.contains("@media screen and (prefers-color-scheme:dark)"))
            #expect(!page.contains("@media (prefers-color-scheme:dark)"))
            #expect(page.contains("@media print{:root{color-scheme:light}"))
        }
    }

    @Test func `what a radio or a title says never becomes part of the page`() {
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(html.contains("A &lt;b&gt;flood&lt;/b&gt; after three"))
        #expect(!html.contains("A <b>"))
        #expect(!html.contains("alert(1)</script>"))
        #expect(html.matches(of: /<script/).count == 1)
        #expect(!html.contains("err<or>"))
    }

    @Test func `the page asks for nothing outside of itself, and says so to the browser`() {
        #expect(html.contains("default-src 'none'"))
        #expect(!html.contains("src=\"") && !html.contains("url(") && !html.contains("@import"))
        #expect(html.matches(of: /href="([^"]*)"/).allSatisfy { $0.1.hasPrefix("#") })
        #expect(!html.contains("//") || html.matches(of: /https?:/).isEmpty)
    }

    @Test func `failures come before everything else, with why, how to repeat, when, and the frames`() throws {
        let failure = try #require(html.range(of: #"id="failures""#))
        let rest = try #require(html.range(of: #"id="entries""#))
        let part = html[failure.upperBound..<rest.lowerBound]

        #expect(part.contains("nothing &lt;script&gt;"))
        #expect(part.contains("<code>meshbed scenario run room/login --seed 4711</code>"))
        #expect(part.contains("<svg class=\"timeline\""))
        #expect(part.contains("alice&#39;s app"))
        #expect(part.matches(of: /<details class="frame"/).count == 3)
        #expect(part.contains("0.012 s"))
        #expect(part.contains("malformed: "))
    }

    @Test func `every link leads to a place of the page`() {
        let places = Set(html.matches(of: /\sid="([^"]*)"/).map { String($0.1) })
        let links = html.matches(of: /href="#([^"]*)"/).map { String($0.1) }

        #expect(links.count >= 6)
        #expect(links.allSatisfy(places.contains))
        #expect(html.matches(of: /\sid="([^"]*)"/).count == places.count)
    }

    @Test func `matrix and states show what was never seen`() {
        #expect(html.contains(#"<td class="seen3">12</td><td class="none"></td>"#))
        #expect(html.contains(#"<td class="none"></td><td class="never">0</td>"#))
        #expect(html.contains("LOGIN × err&lt;or&gt;"))
        #expect(html.contains("✗ never"))
        #expect(html.contains("1 of 2 states were reached"))
    }

    @Test func `a cell of the matrix may hold several things by name`() throws {
        var report = TestReportTests.sample
        report.matrix = ReportMatrix(
            title: "m", rows: ["SEND"], columns: ["reply", "error"],
            cells: [
                .init(row: 0, column: 1, name: "BAD_STATE", count: 0), .init(row: 0, column: 1, name: "a<b", count: 4),
                .init(row: 0, column: 0, name: "OK", count: 1),
            ])
        let html = HTMLReport(report).html
        let matrix = try #require(report.matrix)

        #expect(
            html.contains(
                #"<td><span class="chip never">BAD_STATE <b>0</b></span> "#
                    + #"<span class="chip seen2">a&lt;b <b>4</b></span></td>"#))
        #expect(matrix.empty.map(matrix.name(of:)) == ["SEND × error: BAD_STATE"])
        #expect(report.json.contains(#""name" : "BAD_STATE""#))
    }

    @Test func `parts without content are not there`() {
        var report = TestReport(title: "Compliance", command: "comply", target: "emulator")
        report.entries = [.init(kind: .statement, id: "CMP-001", group: "A", title: "a", verdict: .kept)]
        let html = HTMLReport(report).html

        #expect(html.contains("All kept"))
        for id in ["failures", "matrix", "states"] { #expect(!html.contains("id=\"\(id)\"")) }
        #expect(!html.contains("has no verdict"))
    }

    @Test func `a run that broke off says so before anything else`() throws {
        var report = TestReportTests.sample
        report.abortedBecause = "the cable <came> loose"
        let html = HTMLReport(report).html

        let alarm = try #require(html.range(of: "the cable &lt;came&gt; loose"))
        let main = try #require(html.range(of: "<main"))
        #expect(alarm.lowerBound < main.lowerBound)
        #expect(html.contains("Broke off"))
    }

    @Test func `elements that are opened are closed, in order`() {
        var open: [Substring] = []
        let empty: Set<Substring> = ["meta", "input"]
        for tag in html.matches(of: /<(\/?)([a-z0-9]+)(?:\s[^<>]*?)?(\/?)>/) {
            if tag.1 == "/" {
                #expect(open.last == tag.2)
                if open.popLast() != tag.2 { break }
            } else if tag.3.isEmpty, !empty.contains(tag.2) {
                open.append(tag.2)
            }
        }
        #expect(open.isEmpty)
    }

    @Test func `what a statement rests on is on the page for who asks, escaped`() throws {
        var report = TestReportTests.sample
        report.entries[0].rationale = TestReport.Rationale(
            Rationale(
                34, says: "A frame below its minimum & more is refused.", "01 <short>", "01 01",
                "An app learns it at once.", .dispatch))

        let html = HTMLReport(report).html

        #expect(html.components(separatedBy: #"<details class="grounds">"#).count == 2)
        #expect(html.contains("<dt>states</dt><dd>A frame below its minimum &amp; more is refused.</dd>"))
        #expect(html.contains("<dt>given</dt><dd>01 &lt;short&gt;</dd>"))
        #expect(html.contains("<dt>source</dt><dd>"))
        #expect(html.contains("<dt>article</dt><dd>CompanionStatements, CMP-034 ("))
    }

    @Test func `the page's matrix has every cell that the text counts, by its name`() {
        let coverage = CoverageMatrix()

        let matrix = ReportMatrix(coverage)

        #expect(matrix.cells.count == coverage.count)
        #expect(matrix.rows.count == coverage.commands.count + coverage.frames.count)
        #expect(matrix.columns == ["reply", "error", "length", "tail", "push"])
        #expect(matrix.cells.allSatisfy { !$0.name.isEmpty })
        let names = Set(matrix.cells.map { [matrix.rows[$0.row], matrix.columns[$0.column], $0.name] })
        #expect(names.count == coverage.count)
    }
}
