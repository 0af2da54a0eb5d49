import MeshCapture
import MeshEmulator
import MeshTime
import MeshTransports
import MeshWire
import Testing

@testable import MeshScenarios

/// The radio of a recording behind a socket.
@Suite struct ReplayedEndpointSystemTests {
    @Test func `over a socket an answer waits as recorded, and a restart ends the connection`() async throws {
        let core = try ReplayedEndpointTests.core(
            "0 +", "1 > 05", "1.2 < 0901020304", "2 > 137265626f6f74", "3 -")
        let server = try await EndpointServer.start(core, at: ReplayedEndpointTests.tcp)
        let link = StreamTransport(server.endpoint)
        try await link.connect()
        var frames = await link.receivedData.makeAsyncIterator()
        let clock = ContinuousClock()
        let begin = clock.now

        try await link.send([5])
        #expect(await frames.next()?.hex == "0901020304")
        #expect(clock.now - begin >= .milliseconds(199))
        try await link.send([UInt8](hex: "137265626f6f74") ?? [])
        #expect(await frames.next() == nil)
        await server.wait { $0.hasBeenLeft }

        #expect(try await server.stop().radio.neverCame.isEmpty)
    }
}
