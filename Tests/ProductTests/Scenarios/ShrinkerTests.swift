import MeshPacket
import MeshSimulator
import MeshTime
import Scenarios
import Testing

@testable import MeshScenarios
@testable import MeshWorlds

@Suite struct ShrinkerTests {
    /// Acceptance 4 of the harness: a defect is found within 1,000 seeds, and what shows it is small.
    @Test(arguments: ["hurries", "flooded-mesh"])
    func `a confirmation that is matched by time is found and shrunk to four nodes and ten events`(
        name: String
    ) async throws {
        let source = try #require(ScenarioLibrary.shipped.source(name))
        var soak = Soak(source, seeds: 1...1000)
        soak.jobs = 2
        soak.prepare = { $0.defect = .confirmsByTime }

        let result = await soak.performed()
        let found = try #require(result.failures.first)
        var shrinker = Shrinker(found.scenario, seed: Seed(found.seed), failure: found.failure)
        shrinker.prepare = soak.prepare
        let shrunk = await shrinker.performed()

        #expect(found.failure.sentence == DeliveredIsThere().sentence)
        #expect(shrunk.failure.sentence == found.failure.sentence)
        #expect(shrunk.scenario.cast.count <= 4)
        #expect(shrunk.scenario.events.count <= 10)

        // The same seeds without the defect are clean, and the names of what was left out repeat the failure.
        soak.prepare = { _ in }
        soak.seeds = 1...found.seed
        let clean = await soak.performed()
        #expect(clean.kept == Int(found.seed))
        let names = shrunk.items.map(\.description)
        let items = names.compactMap(ScenarioItem.init)
        #expect(items == shrunk.items)
        var again = ScenarioRun(source.scenario(of: Seed(found.seed)).without(items), seed: Seed(found.seed))
        again.defect = .confirmsByTime
        #expect(again.onVirtualTime().verdict == .broken(shrunk.failure))
    }

    @Test func `names of items are read as they are written`() {
        let items: [ScenarioItem] = [
            .node(3), .bypass(0), .link(12), .knownContact(1), .rule(7), .step(5), .loss(2),
            .length(step: 5, divisor: 8), .random(3),
        ]
        #expect(items.map { ScenarioItem($0.description) } == items)
        for nonsense in ["", "n", "x3", "n-1", "s5/", "s5/1", "n3/2", "s5/8/8", "w0"] {
            #expect(ScenarioItem(nonsense) == nil)
        }
    }

    @Test func `what is left out keeps the names of everything else`() {
        let alice = Person.stack("alice")
        let bob = Person.stack("bob")
        let hill = Repeater("hill")
        let valley = Repeater("valley")
        let whole = Scenario("whole", .direct, "Two ways.") {
            chain(alice, hill, bob, loss: 0.5)
            chain(alice, valley, bob)
            alice.knows(bob, over: hill)

            at(.seconds(8)) {
                alice.sends("one", to: bob)
                hill.isDeaf(for: .seconds(40))
            }
            pause(.seconds(4))
            alice.sends("two", to: bob)
        }

        #expect(whole.lines.count == 5)
        #expect(whole.without([.step(1)]).script.map(\.sentence).last == "alice sends “two” to bob")
        #expect(whole.without([.step(1), .step(4)]).events.map(\.sentence) == ["hill is deaf for 40 s"])
        #expect(whole.without([.length(step: 2, divisor: 8)]).events[1].sentence == "hill is deaf for 5 s")
        #expect(whole.without([.step(0)]).lines.count == 2)
        let flat = whole.without([.node(1)])
        #expect(flat.cast.map(\.name) == ["alice", "valley", "bob"])
        #expect(flat.knownContacts.map(\.path) == [nil])
        #expect(flat.events.count == 2)
        let near = whole.without([.bypass(1), .node(3), .loss(0)])
        #expect(near.cast.map(\.name).sorted() == ["alice", "bob"])
        #expect(near.links.count == 1)
        #expect(whole.without([.loss(0)]).links.map(\.loss) == [0, 0.5, 0, 0])
    }

    @Test func `a scenario knows what it has, and a run of less of it is repeated as such`() throws {
        let alice = Person.stack("alice")
        let bob = Person.stack("bob")
        let whole = Scenario("mute", .direct, "Nothing can come.") {
            chain(alice, bob)
            acquainted(alice, bob)
            alice.sends("hello", to: bob)
            pause(.seconds(4))
            bob.has("hello").within(.seconds(5))
        }

        for item in ["n1", "b1", "l0", "c0", "a0", "s2", "s1/8", "w7"] {
            #expect(whole.has(try #require(ScenarioItem(item))), "\(item)")
        }
        for item in ["n2", "b2", "l1", "c1", "a9", "r0", "s3", "s0/8", "s3/8"] {
            #expect(!whole.has(try #require(ScenarioItem(item))), "\(item)")
        }
        let run = ScenarioRun(whole.without([.step(0), .random(3)]), seed: Seed(3)).onVirtualTime()
        #expect(run.isBroken)
        #expect(run.repeatCommand == "meshbed scenario run mute --seed 3 --without s0,w3")
        #expect(ScenarioRun(whole, seed: Seed(3)).onVirtualTime().repeatCommand == "meshbed scenario run mute --seed 3")
    }

    @Test func `the trace of a recorded run tells what became of each text`() throws {
        let alice = Person.stack("alice")
        let bob = Person.stack("bob")
        let hill = Repeater("hill")
        let scenario = Scenario("traced", .flood, "Over the hill.") {
            chain(alice, hill, bob)
            acquainted(alice, bob)
            alice.sends("good morning", to: bob)
            alice.sees("good morning", as: .delivered).within(.seconds(20))
            bob.says("to all")
            pause(.seconds(5))
        }
        var run = ScenarioRun(scenario, seed: Seed(5))
        run.isRecording = true
        let result = run.onVirtualTime()
        #expect(result.verdict == .kept)

        let trace = try TraceFile(ScenarioTrace.bytes(of: result))
        let fate = try MessageFate("good morning", in: trace)

        #expect(trace.digest != nil)
        #expect(trace.topology.nodes.map(\.label) == ["alice", "hill", "bob"])
        #expect(fate.words?.to == "bob")
        #expect(fate.reached.contains(2))
        #expect(fate.acknowledged != nil)
        #expect(fate.hops.map(\.sender).prefix(2) == [0, 1])
        #expect(try MessageFate("to all", in: trace).type == .grpTxt)
    }
}

extension Shrinker {
    /// Performed on a thread of its own, as it blocks.
    func performed() async -> Outcome {
        let shrinker = self
        return await onThread {
            var shrinker = shrinker
            return shrinker.perform()
        }
    }
}
