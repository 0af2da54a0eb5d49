import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshCore
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import Synchronization
import Testing

@testable import MeshScenarios

/// Radios with an owner get back what a scenario has changed, also when something fails.
@Suite struct BorrowedRadioTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")

    private static let text = Scenario("text", .direct, "Alice sends Bob a text.") {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)
        alice.sends("hello", to: bob)
        bob.has("hello").within(.seconds(60))
    }

    /// The contents of a radio, as its owner finds them.
    private struct Contents: Equatable {
        var name = ""
        var contacts = 0
    }

    /// Plays the scenario on radios that have names of their own and no contacts; what came of it, and of the radios.
    private static func played(
        _ unwillingness: @escaping @Sendable (String, [UInt8]) -> UnwillingLink.Answer? = { _, _ in nil }
    ) throws -> (verdict: ScenarioResult.Verdict, alice: Contents, bob: Contents) {
        let radio = LinkAddress.tcp(host: "127.0.0.1", port: 1)
        return try VirtualTime.measure { clock in
            let desk = try StandingDesk(text, clock: clock, unwillingness: unwillingness)
            for name in ["alice", "bob"] { try await desk.visit(name) { try await $0.setName("\(name)'s own") } }
            let result = try await ScenarioRun(text, seed: Seed(5)).play(
                clock: clock, target: Target(.radios([radio, radio]))
            ) { _ in desk }
            var contents: [Contents] = []
            for name in ["alice", "bob"] {
                contents.append(
                    try await desk.visit(name) { session in
                        Contents(
                            name: await session.currentSelfInfo?.name.string ?? "",
                            contacts: try await session.getContacts().contacts.count)
                    })
            }
            await desk.switchOff()
            return (result.verdict, contents[0], contents[1])
        }.value
    }

    /// Answers the first frame with this code to the owner's radio so.
    private static func once(
        _ code: UInt8, to name: String, _ answer: UnwillingLink.Answer
    ) -> @Sendable (String, [UInt8]) -> UnwillingLink.Answer? {
        let hasCome = Atomic(false)
        return { receiver, frame in
            guard receiver == name, frame.first == code else { return nil }
            return hasCome.exchange(true, ordering: .relaxed) ? nil : answer
        }
    }

    private static let alices = Contents(name: "alice's own")
    private static let bobs = Contents(name: "bob's own")

    @Test func `after a scenario its radios are as they were`() throws {
        let (verdict, alice, bob) = try Self.played()

        #expect(verdict == .kept)
        #expect(alice == Self.alices)
        #expect(bob == Self.bobs)
    }

    /// Commands that name Bob's radio, and that give it the contact of Alice, who is on the stage by then.
    @Test(
        arguments: [SetAdvertName.codeByte, AddUpdateContact.codeByte],
        [UnwillingLink.Answer.loss, .refusal])
    func `a stage that is not completed puts all radios back`(code: UInt8, answer: UnwillingLink.Answer) throws {
        let (verdict, alice, bob) = try Self.played(Self.once(code, to: "bob", answer))

        guard case .couldNotRun = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(alice == Self.alices)
        #expect(bob == Self.bobs)
    }

    @Test func `a refused command keeps no other from being sent, and breaks the verdict`() throws {
        let (verdict, alice, bob) = try Self.played(Self.once(RemoveContact.codeByte, to: "alice", .refusal))

        guard case .broken(let failure) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(failure.sentence == "the radio of alice is put back")
        #expect(alice == Contents(name: "alice's own", contacts: 1))
        #expect(bob == Self.bobs)
    }

    @Test func `a command that the radio is too old for has nothing to put back`() throws {
        let (verdict, alice, _) = try Self.played(Self.once(SetFloodScopeKey.codeByte, to: "alice", .unsupported))

        #expect(verdict == .kept)
        #expect(alice == Self.alices)
    }

    @Test func `a radio that is lost before it is put back breaks the verdict`() throws {
        let (verdict, alice, bob) = try Self.played(Self.once(RemoveContact.codeByte, to: "bob", .loss))

        guard case .broken(let failure) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(failure.sentence == "the radio of bob is put back")
        #expect(alice == Self.alices)
        #expect(bob == Contents(name: "bob", contacts: 1))
    }
}
