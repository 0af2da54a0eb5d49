import MeshTime
import Testing

@testable import MeshReports
@testable import MeshScenarios

/// Scenarios in reports.
struct ScenarioReportTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let hill = Repeater("hill")

    private let hopeless = Scenario("hopeless", .flood, "Nobody ever says goodbye.", tags: [.smoke]) {
        chain(alice, hill, bob)
        acquainted(alice, bob)
        sometimes(bob.has("hello"))
        sometimes(bob.has("never"))

        alice.sends("hello", to: bob)
        bob.has("hello").within(.seconds(20))
        bob.has("goodbye").within(.seconds(5))
    }

    private func played(isRecording: Bool) -> ScenarioResult {
        var run = ScenarioRun(hopeless, seed: Seed(7))
        run.isRecording = isRecording
        return run.onVirtualTime()
    }

    @Test func `a broken scenario says what should have held, when, and how to see it again`() throws {
        let report = TestReport(scenarios: [played(isRecording: false)], target: "emulator", seed: Seed(7))
        let entry = try #require(report.entries.first)

        #expect(entry.id == "flood/hopeless")
        #expect(entry.explanation == "Nobody ever says goodbye.")
        #expect(entry.tags == ["smoke"])
        #expect(entry.repeatCommand == "meshbed scenario run hopeless --seed 7")
        guard case .broken(let lines) = entry.verdict else {
            Issue.record("it is not broken")
            return
        }
        #expect(lines.contains { $0.hasPrefix("expected  ") && $0.contains("goodbye") })
        #expect(report.coverage.map(\.count) == [1, 0])
        #expect(report.exitCode == 1)
    }

    @Test func `its timeline has the script, apps before their radios, the others, and the air`() throws {
        let entry = TestReport.Entry(played(isRecording: true))
        let timeline = try #require(entry.timeline)

        #expect(
            timeline.lanes.map(\.name) == ["script", "alice’s app", "alice", "hill", "bob’s app", "bob", "air"])
        #expect(timeline.events.contains { $0.kind == .frame && $0.lane == 1 })
        #expect(timeline.events.last { $0.kind == .failure }?.lane == 0)
        #expect(!entry.frames.isEmpty)
    }

    @Test func `a packet leaves its sender for the air, and arrives at who heard it when it ends`() throws {
        let timeline = try #require(TestReport.Entry(played(isRecording: true)).timeline)

        let sent = try #require(timeline.events.firstIndex { $0.kind == .packet && $0.label.hasSuffix("from alice") })
        let packet = timeline.events[sent]
        let arrows = timeline.arrows.filter { $0.from == sent }
        #expect(arrows.first == .init(from: sent, start: 2, to: 6, at: packet.at, isLost: false))
        #expect(arrows.dropFirst().map(\.to) == [3])
        #expect(arrows.dropFirst().allSatisfy { $0.start == 6 && $0.at >= packet.at + packet.length })
        #expect(packet.detail.hasSuffix("received by hill"))
        #expect(timeline.events.contains { $0.kind == .packet && $0.label.hasSuffix("from hill") })
    }

    @Test func `a run that broke by itself is no verdict on the radio, and the exit code says so`() {
        var result = played(isRecording: false)
        result.verdict = .couldNotRun("the radio vanished <here>")
        let report = TestReport(scenarios: [result], target: "emulator", seed: Seed(7))

        #expect(report.exitCode == 2)
        #expect(report.broken == 0 && report.couldNotRun == 1)
        #expect(report.junit.contains(#"<error message="the radio vanished &lt;here&gt;"/>"#))
        #expect(report.text().contains("FAILED   flood/hopeless"))
        #expect(HTMLReport(report).html.contains("1 could not run"))
    }

    @Test func `a soak counts its states, and names the first seed that is broken`() {
        let states = hopeless.states
        var soak = SoakResult(name: "hopeless", path: hopeless.path, states: states)
        for seed in [3, 4] as [UInt64] {
            let result = ScenarioRun(hopeless, seed: Seed(seed)).onVirtualTime()
            soak.add(.init(verdict: result.verdict, reached: result.reached, scenario: hopeless), seed: seed)
        }

        let report = TestReport(soaks: [soak])

        #expect(report.coverage == zip(states, [2, 0]).map { TestReport.StateCount($0, $1) })
        #expect(report.entries.first?.repeatCommand == "meshbed scenario run hopeless --seed 3")
        #expect(report.exitCode == 1)
    }

    @Test func `a soak's failure is told as it was made small, with its picture and the line that repeats it`() throws {
        var soak = SoakResult(name: "hopeless", path: hopeless.path, states: hopeless.states)
        let result = ScenarioRun(hopeless, seed: Seed(3)).onVirtualTime()
        soak.add(.init(verdict: result.verdict, reached: result.reached, scenario: hopeless), seed: 3)
        soak.shrunk = soak.failures.map { ShrunkFailure($0, name: "hopeless", effort: 60, commit: "0123456789") }

        let entry = try #require(TestReport(soaks: [soak]).entries.first)

        guard case .broken(let lines) = entry.verdict else {
            Issue.record("\(entry.verdict)")
            return
        }
        #expect(lines.first?.hasPrefix("seed      3, shrunk from ") == true)
        #expect(lines.last?.hasPrefix("got       ") == true)
        #expect(entry.repeatCommand.hasPrefix("meshbed scenario run hopeless --seed 3 --at 0123456789 --without "))
        #expect(entry.timeline != nil)
        let html = HTMLReport(TestReport(soaks: [soak])).html
        #expect(html.contains("shrunk from"))
    }
}
