import MeshCapture
import MeshTime
import Testing

@testable import MeshReports
@testable import MeshScenarios

/// Replays in reports.
@Suite struct ReplayReportTests {
    @Test func `a radio tells what never came, and counts departures beyond those it keeps`() throws {
        var radio = RadioReplayer(
            try RecordedDay.made(of: ["0 +", "1 > 05", "1 < 0901020304", "2 > 14", "2 < 0c0102"]))
        var effects: [RadioReplayer.Effect] = []
        radio.handle(.connected, at: .start, into: &effects)
        radio.handle(.frame([5]), at: .start, into: &effects)
        for _ in 0...RadioReplayer.departureLimit { radio.handle(.frame([0x26]), at: .start, into: &effects) }

        #expect(radio.summary.count == RadioReplayer.departureLimit + 3)
        #expect(
            radio.summary.suffix(3) == [
                "and 1 departures more", "never sent: CMD_GET_BATT_AND_STORAGE (entry 4)",
                "1 answered (0 of them again), 1001 departures, 1 of 2 recorded commands never sent",
            ])
    }

    @Test func `a client's report has pushes apart, and the recorded frame of what is broken`() throws {
        let recording = try RecordedDay.made(of: ["0 +", "1 > 05", "1 < 0901020304", "2 < 83"])
        var client = ClientReplayer(recording)
        var effects: [ClientReplayer.Effect] = []
        client.begin(at: .start, into: &effects)
        client.handle(.connected, at: .start, into: &effects)
        client.handle(.frame([9, 1, 2, 3, 4]), at: .start, into: &effects)
        client.handle(.woke, at: .seconds(60), into: &effects)

        let report = TestReport(replaying: recording, against: "a radio", client.checks)

        #expect(report.groups == ["Commands", "Pushes"])
        #expect(report.entries.map(\.id) == ["entry/2", "entry/4"])
        #expect(report.entries.map(\.frames.count) == [1, 1])
        #expect(report.kept == 1 && report.broken == 1)
    }

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
