import MeshCapture
import MeshCore
import MeshEmulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

@testable import MeshScenarios

/// The client of a recording against its radio, with a link of the system's between them.
@Suite struct ClientReplaySystemTests {
    @Test(arguments: [true, false])
    func `a radio behind an endpoint answers as recorded, on both kinds of link`(isTerminal: Bool) async throws {
        let recording = try RecordedDay.session()
        let path = "/tmp/replayed-\(UInt32.random(in: 0 ... .max)).tty"
        let endpoint: LinkAddress = isTerminal ? .pty(path: path) : .freePort
        let core = ReplayedEndpoint(RadioReplayer(recording, pace: .atOnce), at: endpoint)
        let server = try await EndpointServer.start(core, at: endpoint)
        let link = StreamTransport(server.endpoint)

        let checks = await ClientReplay(recording, rules: .none).run(over: link, clock: StoppedClock())
        let radio = try await server.stop().radio

        #expect(checks.filter { !$0.isKept } == [])
        #expect(radio.departureCount == 0 && radio.neverCame.isEmpty)
    }

    @Test func `who waits for the radio to be left is told of it, and of its end`() async throws {
        let endpoint = LinkAddress.freePort
        let core = ReplayedEndpoint(RadioReplayer(Recording(RecordingHeader())), at: endpoint)
        let server = try await EndpointServer.start(core, at: endpoint)
        let link = StreamTransport(server.endpoint)

        async let hasLeft: Void = server.wait { $0.hasBeenLeft }
        try await link.connect()
        await link.disconnect()
        await hasLeft
        async let never: Void = server.wait { _ in false }
        let hasBeenLeft = try await server.stop().hasBeenLeft
        await never
        await server.wait { _ in false }

        #expect(hasBeenLeft)
    }
}
