import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestbed
import MeshTime
import MeshTransports
import MeshWire
import Scenarios
import Testing

@testable import MeshScenarios

/// Scenarios over sockets and terminals, by the clock of the wall.
@Suite struct ScenarioRealTimeTests {
    @Test(arguments: ["emulator+tcp", "emulator+pty"])
    func `a scenario is kept over a real link`(text: String) async throws {
        let target = try Target(text)
        var run = ScenarioRun(try #require(ScenarioLibrary.shipped["next-door"]))
        run.speed = 1

        let result = await run.on(target)

        #expect(result.verdict == .kept)
        #expect(result.target == target)
    }

    @Test func `radios of somebody play, and are as they were afterwards`() async throws {
        let emulator = try await Self.desk()
        let target = try Target(words: emulator.endpoints.map { "\($0.endpoint)" })
        let before = try await emulator.inspect(Self.look)
        let scenario = Scenario("changes", .direct, "Two people who change everything that words can.") {
            ScenarioTargetTests.alice.hears(ScenarioTargetTests.bob)
            acquainted(ScenarioTargetTests.alice, ScenarioTargetTests.bob)
            ScenarioTargetTests.alice.confirmsTwice()
            ScenarioTargetTests.alice.usesHashes(ofBytes: 2)
            ScenarioTargetTests.bob.answersContacts()
            ScenarioTargetTests.bob.adds(.nobody)
            ScenarioTargetTests.bob.joins(ChannelWord("#hill"))
            ScenarioTargetTests.bob.takesName("Robert")
            ScenarioTargetTests.alice.sends("hello", to: ScenarioTargetTests.bob)
            ScenarioTargetTests.bob.has("hello").within(.seconds(20))
        }

        let result = await ScenarioRun(scenario).on(target)

        let after = try await emulator.inspect(Self.look)
        await emulator.stop()
        #expect(result.verdict == .kept)
        #expect(after == before)
        #expect(after.map(\.contacts) == [0, 0])
    }

    @Test func `a radio that cannot be reached ends the run, not the program`() async throws {
        let target = try Target(words: ["tcp://127.0.0.1:1", "tcp://127.0.0.1:1"])

        let result = await ScenarioRun(ScenarioTargetTests.hello).on(target)

        guard case .couldNotRun(let reason) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }
        #expect(reason.contains("127.0.0.1 port 1"))
    }

    @Test func `a radio that vanishes in the middle breaks its scenario, and says so`() async throws {
        let emulator = try await Self.desk()
        let target = try Target(words: emulator.endpoints.map { "\($0.endpoint)" })
        let scenario = Scenario("vanished", .direct, "Two people, one of whose radios goes.") {
            ScenarioTargetTests.alice.hears(ScenarioTargetTests.bob)
            acquainted(ScenarioTargetTests.alice, ScenarioTargetTests.bob)
            Vanish(emulator: emulator)
            ScenarioTargetTests.bob.sends("hello", to: ScenarioTargetTests.alice)
        }

        let result = await ScenarioRun(scenario).on(target)

        #expect(result.isBroken)
    }

    @Test func `an expectation that fails over a real link says what to repeat`() async throws {
        let scenario = Scenario("mute", .direct, "Two people out of range.") {
            ScenarioTargetTests.alice
            ScenarioTargetTests.bob
            acquainted(ScenarioTargetTests.alice, ScenarioTargetTests.bob)
            ScenarioTargetTests.alice.sends("hello", to: ScenarioTargetTests.bob)
            ScenarioTargetTests.bob.has("hello").within(.seconds(3))
        }

        var run = ScenarioRun(scenario, seed: Seed(5))
        run.speed = 1

        let result = await run.on(Target(.wired(.tcp)))

        guard case .broken(let failure) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }
        #expect(failure.sentence == "within 3 s: bob has “hello”")
        #expect(failure.reason == "bob has no text")
        #expect(result.repeatCommand == "meshbed scenario run mute --seed 5 --target emulator+tcp")
    }

    private struct Look: Equatable {
        var preferences: CompanionPreferences
        /// Names and secrets.
        var channels: [[FixedBytes<32>]]
        var contacts: Int
    }

    /// Reads the settings of the radios on the desk, and the numbers of their contacts.
    private static func look(_ world: World) -> [Look] {
        world.nodes.compactMap(world.companion).map { radio in
            Look(
                preferences: radio.preferences, channels: radio.channels.slots.map { [$0.name, $0.secret] },
                contacts: radio.contacts.listedCount)
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
                endpoints: ["alice", "bob"].map { .init(label: $0, endpoint: .freePort) }))
    }
}

/// All radios go away.
private struct Vanish: Action {
    let emulator: Emulator
    let sentence = "the desk burns"
    let cast: [Member] = []

    func perform(on stage: Stage) async throws { await emulator.stop() }
}
