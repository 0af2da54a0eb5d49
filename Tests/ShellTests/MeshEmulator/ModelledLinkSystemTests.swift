import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

@testable import MeshEmulator

/// Clients of an emulator behind modelled Bluetooth links.
@Suite struct ModelledLinkSystemTests {
    static let links = [LoopbackLink.bluetoothESP32, .bluetoothNRF52]

    private func configuration(
        _ link: LoopbackLink, _ endpoints: [NodeEndpoint] = [.tcp("alice")], pace: Pace = .lockstep,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> Emulator.Configuration {
        var configuration = Emulator.Configuration(
            world: .village, seed: Seed(7), endpoints: endpoints, pace: pace, log: log)
        configuration.link = link
        return configuration
    }

    /// Runs a client of one radio: APP_START, DEVICE_QUERY, GET_DEVICE_TIME and an advert, each answered before the
    /// next.
    private func session(_ client: TestClient) -> [UInt8] {
        let commands: [[UInt8]] = [[1, 3, 0, 0, 0, 0, 0, 0, 0x61], [22, 3], [5], [7, 1]]
        return commands.compactMap { command in
            client.sendFrame(command)
            return answer(client)?.first
        }
    }

    /// The next answer of the radio; a push of its own has a code from 0x80 on.
    private func answer(_ client: TestClient) -> [UInt8]? {
        while let frame = client.receiveFrame() {
            if frame.first ?? 0xFF < 0x80 { return frame }
        }
        return nil
    }

    /// A session that only answers, a minute long.
    private func outcome(_ link: LoopbackLink) async throws -> RunOutcome {
        var held = configuration(link)
        held.end = .seconds(60)
        let emulator = try await Emulator.start(held)
        let alice = try TestClient.connect(port: emulator.port(of: "alice"))
        #expect(session(alice) == [5, 13, 9, 0])
        try await emulator.waitUntilEnded()
        return try #require(await emulator.conclude())
    }

    @Test func `in lockstep the same client gives the same digest over each link, and another one over another`()
        async throws
    {
        var digests: [Set<Digest>] = []
        for link in LoopbackLink.allCases {
            var outcomes: Set<RunOutcome> = []
            for _ in 0..<5 {
                let outcome = try await outcome(link)
                // On a machine that is very busy a client may be too late; the run knows.
                if outcome.unpromptedInputs == 0 { outcomes.insert(outcome) }
            }
            #expect(outcomes.count == 1, "\(link)")
            digests.append(Set(outcomes.map(\.digest)))
        }

        #expect(Set(digests.flatMap(\.self)).count == LoopbackLink.allCases.count)
    }

    @Test(arguments: links)
    func `the link takes the world's time, and without one there is none`(link: LoopbackLink) async throws {
        var times: [Instant] = []
        for link in [LoopbackLink.direct, link] {
            let emulator = try await Emulator.start(configuration(link))
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(alice.asksTime())
            times.append(try await emulator.inspect { $0.now })
            await emulator.stop()
        }

        // It is found, connected to, paired with and subscribed to.
        #expect(times[1] > times[0] + .milliseconds(500))
    }

    @Test(arguments: links)
    func `requests that are sent at once are answered in order, in whatever pieces they come`(link: LoopbackLink)
        async throws
    {
        let emulator = try await Emulator.start(configuration(link))
        let alice = try TestClient.connect(port: emulator.port(of: "alice"))
        // A frame that no value can hold is lost by itself.
        let long = [0x3C, 0, 3] + [UInt8](repeating: 5, count: 768)
        let bytes: [UInt8] = long + [0x3C, 1, 0, 5, 0x3C, 1, 0, 20, 0x3C, 1, 0, 5]

        for piece in stride(from: 0, to: bytes.count, by: 7) { alice.send(Array(bytes[piece...].prefix(7))) }

        #expect((0..<3).map { _ in answer(alice)?.first } == [9, 12, 9])
        await emulator.stop()
    }

    @Test(arguments: links)
    func `another client takes the radio over, and one that has left makes room`(link: LoopbackLink) async throws {
        let emulator = try await Emulator.start(configuration(link))
        var first: TestClient? = try TestClient.connect(port: emulator.port(of: "alice"))
        #expect(first?.asksTime() == true)

        let second = try TestClient.connect(port: emulator.port(of: "alice"))
        #expect(second.asksTime())
        #expect(first?.isClosed() == true)
        first = nil
        #expect(second.asksTime())

        await emulator.stop()
    }

    @Test func `a radio that restarts or loses its power ends the link of its client, and takes the next`()
        async throws
    {
        for fault in [{ $0.restart($1) }, { $0.powerOff($1) }] as [@Sendable (inout World, NodeID) -> Void] {
            let emulator = try await Emulator.start(configuration(.bluetoothNRF52))
            let first = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(first.asksTime())

            try await emulator.withWorld { fault(&$0, NodeID(index: 0)) }
            #expect(first.isClosed())
            try await emulator.withWorld { world in
                if !world.isUp(NodeID(index: 0)) { world.powerOn(NodeID(index: 0)) }
            }

            let second = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(second.asksTime())
            await emulator.stop()
        }
    }

    @Test func `a terminal dials when it is opened, and again when its radio has restarted`() async throws {
        let scratch = Scratch()
        let (notes, sink) = AsyncStream.makeStream(of: String.self)
        let endpoint = NodeEndpoint(label: "alice", endpoint: .pty(path: scratch.file("alice.tty")))
        let emulator = try await Emulator.start(
            configuration(.bluetoothESP32, [endpoint], log: { sink.yield($0) }))
        let alice = try TestClient.open(terminal: scratch.file("alice.tty"))
        #expect(alice.asksTime())

        try await emulator.withWorld { $0.restart(NodeID(index: 0)) }
        var links = 0
        for await note in notes where note == "alice: the modelled Bluetooth link is there" {
            links += 1
            if links == 2 { break }
        }

        #expect(alice.asksTime())
        await emulator.stop()
    }

    @Test(arguments: links)
    func `on the clock a client is served as well`(link: LoopbackLink) async throws {
        let emulator = try await Emulator.start(configuration(link, pace: .clock(speed: 100)))
        let alice = try TestClient.connect(port: emulator.port(of: "alice"))

        #expect(session(alice) == [5, 13, 9, 0])

        await emulator.stop()
    }

    @Test func `a link is refused where there is no app or no modelled air`() async throws {
        let refused: [(String, WorldDescription, EmulatorError)] = [
            ("alice=ble:hci:tcp=127.0.0.1:1", .village, .linkedController(label: "alice")),
            ("alice=modem:tcp://127.0.0.1:0", .village, .noBluetooth(label: "alice")),
            ("ridge=tcp://127.0.0.1:0", Self.withRepeater, .noBluetooth(label: "ridge")),
        ]
        for (endpoint, world, expected) in refused {
            var configuration = Emulator.Configuration(
                world: world, seed: Seed(7), endpoints: [try NodeEndpoint(endpoint)])
            configuration.link = .bluetoothESP32
            let refusal = configuration
            await #expect(throws: expected) { try await Emulator.start(refusal) }
        }
    }

    private static let withRepeater = WorldDescription(
        name: "ridge", summary: "", nodes: [NodeDescription("ridge", .server(.repeater))])
}
