import Foundation
import MeshTime
import Testing

@testable import MeshReports

/// The build and the time of a report, and the times on pages.
struct ProvenanceTests {
    private let report = TestReportTests.sample

    @Test func `the page has date, version and commit on top`() throws {
        let html = HTMLReport(report).html
        let facts = try #require(html.firstMatch(of: /<dl class="facts">(.*?)<\/dl>/))

        #expect(facts.1.contains("<dt>Date</dt><dd>2026-11-22 18:52:56 UTC</dd>"))
        #expect(facts.1.contains("<dt>Version</dt><dd>1.2.3</dd>"))
        #expect(facts.1.contains("<dt>Commit</dt><dd>abcdef0123</dd>"))
    }

    @Test func `JSON and JUnit have the same`() throws {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])

        #expect(object["date"] as? String == "2026-11-22T18:52:56Z")
        #expect(object["version"] as? String == "1.2.3")
        #expect(object["commit"] as? String == "abcdef0123")
        let suites = report.junit.matches(of: /<testsuite\s/).count
        #expect(suites > 0)
        #expect(report.junit.matches(of: /timestamp="2026-11-22T18:52:56"/).count == suites)
        #expect(report.junit.matches(of: /<property name="meshbed.commit" value="abcdef0123"\/>/).count == suites)
        #expect(report.junit.matches(of: /<property name="meshbed.version" value="1.2.3"\/>/).count == suites)
    }

    @Test func `a run says what it can be repeated from, and equal runs say the same whenever they are made`() throws {
        let version = MeshbedVersion(number: "1.2.3", commit: "abcdef0123")
        let run = Provenance.Run(
            .world("grid:4x4"), seed: 18_446_744_073_709_551_615, time: "virtual", withoutQuirks: ["odd"])
        var early = Provenance(version: version, date: "2026-01-01T00:00:00Z")
        early.run = run
        var late = early
        late.date = "2027-01-01T00:00:00Z"

        #expect(
            early.lines == [
                "meshbed 1.2.3 (abcdef0123): world grid:4x4, seed 18446744073709551615",
                "time virtual; air chip; without odd", "reproducible: the same command gives the same run",
            ])
        #expect(early.lines == late.lines)
        let object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(early)) as? [String: Any])
        #expect(object["seed"] as? String == "18446744073709551615")
        #expect(object["world"] as? String == "grid:4x4")
        #expect(object["commit"] as? String == "abcdef0123")
        #expect(object["reproducible"] as? Bool == true)
    }

    @Test func `a run that cannot be repeated says why`() throws {
        let run = Provenance.Run(
            .target("tcp://radio"), seed: nil, time: "clock", repeatability: .notReproducible("it is a real radio"))
        var provenance = Provenance(version: MeshbedVersion(number: "1.2.3"), date: "")
        provenance.run = run

        #expect(provenance.lines.first == "meshbed 1.2.3: target tcp://radio")
        #expect(provenance.lines.last == "not reproducible: it is a real radio")
        let object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(provenance)) as? [String: Any])
        #expect(object["reproducible"] as? Bool == false)
        #expect(object["note"] as? String == "it is a real radio")
        #expect(object["target"] as? String == "tcp://radio")
        #expect(object["seed"] == nil)
    }

    @Test func `the page of a run says how its time passed and whether it can be repeated`() {
        var report = report
        report.provenance?.run = Provenance.Run(
            .target("tcp://radio"), seed: nil, time: "held by a rig", withoutQuirks: ["odd"],
            repeatability: .reproducibleIf("nothing <else> changes"))
        let html = HTMLReport(report).html

        #expect(html.contains("<dt>Time</dt><dd>held by a rig</dd>"))
        #expect(html.contains("<dt>Quirks off</dt><dd>odd</dd>"))
        #expect(html.contains("<dt>Repeatability</dt><dd>reproducible if nothing &lt;else&gt; changes</dd>"))
    }

    @Test func `a report that nobody has dated has no date`() {
        var report = report
        report.provenance = nil

        #expect(!report.json.contains("\"date\""))
        #expect(!report.junit.contains("timestamp") && !report.junit.contains("<properties>"))
        #expect(!HTMLReport(report).html.contains("<dt>Date</dt>"))
    }

    @Test(arguments: [(0.0004, "0.4 ms"), (0.000_043, "43 µs"), (0.25, "250 ms"), (12.34, "12 s")])
    func `short runs are told in milliseconds`(seconds: Double, words: String) {
        var report = report
        report.entries[0].seconds = seconds

        #expect(HTMLReport(report).html.contains("<dt>Took</dt><dd>\(words)</dd>"))
    }

    @Test func `a run whose time nobody took does not say that it took none`() {
        #expect(!HTMLReport(report).html.contains("<dt>Took</dt>"))
    }

    // MARK: Times

    @Test func `times within a millisecond can be told apart, and others stay short`() {
        let moments: [Instant?] = [
            .microseconds(1_000), .microseconds(5_100), .microseconds(5_900), nil, .microseconds(5_900),
            .microseconds(9_900), .microseconds(9_900),
        ]

        let words = TimelineDrawing.words(of: moments)

        #expect(words == ["0.001 s", "0.005100 s", "0.005900 s", nil, "0.005 s", "0.009 s", "0.009 s"])
    }

    @Test func `a row within the millisecond of the row above says how much later it is`() {
        var timeline = Timeline(lanes: [.radio("a")])
        for at in [5_000, 5_300, 5_340, 7_000] { timeline.add(.init(.note, in: 0, at: .microseconds(at), "x")) }

        let times = TimelineDrawing(timeline).inline.matches(of: /class="tl-time"[^>]*>([^<]*)</).map { String($0.1) }

        #expect(times == ["0.005 s", "+0.3 ms", "+40 µs", "0.007 s"])
    }

    // MARK: Telephones

    @Test func `on a telephone a picture keeps its size and is scrolled, with the heads of its lanes`() throws {
        let style = HTMLReport.style
        let narrow = try #require(style.firstMatch(of: /@media \(max-width:30rem\)\{\.lanes.*/))

        // Lanes that are squeezed into the width of a telephone cannot be read.
        #expect(!narrow.0.contains(".timeline{min-width:100%;height:auto;width:auto}"))
        #expect(style.contains(".heads{position:sticky;top:0"))
    }
}
