import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire
import Testing

/// Two apps and their radios on virtual time, in this process.
@Suite struct EndToEndTests {
    static let expected = EndToEnd.Report(
        deviceLevel: CompanionLimits.firmwareVersionCode, contactsOfAlice: ["bob"], contactsOfBob: ["alice"],
        heardByBob: ["hello bob"], isAcknowledged: true, adverts: 1)

    private func virtual(_ seed: UInt64) throws -> VirtualTime.Outcome<(EndToEnd.Report, String)> {
        try VirtualTime.measure { clock in
            let world = LoopbackWorld(World(.village, seed: Seed(seed)), clock: clock)
            // Nobody adverts any more who has just been switched on.
            try await clock.sleep(for: .seconds(20))
            let run = EndToEnd(
                clock: clock, alice: try await world.transport(to: "alice"), bob: try await world.transport(to: "bob"))
            let report = try await run.perform()
            let digest = await world.withWorld { $0.digest.description }
            await world.end()
            return (report, digest)
        }
    }

    @Test func `apps meet, talk and are acknowledged on virtual time`() throws {
        let outcome = try virtual(7)

        #expect(outcome.value.0 == Self.expected)
        #expect(outcome.elapsed > .seconds(8))
    }

    @Test func `the same seed takes the same steps, another one others`() throws {
        let runs = try [7, 7, 8].map(virtual)

        #expect(runs[0].digest == runs[1].digest && runs[0].value == runs[1].value)
        #expect(runs[0].elapsed == runs[1].elapsed && runs[0].steps == runs[1].steps)
        #expect(runs[0].value.1 != runs[2].value.1)
    }
}
