import MeshBoards
import MeshCompliance
import MeshSimulator
import MeshTime
import MeshTransports
import MeshVirtualTime
import Testing

@testable import MeshReports
@testable import MeshScenarios

/// Radios drop what they have heard before, and remember it from run to run.
@Suite struct RunMarkTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.stack("bob")

    private static let picture = Scenario("picture", .images, "Alice sends Bob a picture.") {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)
        alice.sendsPicture(to: bob)
        bob.hasPicture(from: alice).within(.seconds(120))
    }

    private static let text = Scenario("text", .direct, "Alice sends Bob a text.") {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)
        alice.sends("hello", to: bob)
        bob.has("hello").within(.seconds(60))
    }

    /// Plays a scenario once for each mark, on radios that stay on.
    private static func played(_ scenario: Scenario, _ marks: [RunMark?]) throws -> [ScenarioResult] {
        let radio = LinkAddress.tcp(host: "127.0.0.1", port: 1)
        return try VirtualTime.measure { clock in
            let desk = try StandingDesk(scenario, clock: clock)
            var results: [ScenarioResult] = []
            for mark in marks {
                var run = ScenarioRun(scenario, seed: Seed(5))
                run.mark = mark
                results.append(try await run.play(clock: clock, target: Target(.radios([radio, radio]))) { _ in desk })
            }
            await desk.switchOff()
            return results
        }.value
    }

    @Test(arguments: [picture, text])
    func `two runs with one seed and marks of their own are kept by the same radios`(scenario: Scenario) throws {
        let start = Stage.startOfTime

        let results = try Self.played(
            scenario, [RunMark(number: 1, start: start), RunMark(number: 2, start: start + 3600)])

        #expect(results.map(\.verdict) == [.kept, .kept])
        #expect(results.map(\.provenance).allSatisfy { $0?.contains("the seed does not fix") == true })
        #expect(Set(results.map(\.provenance)).count == 2)
    }

    /// The reason for the mark: without it a run is a repetition of the one before, whose chunks the radios drop.
    @Test func `a picture that is byte for byte an earlier one is dropped by the radios`() throws {
        // The radios boot during the first run, which is later therefore.
        let results = try Self.played(Self.picture, [nil, nil, nil])

        #expect(results.first?.isKept == true)
        #expect(results.contains { $0.isBroken })
    }

    @Test func `each run on real radios draws a mark, and says so in its report`() async throws {
        let target = try Target(words: ["tcp://127.0.0.1:1", "tcp://127.0.0.1:1"])
        let run = ScenarioRun(Self.text, seed: Seed(5))

        let results = [await run.on(target), await run.on(target)]

        let marks = results.compactMap(\.mark?.number)
        #expect(Set(marks).count == 2)
        let report = TestReport(scenarios: results, target: "\(target)", seed: Seed(5))
        #expect(report.notes.count == 2)
        #expect(report.notes.allSatisfy { $0.contains("the seed does not fix") })
        #expect(report.json.contains("\"notes\""))
    }

    @Test func `on virtual time the seed fixes everything`() async {
        let run = ScenarioRun(Self.text, seed: Seed(5))

        let (first, second) = (await run.on(.emulator), await run.on(.emulator))

        #expect(first.mark == nil && first.provenance == nil)
        #expect(first.digest == second.digest)
    }
}
