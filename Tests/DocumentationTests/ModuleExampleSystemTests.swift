import MeshControl
import MeshCore
import MeshEmulator
import MeshHTTP
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWeb
import MeshWorlds
import Testing

/// The examples of the module pages that need sockets.
@Suite struct ModuleExampleSystemTests {
    @Test func `a session is made over a link of the system's`() async throws {
        let address = try LinkAddress(radio: "tcp://127.0.0.1:5000")  // or serial:/dev/ttyUSB0
        let session = MeshCoreSession(transport: StreamTransport(address), clock: ContinuousClock())

        await #expect(throws: (any Error).self) { try await session.getTime() }
    }

    @Test func `a session and its link share one thread`() async throws {
        let address = LinkAddress.freePort
        let executor = StackExecutor()
        let session = MeshCoreSession(
            transport: StreamTransport(address, on: executor), clock: ContinuousClock(), executor: executor)

        await #expect(throws: (any Error).self) { try await session.getTime() }
    }

    @Test func `an emulator opens its endpoints and closes them`() async throws {
        let endpoint = NodeEndpoint(label: "alice", endpoint: .freePort)
        let emulator = try await Emulator.start(.init(world: .solo, seed: Seed(7), endpoints: [endpoint]))
        let opened = emulator.endpoints  // with the port that the system chose
        await emulator.stop()

        #expect(opened.count == 1)
        #expect(opened != [endpoint])
    }

    @Test func `the emulator's page steps a world with a client's endpoint`() async throws {
        let endpoint = NodeEndpoint(label: "alice", endpoint: .freePort)
        let stepped = Emulator.Configuration(world: .village, seed: Seed(7), endpoints: [endpoint], pace: .stepped)
        let emulator = try await Emulator.start(stepped)
        try await emulator.advance(by: .seconds(600))
        let isSent = try await emulator.run(until: { $0.statistics.transmissions > 20 }, atMost: .seconds(3600))
        let outcome = await emulator.conclude()  // the moment, the digest, and whether clients only answered

        #expect(isSent)
        #expect(outcome?.unpromptedInputs == 0)
    }

    @Test func `a control API answers a request`() async throws {
        let source = try WorldSource("pair", seed: Seed(7))
        var configuration = Emulator.Configuration(world: source.world, seed: Seed(7), pace: .stepped)
        configuration.isSteered = true
        configuration.traffic = source.plan
        let emulator = try await Emulator.start(configuration)
        let api = ControlAPI(emulator, world: "pair", provenance: "{}")
        let answer = await api.answer(WebRequest("POST", ["advance"], body: Array(#"{"seconds":60}"#.utf8)))
        await emulator.stop()

        #expect(answer.status == 200)
    }

    @Test func `a server of HTTP listens and stops, where it was built`() async throws {
        struct Service: WebService {
            func answer(_ request: WebRequest) async -> WebAnswer {
                WebAnswer(type: "text/plain", body: .whole([]))
            }
        }
        let service = Service()
        do {
            let server = try await WebServer.start(host: "127.0.0.1", port: 0, service: service)
            let address = "http://\(server.host):\(server.port)"  // with the port that the system chose
            await server.stop()

            #expect(address.hasPrefix("http://127.0.0.1:") && !address.hasSuffix(":0"))
        } catch WebServer.Failure.absent {
            // Without the trait there is none.
        }
    }
}
