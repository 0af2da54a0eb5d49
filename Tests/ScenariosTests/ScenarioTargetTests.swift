import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import Scenarios
import Testing

@testable import MeshTestbed

/// The same scenario plays on emulated radios at real links, and on radios that are somebody's.
@Suite struct ScenarioTargetTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")

    private static let hello = Scenario("hello", .direct, "Two people in range.") {
        alice.hears(bob)
        acquainted(alice, bob)
        alice.sends("hello", to: bob)
        bob.has("hello").within(.seconds(20))
        alice.sees("hello", as: .delivered).within(.seconds(20))
    }

    @Test(arguments: ["emulator+tcp", "emulator+pty"])
    func `a scenario is kept over a real link`(text: String) async throws {
        let target = try #require(ScenarioTarget(text))
        var run = ScenarioRun(try #require(ScenarioLibrary.shipped["next-door"]))
        // The other tests keep the machine busy.
        run.speed = 1

        let result = await run.on(target)

        #expect(result.verdict == .kept)
        #expect(result.target == target)
    }

    @Test func `an expectation that fails over a real link says what to repeat`() async throws {
        let scenario = Scenario("mute", .direct, "Two people out of range.") {
            Self.alice
            Self.bob
            acquainted(Self.alice, Self.bob)
            Self.alice.sends("hello", to: Self.bob)
            Self.bob.has("hello").within(.seconds(3))
        }

        var run = ScenarioRun(scenario, seed: Seed(5))
        run.speed = 1

        let result = await run.on(.wired(.tcp))

        guard case .broken(let failure) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }
        #expect(failure.sentence == "within 3 s: bob has “hello”")
        #expect(failure.reason == "bob has 0 other texts")
        #expect(result.repeatCommand == "meshbed scenario run mute --seed 5 --target emulator+tcp")
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

        let result = await ScenarioRun(Self.hello).decided(on: .wired(.tcp)) { run in
            speeds.append(run.speed)
            return ScenarioResult(
                scenario: run.scenario, target: .wired(.tcp), seed: run.seed, verdict: run.speed == 20 ? fast : slow)
        }

        #expect(speeds == Array([20, 4].prefix(plays)))
        #expect(result.verdict == (plays == 1 ? fast : slow))
    }

    @Test func `what breaks on virtual time is broken`() async {
        let result = await ScenarioRun(Self.hello).decided(on: .emulator) { run in
            ScenarioResult(
                scenario: run.scenario, target: .emulator, seed: run.seed,
                verdict: run.speed == 20 ? .couldNotRun("first") : .kept)
        }

        #expect(result.verdict == .couldNotRun("first"))
    }

    @Test func `radios of somebody play, and are as they were afterwards`() async throws {
        let emulator = try await Self.desk()
        let target = try #require(ScenarioTarget(words: emulator.endpoints.map { "\($0.endpoint)" }))
        let before = try await emulator.inspect(Self.look)

        let result = await ScenarioRun(Self.hello).on(target)

        let after = try await emulator.inspect(Self.look)
        await emulator.stop()
        #expect(result.verdict == .kept)
        #expect(after == before)
        #expect(after.map(\.contacts) == [0, 0])
    }

    @Test func `what a target lacks is a reason, and nothing is kept`() async throws {
        let scenario = try #require(ScenarioLibrary.shipped["flood-fallback"])
        let radios = try #require(ScenarioTarget("tcp://127.0.0.1:1"))

        let fallback = await ScenarioRun(scenario).on(radios)
        let hello = await ScenarioRun(Self.hello).on(radios)

        #expect(fallback.verdict == .notRun("needs nodes of its own, control over power, a second radio"))
        #expect(hello.verdict == .notRun("needs a second radio"))
    }

    @Test func `a radio that cannot be reached ends the run, not the program`() async throws {
        let target = try #require(ScenarioTarget(words: ["tcp://127.0.0.1:1", "tcp://127.0.0.1:1"]))

        let result = await ScenarioRun(Self.hello).on(target)

        guard case .couldNotRun(let reason) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }
        #expect(reason.contains("127.0.0.1 port 1"))
    }

    @Test func `a radio that vanishes in the middle breaks its scenario, and says so`() async throws {
        let emulator = try await Self.desk()
        let target = try #require(ScenarioTarget(words: emulator.endpoints.map { "\($0.endpoint)" }))
        let scenario = Scenario("vanished", .direct, "Two people, one of whose radios goes.") {
            Self.alice.hears(Self.bob)
            acquainted(Self.alice, Self.bob)
            Vanish(emulator: emulator)
            Self.bob.sends("hello", to: Self.alice)
        }

        let result = await ScenarioRun(scenario).on(target)

        #expect(result.isBroken)
    }

    @Test func `words that are no target are none`() {
        #expect(ScenarioTarget("emulator+ble") == nil)
        #expect(ScenarioTarget(words: ["emulator", "tcp://127.0.0.1"]) == nil)
        #expect(ScenarioTarget(words: []) == nil)
        #expect(
            ScenarioTarget(words: ["tcp://a", "serial:/dev/b"])?.description == "tcp://a:5000 serial:/dev/b?baud=115200"
        )
    }

    private struct Look: Equatable {
        var name: ByteText
        var contacts: Int
    }

    /// What the radios on the desk are called, and how many they know.
    private static func look(_ world: World) -> [Look] {
        world.nodes.compactMap(world.companion).map { radio in
            Look(name: radio.preferences.name, contacts: radio.contacts.listedCount)
        }
    }

    /// Two companion radios on a desk, in range of each other.
    private static func desk() async throws -> Emulator {
        let world = WorldDescription(
            name: "desk", summary: "", nodes: [.init("alice", .companion(.wifi)), .init("bob", .companion(.wifi))],
            links: [.init("alice", "bob")])
        return try await Emulator.start(
            .init(
                world: world, seed: Seed(3),
                endpoints: ["alice", "bob"].map { .init(label: $0, endpoint: .tcp(host: "127.0.0.1", port: 0)) }))
    }
}

/// All radios go away.
private struct Vanish: Doer {
    let emulator: Emulator
    let sentence = "the desk burns"
    let cast: [Member] = []

    func perform(on stage: Stage) async throws { await emulator.stop() }
}
