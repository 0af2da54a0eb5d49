import MeshReports
import MeshTime
import Testing

@testable import MeshScenarios

/// Scenarios in which everything holds, and that prove nothing.
struct InvalidScenarioTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let carol = Person.client("carol")
    private static let hill = Repeater("hill")

    /// A text over a hill, which arrives; carol hears nobody and is heard by nobody.
    private static func story(_ name: String, @ScenarioBuilder _ parts: () -> [ScenarioPart]) -> Scenario {
        let lines = parts()
        return Scenario(name, .flood, "Alice's text arrives, whatever else was planned.") {
            chain(alice, hill, bob)
            acquainted(alice, bob)
            carol
            lines
            alice.sends("hello", to: bob)
            bob.has("hello").within(.seconds(60))
            pause(.seconds(5))
        }
    }

    /// Faults that cannot fire: their share is nothing, nobody is there to meet them, or their time does not come.
    static let planted: [Scenario] = [
        story("no-share-of-frames") { loss(0) },
        story("everybody-in-the-partition") { partition(alice, hill, bob, carol) },
        story("a-hermit-in-the-partition") { partition(carol) },
        story("a-hermit-is-deaf") { carol.isDeaf() },
        story("a-hermit-naps") { carol.naps(listening: .seconds(1), sleeping: .seconds(1)) },
        story("a-hermit-echoes") { carol.echoes(after: .seconds(1)) },
        story("a-hermit-spoils-frames") { carol.spoilsFrames(1) },
        story("no-frame-is-spoiled") { alice.spoilsFrames(0) },
        story("no-link-to-lose") { alice.doesNotHear(bob) },
        story("no-link-to-cut") { Cut(alice, bob) },
        story("a-link-stays-as-it-was") { hill.isInRadioRange(of: alice) },
        story("a-clock-jumps-by-nothing") { hill.clockJumps(by: .zero) },
        story("a-flash-fails-unasked") { hill.flashFails(for: .milliseconds(1)) },
        story("a-write-that-never-comes") { hill.losesPowerInWrite(keepingBytes: 1, for: .milliseconds(1)) },
        story("no-frame-is-doubled") { alice.linkFault(.doubles(0), .toApp) },
        story("no-frame-is-cut") { alice.linkFault(.cutsInTwo(0), .toApp) },
        story("no-frame-is-dropped") { alice.linkFault(.drops(0), .toRadio) },
        story("no-frame-is-late") { alice.linkFault(.delays(.zero), .toRadio) },
        story("a-stall-of-no-time") { alice.linkFault(.stalls(.zero), .toApp) },
        story("a-cut-after-a-million-frames") { alice.linkFault(.cutsAfter(1_000_000), .toApp) },
        story("faults-replace-each-other") {
            alice.linkFault(.cutsAfter(1_000_000), .toRadio)
            alice.linkFault(.delays(.milliseconds(10)), .toRadio)
        },
        story("a-closed-app-loses-its-link") {
            carol.closesApp()
            carol.losesLink().lasts(.seconds(2))
        },
        story("a-moment-that-never-comes") { whenever(bob.has("goodbye")) { alice.isDeaf() } },
    ]

    @Test(arguments: planted)
    func `a scenario whose fault cannot fire is invalid, and names it`(scenario: Scenario) throws {
        let result = ScenarioRun(scenario, seed: Seed(7)).onVirtualTime()

        guard case .invalid(let reasons) = result.verdict else {
            Issue.record("\(scenario.name): \(result.text())")
            return
        }
        let sentence = try #require(scenario.script.flatMap(\.faults).first?.sentence)
        #expect(reasons.contains { $0.hasPrefix(sentence) }, "\(reasons)")
        #expect(result.text().hasPrefix("INVALID   flood/\(scenario.name)"))
    }

    @Test func `there are as many as the acceptance asks for`() {
        #expect(Self.planted.count >= 20)
        #expect(Set(Self.planted.map(\.name)).count == Self.planted.count)
    }

    @Test(arguments: planted)
    func `the same scenario is kept when its fault may not fire`(scenario: Scenario) {
        var willing = scenario
        willing.script = scenario.script.mayNotFire()

        #expect(ScenarioRun(willing, seed: Seed(7)).onVirtualTime().verdict == .kept)
    }

    @Test func `a fault that fires is counted and leaves the scenario kept`() {
        let story = Self.story("all-fire") {
            Self.alice.linkFault(.delays(.milliseconds(50)), .toApp)
            Self.alice.losesLink().lasts(.seconds(2))
            pause(.seconds(10))
            Cut(Self.hill, Self.bob).lasts(.seconds(1))
            Self.hill.restarts()
            pause(.seconds(20))
            Self.carol.clockJumps(by: .seconds(60))
        }

        let result = ScenarioRun(story, seed: Seed(7)).onVirtualTime()

        #expect(result.faults.count == 5)
        for outcome in result.faults where !outcome.sentence.contains("do not hear") {
            #expect(outcome.count.hasFired, "\(outcome.text)")
        }
        #expect(result.faults.last?.nodes == ["carol"])
    }

    // MARK: Rules

    static let rules: [(Scenario, String)] = [
        (story("never-sent") { never(bob.has("goodbye")) }, "nothing was done that it depends on"),
        (story("never-there-before") { never(bob.has("hello", times: 3)) }, "never had it 2 times"),
        (story("never-introduced") { never(alice.hasMet(carol)) }, "nothing was done that it depends on"),
        (story("never-reached") { always(carol.hasTransmitted(.atMost(50))) }, "nothing reached carol"),
        (story("never-looked-at") { never(hill.isAnApp) }, "it was never looked at, as hill has no app"),
        (story("not-at-all") { Not(bob.has("goodbye")).stays(for: .seconds(3)) }, "nothing was done"),
    ]

    @Test(arguments: rules)
    func `a rule that could not be broken makes the run invalid`(scenario: Scenario, reason: String) {
        let result = ScenarioRun(scenario, seed: Seed(7)).onVirtualTime()

        guard case .invalid(let reasons) = result.verdict else {
            Issue.record("\(scenario.name): \(result.text())")
            return
        }
        #expect(reasons.count == 1 && reasons[0].contains(reason), "\(reasons)")

        var willing = scenario
        willing.rules = scenario.rules.map { $0.mayNotFire() }
        willing.script = scenario.script.mayNotFire()
        #expect(ScenarioRun(willing, seed: Seed(7)).onVirtualTime().verdict == .kept)
    }

    @Test func `rules that had their occasion are kept`() {
        let story = Self.story("watched") {
            never(Self.bob.has("hello", times: 2))
            never(Self.alice.sees("hello", as: .failed))
            always(Self.hill.hasTransmitted(.atMost(100)))
        }

        #expect(ScenarioRun(story, seed: Seed(7)).onVirtualTime().verdict == .kept)
    }

    // MARK: Reports

    @Test func `an invalid run is named as such in every report, and by the exit status`() {
        let result = ScenarioRun(Self.planted[0], seed: Seed(7)).onVirtualTime()
        let report = TestReport(scenarios: [result], target: "emulator", seed: Seed(7))

        #expect(report.exitCode == 3 && report.invalid == 1 && report.kept == 0)
        #expect(report.text().contains("INVALID  flood/no-share-of-frames") && report.summary.contains("invalid 1"))
        #expect(report.junit.contains(#"errors="1""#))
        #expect(report.junit.contains(#"<error type="invalid" message="invalid: "#))
        #expect(report.json.contains(#""verdict" : "invalid""#) && report.json.contains(#""invalid" : 1"#))
        #expect(report.json.contains("0 % of the frames are lost: it never took effect"))
        #expect(HTMLReport(report).html.contains("1 invalid"))
        #expect(report.jobSummary.contains("invalid") && report.annotations(.fail).count == 1)
    }

    @Test func `a seed of a soak that proves nothing is listed`() {
        let result = Soak(.fixed(Self.planted[0]), seeds: 1...3).perform()

        #expect(result.kept == 0 && result.invalid.map(\.seed) == [1, 2, 3] && result.failures.isEmpty)
        #expect(result.faults == (3, 0))
        #expect(result.text.contains("INVALID seed 2: ") && result.text.contains("0 of 3 faults took effect"))
    }
}

extension Repeater {
    /// An expectation that cannot be looked at.
    fileprivate var isAnApp: IsConnected { IsConnected(who: member) }
}
