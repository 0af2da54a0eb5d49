import Foundation
import MeshTestbed
import MeshTime
import Scenarios
import Testing

@Suite struct SoakTests {
    private let coin = DrawnScenario("coin", .direct, "Bob is there with every second seed.") { draw in
        let alice = Person.stack("alice")
        let bob = Person.stack("bob")
        alice.hears(bob)
        if draw.chance("acquainted", 0.5) { acquainted(alice, bob) }
        sometimes(bob.has("hello"))
        sometimes(bob.has("never sent"))

        alice.sends("hello", to: bob).ifPossible
        bob.has("hello").within(.seconds(20))
    }

    @Test func `a soak counts the same with one thread and with three`() async {
        var soak = Soak(.drawn(coin), seeds: 1...12)
        soak.failureLimit = 100

        let one = await soak.performed()
        soak.jobs = 3
        let three = await soak.performed()

        #expect(one.played == 12)
        #expect(one.kept > 0 && !one.failures.isEmpty && one.kept + one.failures.count == 12)
        #expect(one.failures.map(\.seed) == three.failures.map(\.seed))
        #expect(one.failures.map(\.failure) == three.failures.map(\.failure))
        #expect(one.states == three.states)
        #expect(one.states.first?.count == one.kept)
        #expect(one.neverReached == ["bob has “never sent”"])
    }

    @Test func `a soak stops with as many broken seeds as it may have`() async throws {
        var soak = Soak(.drawn(coin), seeds: 1...60)
        soak.failureLimit = 100
        let all = await soak.performed().failures.map(\.seed)

        soak.jobs = 2
        soak.failureLimit = 2
        let result = await soak.performed()

        #expect(result.failures.map(\.seed) == Array(all.prefix(2)))
        #expect(UInt64(result.played) == all[1])
    }

    @Test(arguments: ScenarioLibrary.shipped.drawn.map(\.name))
    func `a drawn scenario is kept, and is the same every time`(name: String) throws {
        let source = try #require(ScenarioLibrary.shipped.source(name))
        for seed in (1...3).map({ Seed($0) }) {
            let first = ScenarioRun(source.scenario(of: seed), seed: seed).onVirtualTime()
            let second = ScenarioRun(source.scenario(of: seed), seed: seed).onVirtualTime()

            #expect(first.verdict == .kept)
            #expect(first.digest == second.digest)
        }
        let scripts = Set((1...5).map { source.scenario(of: Seed($0)).script.map(\.sentence) })
        #expect(scripts.count == 5)
    }
}

@Suite struct DrawTests {
    @Test func `a choice that is added moves no other one`() {
        var plain = Draw(Seed(7))
        var other = Draw(Seed(7))

        let expected = (0..<5).map { _ in plain.count("texts", in: 0...1000) }
        let found = (0..<5).map { _ in
            _ = other.chance("rain", 0.5)
            return other.count("texts", in: 0...1000)
        }

        #expect(found == expected)
        #expect(Set(expected).count > 1)
    }

    @Test func `choices keep to their ranges`() {
        for seed in (1...200).map({ Seed($0) }) {
            var draw = Draw(seed)
            #expect((2...4).contains(draw.count("a", in: 2...4)))
            #expect((0.1...0.15).contains(draw.share("b", in: 0.1...0.15)))
            #expect((Duration.seconds(1)...(.seconds(2))).contains(draw.span("c", in: .seconds(1)...(.seconds(2)))))
            let (one, other) = draw.pair("d", from: [1, 2, 3])
            #expect(one != other)
            #expect(draw.some("e", 2, of: [1, 2, 3]).count == 2)
        }
    }

    @Test func `everybody in a drawn mesh is reached over repeaters`() {
        for seed in (1...300).map({ Seed($0) }) {
            var draw = Draw(seed)
            let mesh = draw.mesh(people: 2...6, repeaters: 1...6, rooms: 1)
            let all = Set(
                (mesh.people.map(\.member) + mesh.repeaters.map(\.member) + mesh.rooms.map(\.member)).map(\.name))
            let relays = Set(mesh.repeaters.map(\.member.name))

            var reached: Set = ["alice"]
            var open = ["alice"]
            while let node = open.popLast() {
                for link in mesh.links where link.one.name == node || link.other.name == node {
                    let next = link.one.name == node ? link.other.name : link.one.name
                    if reached.insert(next).inserted, relays.contains(next) { open.append(next) }
                }
            }

            #expect(reached == all, "\(mesh.shape) of seed \(seed.value)")
        }
    }
}

extension Soak {
    /// Performed on a thread of its own, as it blocks.
    func performed() async -> SoakResult { await onThread { perform() } }
}

/// Something that blocks, away from the cooperative pool.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}
