import MeshTime
import Testing

@testable import MeshReports
@testable import MeshScenarios

/// The text of a broken scenario for people.
@Suite struct FailureTextTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let hill = Repeater("hill")

    /// Line of the expectation, filled in by the compiler.
    private static let expectation = #line + 11
    private static let dark = Scenario("dark", .flood, "The hill is dark.") {
        chain(alice, hill, bob)
        acquainted(alice, bob)

        bob.says("good morning")
        alice.has("good morning").within(.seconds(20))
        hill.hasNoPower(for: .seconds(600))
        pause(.seconds(5))
        bob.says("is there light?")
        alice.sends("hello", to: bob)
        alice.sees("hello", as: .delivered).within(.seconds(60))
    }

    private func run(_ scenario: Scenario) -> ScenarioResult {
        var run = ScenarioRun(scenario, seed: Seed(7))
        run.explainsFailures = true
        return run.onVirtualTime()
    }

    @Test func `it says how often was tried, how far copies came, where they died, and how to repeat it`() throws {
        let text = run(Self.dark).text()
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }

        #expect(lines.first == "BROKEN    flood/dark")
        #expect(lines[1].hasPrefix("within 1 min: alice sees “hello” as delivered: it is shown as "))
        #expect(lines.contains { $0.wholeMatch(of: /alice made \d+ attempts? to send “hello”, shown as \w+/) != nil })
        #expect(lines.contains { $0.wholeMatch(of: /“hello” on the air: \d+ by alice/) != nil })
        #expect(lines.contains { $0.wholeMatch(of: /\d+ frames? lost at hill, which had no power/) != nil })
        #expect(lines.last == "again: meshbed scenario run dark --seed 7")
        // Another text that was lost at the same place is not counted.
        #expect(!text.contains("is there light?"))
    }

    @Test func `nothing reaches somebody who has walked away`() {
        let scenario = Scenario("away", .direct, "Bob is out of range.") {
            Self.alice.hears(Self.bob)
            acquainted(Self.alice, Self.bob)
            Self.bob.walksAway()
            Self.alice.sends("good morning", to: Self.bob)
            Not(Self.bob.has("good morning")).stays(for: .seconds(30))
        }

        #expect(run(scenario).verdict == .kept)
    }

    @Test func `it says what came instead`() {
        let scenario = Scenario("instead", .direct, "Another text.") {
            Self.alice.hears(Self.bob)
            acquainted(Self.alice, Self.bob)
            Self.alice.sends("good morning", to: Self.bob)
            Self.bob.has("good morning").within(.seconds(20))
            Self.bob.has("good evening").within(.seconds(5))
        }

        let text = run(scenario).text()

        #expect(text.contains("bob has only “good morning”"))
        #expect(text.contains("nobody has sent “good evening”"))
    }

    @Test func `a text that arrived and was not acknowledged says where the acknowledgements died`() {
        let scenario = Scenario("unheard", .direct, "Alice hears nothing.") {
            Self.alice.hears(Self.bob)
            acquainted(Self.alice, Self.bob)
            Self.alice.isDeaf(for: .seconds(600))
            Self.alice.sends("hello", to: Self.bob)
            Self.alice.sees("hello", as: .delivered).within(.seconds(30))
        }

        let text = run(scenario).text()

        // Bob is in the text's action, though not in the expectation.
        #expect(text.contains("bob's radio had it at "))
        #expect(text.contains("no acknowledgement came back"))
        #expect(text.contains("lost at alice, which was deaf"))
    }

    @Test func `the place of a failure is the line of the story that does not hold`() {
        let result = run(Self.dark)

        #expect(result.place.line == Self.expectation)
        #expect(result.place.fileID == "ProductTests/FailureTextTests.swift")
        #expect(result.place.filePath.hasSuffix("/FailureTextTests.swift"))
    }

    @Test func `a kept scenario has its own place`() {
        let scenario = Scenario("quiet", .direct, "Nothing.") { Self.alice }

        #expect(ScenarioRun(scenario).onVirtualTime().place.line == #line - 2)
    }

    @Test func `what is told in full says when an expectation came true, and a fault and its effect once`() {
        let lines = run(Self.dark).text(isVerbose: true).split(separator: "\n").map(String.init)

        let faults = lines.filter { $0.contains("hill has no power") }
        #expect(faults.count == 2)
        #expect(faults.count { $0.contains("trouble: hill has no power for 10 min") } == 1)
        #expect(faults.count { $0.contains("fault: hill has no power for 10 min: ") } == 1, "\(faults)")
        #expect(lines.contains { $0.hasSuffix(" s  true: alice has “good morning”") })
        #expect(!lines.contains { $0.contains("true: alice sees “hello” as delivered") })
    }

    @Test func `reports in files say the same`() throws {
        let report = TestReport(scenarios: [run(Self.dark)], target: "emulator", seed: Seed(7))

        for text in [report.text(), report.json, report.junit, HTMLReport(report).html] {
            #expect(text.contains("lost at hill, which had no power"))
            #expect(text.contains("FailureTextTests.swift:\(Self.expectation)"))
        }
    }
}
