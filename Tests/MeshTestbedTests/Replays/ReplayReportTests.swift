import Testing

@testable import MeshTestbed

/// Replays in reports.
@Suite struct ReplayReportTests {
    @Test func `without an expectation each departure and a lost connection is broken`() {
        var outcome = StackOutcome()
        #expect(TestReport(replayingInto: outcome, differences: nil).exitCode == 0)
        outcome.departures = ["CMD_A 01: no such command was recorded", "CMD_B 02: no such command was recorded"]
        outcome.error = "no answer"

        let report = TestReport(replayingInto: outcome, differences: nil)

        #expect(report.exitCode == 1 && report.broken == 3)
        #expect(report.entries.map(\.title) == ["the stack connects", "CMD_A", "CMD_B"])
    }

    @Test func `with an expectation the differences count, and they alone`() {
        var outcome = StackOutcome()
        outcome.departures = ["CMD_A 01: no such command was recorded"]

        #expect(TestReport(replayingInto: outcome, differences: []).exitCode == 0)
        let report = TestReport(replayingInto: outcome, differences: ["unread: expected 3, seen 2"])
        #expect(report.entries.map(\.verdict) == [.broken(["unread: expected 3, seen 2"])])
    }

    @Test func `one report of several recordings names each, and the worst of them counts`() {
        let kept = TestReport(replayingInto: StackOutcome(), differences: [])
        let broken = TestReport(replayingInto: StackOutcome(), differences: ["x"])
        let impossible = TestReport(impossibleReplay: "no such file", command: "replay --into stack", target: "c")

        let both = TestReport(replays: [("a", kept), ("b", broken)], target: "stack")
        let all = TestReport(replays: [("a", kept), ("b", broken), ("c", impossible)], target: "stack")

        #expect(both.entries.map(\.id) == ["a/expectation", "b/expectation"])
        #expect(both.groups == ["a: Stack", "b: Stack"])
        #expect(both.exitCode == 1 && all.exitCode == 2)
        #expect(both.command == "replay --into stack")
        #expect(all.junit.contains(#"<error message="no such file"/>"#))
    }
}
