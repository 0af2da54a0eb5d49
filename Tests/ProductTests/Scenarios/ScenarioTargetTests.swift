import MeshTestbed
import MeshTime
import Scenarios
import Testing

@testable import MeshScenarios

/// The outcome of a scenario on each target; `ScenarioRealTimeTests` plays them there.
@Suite struct ScenarioTargetTests {
    static let alice = Person.stack("alice")
    static let bob = Person.client("bob")

    static let hello = Scenario("hello", .direct, "Two people in range.") {
        alice.hears(bob)
        acquainted(alice, bob)
        alice.sends("hello", to: bob)
        bob.has("hello").within(.seconds(20))
        alice.sees("hello", as: .delivered).within(.seconds(20))
    }

    @Test(arguments: Target.Modelled.allCases)
    func `a scenario is kept over a modelled link, with the same steps each time`(link: Target.Modelled) async throws {
        let target = Target(.modelled(link))
        let (scenario, direct) = (Self.hello, await ScenarioRun(Self.hello).on(.emulator))

        let results = [await ScenarioRun(scenario).on(target), await ScenarioRun(scenario).on(target)]

        #expect(results.allSatisfy { $0.verdict == .kept && $0.target == target && $0.mark == nil })
        #expect(results[0].digest == results[1].digest && results[0].digest != direct.digest)
        #expect(try Target("emulator+\(link.rawValue)") == target && target.isRepeatable)
    }

    @Test(arguments: [
        // What it comes to at twenty times the clock's speed and at four times; how often it is played.
        (ScenarioResult.Verdict.kept, ScenarioResult.Verdict.kept, 1),
        (.couldNotRun("no time"), .kept, 2),
        (.broken(.init(sentence: "in time", reason: "too late", time: .zero)), .kept, 2),
        (.broken(.init(sentence: "in time", reason: "too late", time: .zero)), .couldNotRun("gone"), 2),
        (.notRun("no air"), .kept, 1),
    ])
    func `what breaks on a fast clock is decided on a slower one`(
        fast: ScenarioResult.Verdict, slow: ScenarioResult.Verdict, plays: Int
    ) async {
        var speeds: [Double] = []

        let result = await ScenarioRun(Self.hello).decided(on: Target(.wired(.tcp))) { run in
            speeds.append(run.speed)
            return ScenarioResult(
                scenario: run.scenario, target: Target(.wired(.tcp)), seed: run.seed,
                verdict: run.speed == 20 ? fast : slow)
        }

        #expect(speeds == Array([20, 4].prefix(plays)))
        #expect(result.verdict == (plays == 1 ? fast : slow))
    }

    @Test func `an expectation that fails over a real link says what to repeat`() async {
        let scenario = Scenario("mute", .direct, "Two people out of range.") {
            Self.alice
            Self.bob
            acquainted(Self.alice, Self.bob)
            Self.alice.sends("hello", to: Self.bob)
            Self.bob.has("hello").within(.seconds(3))
        }

        // What the radios do is played on virtual time: how long sockets take is no matter of the verdict.
        let result = await ScenarioRun(scenario, seed: Seed(5)).decided(on: Target(.wired(.tcp))) { run in
            let verdict = await onThread { run.onVirtualTime().verdict }
            return ScenarioResult(
                scenario: run.scenario, target: Target(.wired(.tcp)), seed: run.seed, verdict: verdict)
        }

        guard case .broken(let failure) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }
        #expect(failure.sentence == "within 3 s: bob has “hello”")
        #expect(failure.reason == "bob has no text")
        #expect(result.repeatCommand == "meshbed scenario run mute --seed 5 --target emulator+tcp")
    }

    @Test func `what breaks on virtual time is broken`() async {
        let result = await ScenarioRun(Self.hello).decided(on: .emulator) { run in
            ScenarioResult(
                scenario: run.scenario, target: .emulator, seed: run.seed,
                verdict: run.speed == 20 ? .couldNotRun("first") : .kept)
        }

        #expect(result.verdict == .couldNotRun("first"))
    }

    @Test func `what a target lacks is a reason, and nothing is kept`() async throws {
        let scenario = try #require(ScenarioLibrary.shipped["flood-fallback"])
        let radios = try Target("tcp://127.0.0.1:1")

        let fallback = await ScenarioRun(scenario).on(radios)
        let hello = await ScenarioRun(Self.hello).on(radios)

        #expect(fallback.verdict == .notRun("needs nodes of its own, control over power, a second radio"))
        #expect(hello.verdict == .notRun("needs a second radio"))
    }
}
