import Glibc
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshWire
import Testing

/// A session with an emulated radio over a link of the system's. No clock decides: what a radio says is waited for.
@Suite struct SessionSystemTests {
    @Test(arguments: [true, false])
    func `a session works over a socket and over a serial line`(isTerminal: Bool) async throws {
        let endpoint: LinkAddress = isTerminal ? .pty(path: "/tmp/meshbed-line-\(getpid())") : .freePort
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(7), endpoints: [NodeEndpoint(label: "alice", endpoint: endpoint)]))
        let link = try RadioAddress("\(emulator.endpoints[0].endpoint.dialed)")
        let session = MeshCoreSession(
            transport: try await link.transport(clock: StoppedClock()), clock: StoppedClock())

        try await session.start()
        let device = try await session.queryDevice()
        try await session.setName("Ada")
        let stored = try await emulator.inspect { $0.companion(NodeID(index: 0))?.preferences.name.description }
        await session.stop()
        await emulator.stop()

        #expect(device.firmwareVersionCode == CompanionLimits.firmwareVersionCode)
        #expect(stored == "Ada")
    }
}
