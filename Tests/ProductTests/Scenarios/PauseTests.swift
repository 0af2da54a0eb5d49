import MeshTestbed
import MeshTime
import Testing

@testable import MeshScenarios

/// The pauses of people who begin in the same instant, and have to try again.
@Suite struct PauseTests {
    /// Two people log in at a room, both in its range, at once. No frame is lost but by a collision.
    private func verdict(
        _ seed: UInt64, _ entry: @escaping (Person, Room) -> any Action
    ) -> ScenarioResult.Verdict {
        let alice = Person.client("alice") { $0.hasShortSymbols = true }
        let bob = Person.client("bob") { $0.hasShortSymbols = true }
        let tavern = Room("tavern") { $0.hasShortSymbols = true }
        let scenario = Scenario("at-once", .rooms, "Two people log in at once.") {
            together(alice, bob, tavern)
            [alice, bob].map { $0.knows(tavern) }
            // Of the first two tries, at least.
            eventually(collisions(.atLeast(2)))

            meanwhile { [alice, bob].map { Step.does(entry($0, tavern)) } }
        }
        return ScenarioRun(scenario, seed: Seed(seed)).onVirtualTime().verdict
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `people who try again get past each other`(seed: UInt64) {
        let verdict = verdict(seed) { who, room in
            // Asked once, so that all pauses are those between tries.
            Asks(who: who.member, station: room.member, question: .login(password: "hello"), attempts: 1)
                .tried(for: .seconds(60))
        }

        #expect(verdict == .kept)
    }

    @Test func `what is given up says why each try failed`() {
        var failures = UntilDone.Failures()
        failures.add("nobody answers")
        #expect(failures.description == "nobody answers")

        failures.add("the app is closed")
        failures.add("nobody answers")
        #expect(failures.description == "nobody answers; 3 tries: 2 × nobody answers, 1 × the app is closed")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `people who ask again get past each other`(seed: UInt64) {
        #expect(verdict(seed) { who, room in who.enters(room) } == .kept)
    }
}
