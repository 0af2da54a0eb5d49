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

    @Test(arguments: ScenarioLibrary.shipped.drawn.filter { !$0.tags.contains(.long) }.map(\.name))
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

/// Faults that a drawn scenario must find.
@Suite struct DrawnFaultTests {
    private let alice = Person.stack("alice")
    private let bob = Person.stack("bob")

    /// Seed 17 of `restarts`: the radio had not yet written the contacts when it lost its power.
    @Test func `a contact that a radio has forgotten is not taken to be there, and is put back for a text`() {
        let forgetful = Scenario("forgetful", .restarts, "Alice's radio forgets Bob.") {
            alice.hears(bob)
            acquainted(alice, bob)
            sometimes(States.contactForgotten)

            alice.restarts()
            pause(.seconds(90))
            alice.sends("still there?", to: bob)
            bob.has("still there?").within(.seconds(60))
            alice.hasMet(bob).now
        }

        let result = ScenarioRun(forgetful, seed: Seed(1)).onVirtualTime()

        #expect(result.verdict == .kept)
        #expect(result.reached.contains(States.contactForgotten.sentence))
    }

    @Test func `a flash that takes nothing forgets what was learnt, and a torn file is seen`() {
        let carol = Person.stack("carol")
        let scenario = Scenario("torn", .restarts, "Boards that cannot write.") {
            together(alice, bob, carol)
            acquainted(alice, bob)
            sometimes(States.fileIsTorn)

            pause(.seconds(10))
            alice.flashFails(for: .seconds(30))
            carol.advertsNextDoor()
            pause(.seconds(10))
            alice.hasMet(carol).now
            alice.restarts()
            pause(.seconds(20))
            Not(alice.hasMet(carol)).now
            alice.hasMet(bob).now

            bob.losesPowerInWrite(keepingBytes: 3, for: .seconds(20))
            carol.advertsNextDoor()
            pause(.seconds(60))
            bob.isConnected.within(.seconds(30))
            bob.hasMet(carol).now
        }

        let result = ScenarioRun(scenario, seed: Seed(1)).onVirtualTime()

        #expect(result.verdict == .kept)
        #expect(result.reached == [States.fileIsTorn.sentence])
    }

    @Test func `a partition keeps those who are left when a node is left out`() {
        let hill = Repeater("hill")
        let scenario = Scenario("parted", .partitions, "Two are cut off.") {
            chain(alice, hill, bob)
            partition(hill, bob, for: .seconds(5))
            pause(.seconds(10))
        }

        let names = scenario.without([.node(1)]).script.map(\.sentence)

        #expect(names == ["bob are cut off from everybody else for 5 s", "10 s pass"])
        #expect(scenario.without([.node(1), .node(2)]).script.map(\.sentence) == ["10 s pass"])
    }
}

/// The duties of a room to its members.
@Suite struct RoomTests {
    private let alice = Person.stack("alice")
    private let bob = Person.stack("bob")
    private let club = Room("club")

    private func scenario(_ name: String, @ScenarioBuilder _ parts: () -> [ScenarioPart]) -> Scenario {
        Scenario(name, .rooms, "A room and two members.") {
            together(alice, bob, club)
            alice.knows(club)
            bob.knows(club)
            always(club.postsArrive)
            always(club.postsAreTrue)
            parts()
        }
    }

    @Test func `a keeper's notices fill the queue, and everybody has those that are left`() {
        let full = scenario("full") {
            sometimes(States.roomWasFull)
            alice.enters(club)
            club.announces(40)
            pause(.seconds(3))
            bob.enters(club)
            club.hasBroughtAll(within: .seconds(900))
            pause(.seconds(10))
            bob.has("notice 40").now
            bob.has("notice 8", times: 0).now
            bob.has("notice 9").now
        }

        let result = ScenarioRun(full, seed: Seed(1)).onVirtualTime()

        #expect(result.verdict == .kept)
        #expect(result.reached == [States.roomWasFull.sentence])
    }

    /// A radio that confirms posts and keeps none.
    @Test func `a post that was brought and is not there breaks it`() {
        let lossy = scenario("lossy") {
            alice.enters(club)
            bob.enters(club)
            pause(.seconds(3))
            alice.posts("lost", in: club)
            SwallowsPosts(who: bob.member, span: .seconds(60))
            pause(.seconds(90))
        }

        let result = ScenarioRun(lossy, seed: Seed(1)).onVirtualTime()

        guard case .broken(let failure) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }
        #expect(failure.sentence == "always: " + club.postsArrive.sentence)
        #expect(failure.reason.contains("bob"))
    }
}

/// The queue of a radio loses what is in it, without a fault that would excuse it.
private struct SwallowsPosts: Action {
    let who: Member
    let span: Duration

    var sentence: String { "\(who.name)'s link swallows everything" }
    var cast: [Member] { [who] }

    func perform(on stage: Stage) async throws {
        try await Person.stack(who.name).linkFault(.drops(1), .toApp).begin(on: stage)
        try await stage.sleep(span)
        try await Person.stack(who.name).linkFault(.drops(0), .toApp).begin(on: stage)
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

/// Runs blocking work away from the cooperative pool.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}
