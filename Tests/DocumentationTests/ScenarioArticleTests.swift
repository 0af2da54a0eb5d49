import MeshCore
import MeshTestbed
import MeshTime
import Scenarios
import Testing

/// The code of the articles about scenarios, compiled and run; `DocumentationTests` holds the articles against it.
@Suite struct ScenarioArticleTests {
    @Test func `the first scenario is kept`() {
        let alice = Person.stack("alice")
        let bob = Person.client("bob")
        let hill = Repeater("hill")

        let overTheHill = Scenario(
            "over-the-hill", .flood,
            "Alice does not know the way to Bob. Her text floods over the hill, and Bob's confirmation brings the way."
        ) {
            chain(alice, hill, bob)
            acquainted(alice, bob)

            alice.sends("hello", to: bob)
            bob.has("hello").within(.seconds(20))
            alice.sees("hello", as: .delivered).within(.seconds(20))
            alice.knowsWay(to: bob, hops: 1).within(.seconds(20))
        }

        let result = ScenarioRun(overTheHill, seed: Seed(7)).onVirtualTime()
        #expect(result.verdict == .kept)
    }

    @Test func `the scenario with a fault is kept`() {
        let alice = Person.stack("alice")
        let bob = Person.client("bob")
        let hill = Repeater("hill")
        let valley = Repeater("valley")

        let fallback = Scenario(
            "the-hill-is-dark", .retry,
            "The repeater that Alice knows loses its power. The app floods, and the text arrives through the valley."
        ) {
            chain(alice, hill, bob)
            chain(alice, valley, bob)
            alice.knows(bob, over: hill)
            bob.knows(alice, over: valley)

            hill.hasNoPower(for: .seconds(120))
            alice.sends("does it work?", to: bob)
            bob.has("does it work?").within(.seconds(90))
            never(alice.sees("does it work?", as: .failed))
        }

        #expect(ScenarioRun(fallback).onVirtualTime().verdict == .kept)
    }

    struct Renames: Action {
        let who: Person
        let name: String
        var sentence: String { "\(who.member.name) calls the radio \(name)" }
        var cast: [Member] { [who.member] }

        func perform(on stage: Stage) async throws {
            try await stage.app(of: who).session().setName(name)
        }
    }

    @Test func `a word of one's own is a line like any other`() {
        let alice = Person.client("alice")
        let scenario = Scenario("renamed", .direct, "Alice has a new name.") {
            Renames(who: alice, name: "queen")
            alice.isConnected.now
        }

        let result = ScenarioRun(scenario).onVirtualTime()

        #expect(result.verdict == .kept)
        #expect(result.entries.contains { $0.kind == .step("alice calls the radio queen") })
    }

    @Test func `a radio is held against a part of the protocol`() throws {
        let report = try ComplianceRun(target: .emulator, only: Selection("50-60")).perform()
        #expect(report.exitCode == 0)
    }

    @Test func `a bench has a target and its peer`() throws {
        let bench = Bench {
            Radio("heltec", "serial:/dev/ttyUSB0", near: ["shelf"], allowing: .restart)
            Radio("shelf", "tcp://192.0.2.7:5000")
        }
        let run = try bench.complianceRun(target: "heltec", peer: "shelf", only: Selection("I,O,PEER-*"))
        #expect(run.target.allowed == .restart)
        #expect(try bench.target(words: ["heltec", "shelf"]).isReal)
    }

    @Test func `a desk says what it cannot play`() throws {
        let nextDoor = try #require(ScenarioLibrary.shipped["next-door"])
        let overTheHill = try #require(ScenarioLibrary.shipped["over-the-hill"])

        let desk = try Target(words: ["tcp://192.0.2.7:5000", "serial:/dev/ttyUSB0"])
        #expect(desk.reasonAgainst(nextDoor) == nil)
        #expect(desk.reasonAgainst(overTheHill) == "needs nodes of its own")
    }

    @Test func `a failure is repeated, and recording changes nothing`() throws {
        let alice = Person.stack("alice")
        let bob = Person.client("bob")
        let mute = Scenario("mute", .direct, "Two people who do not hear each other.") {
            alice
            bob
            acquainted(alice, bob)
            alice.sends("hello", to: bob)
            bob.has("hello").within(.seconds(5))
        }

        let result = ScenarioRun(mute, seed: Seed(4711)).onVirtualTime()
        guard case .broken(let failure) = result.verdict else { throw ScenarioError("it is not repeated") }
        #expect(failure.sentence == "within 5 s: bob has “hello”")
        #expect(result.repeatCommand == "meshbed scenario run mute --seed 4711")

        var run = ScenarioRun(mute, seed: Seed(4711))
        run.isRecording = true
        let recorded = run.onVirtualTime()
        let frames = recorded.entries.count { if case .toRadio = $0.kind { true } else { false } }
        #expect(frames > 0)
        #expect(recorded.digest == result.digest)
    }
}
