import MeshSimulator
import MeshTime
import Testing

@testable import MeshEmulator

@Suite struct AntennaSystemTests {
    @Test func `an antenna is refused where time does not follow the clock, and beside an endpoint`() async throws {
        for pace in [Pace.stepped, .lockstep, .clock(speed: 2)] {
            var configuration = Emulator.Configuration(world: .desk, seed: Seed(1), pace: pace)
            configuration.antennas = [try AntennaPlace("alice=tcp://127.0.0.1:1")]
            await #expect(throws: EmulatorError.heldAntenna(label: "alice")) { try await Emulator.start(configuration) }
        }
        var configuration = Emulator.Configuration(world: .desk, seed: Seed(1), endpoints: [.tcp("alice")])
        configuration.antennas = [try AntennaPlace("alice=tcp://127.0.0.1:1")]
        await #expect(throws: EmulatorError.secondEndpoint(label: "alice")) { try await Emulator.start(configuration) }
    }
}
