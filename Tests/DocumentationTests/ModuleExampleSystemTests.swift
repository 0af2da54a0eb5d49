import MeshEmulator
import MeshSimulator
import MeshTime
import Testing

/// The examples of the module pages that need sockets.
@Suite struct ModuleExampleSystemTests {
    @Test func `an emulator opens its endpoints and closes them`() async throws {
        let endpoint = NodeEndpoint(label: "alice", endpoint: .tcp(host: Endpoint.defaultHost, port: 0))
        let emulator = try await Emulator.start(.init(world: .solo, seed: Seed(7), endpoints: [endpoint]))
        let opened = emulator.endpoints  // with the port that the system chose
        await emulator.stop()

        #expect(opened.count == 1)
        #expect(opened != [endpoint])
    }
}
