import MeshReports
import MeshTime
import Testing

@testable import MeshTestbed

/// Files beside an HTML report that play its failures.
@Suite struct FailurePlayersTests {
    private func report(failures: Int) -> TestReport {
        var timeline = Timeline(lanes: [.app("app"), .radio("radio")])
        timeline.add(.init(.failure, in: 1, at: .start, "no answer"))
        var report = TestReport(
            title: "Compliance", program: .meshbed, command: "comply", target: "emulator", entries: [])
        for number in 0..<failures {
            var entry = TestReport.Entry(
                kind: .statement, id: "CMP-\(number)", group: "G", title: "<b>title</b>",
                verdict: .broken(["got  nothing"]))
            entry.timeline = timeline
            report.entries.append(entry)
        }
        report.entries.append(.init(kind: .statement, id: "CMP-001", group: "G", title: "fine", verdict: .kept))
        return report
    }

    @Test func `each failure has a page beside the report, which links it`() throws {
        var report = report(failures: 2)
        let players = FailurePlayers(beside: "out/comply.html")

        players.name(in: &report)
        let pages = players.pages(of: report)

        #expect(report.entries.map(\.player) == ["comply-1.html", "comply-2.html", ""])
        #expect(pages.map(\.path) == ["out/comply-1.html", "out/comply-2.html"])
        let html = HTMLReport(report).html
        #expect(html.contains(#"<a href="comply-1.html">Play what happened</a>"#))
        #expect(html.contains(#"<a href="comply-2.html">Play what happened</a>"#))
        for (_, page) in pages {
            #expect(page.contains("id=\"document\""))
            #expect(!page.contains("<b>title"))
        }
    }

    @Test(arguments: ["-", "/dev/stdout"])
    func `a report that goes nowhere on the disk has none`(path: String) {
        var report = report(failures: 1)
        let players = FailurePlayers(beside: path)

        players.name(in: &report)

        #expect(report.entries[0].player.isEmpty)
        #expect(players.pages(of: report).isEmpty)
    }

    @Test func `as many failures get a page as somebody looks at`() {
        var report = report(failures: 50)
        let players = FailurePlayers(beside: "comply.html")

        players.name(in: &report)

        #expect(players.pages(of: report).count == FailurePlayers.most)
        #expect(report.entries.count { !$0.player.isEmpty } == FailurePlayers.most)
    }
}
