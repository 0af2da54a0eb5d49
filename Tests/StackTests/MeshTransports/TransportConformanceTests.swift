import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import Testing

/// The promises of every transport.
@Suite struct TransportConformanceTests {
    private static let query = PacketBuilder.deviceQuery()

    /// SVC-047, against a radio that answers a device query and says nothing else.
    static func conform(_ transport: any MeshTransport) async throws {
        await #expect(throws: MeshTransportError.notConnected) { try await transport.send(query) }
        #expect(await !transport.isConnected)

        for _ in 0..<2 {
            try await transport.connect()
            try await transport.connect()
            #expect(await transport.connectionState == .connected)
            var frames = await transport.receivedData.makeAsyncIterator()

            for _ in 0..<3 {
                try await transport.send(query)
                let answer = await frames.next()
                #expect(answer?.first == ResponseCode.deviceInfo.rawValue)
                #expect(answer?.count == 82)
            }
            await #expect(throws: MeshTransportError.self) {
                try await transport.send([UInt8](repeating: 0x16, count: 177))
            }
            #expect(await transport.isConnected, "a frame that is too long does not end the link")

            await transport.disconnect()
            await transport.disconnect()
            #expect(await frames.next() == nil)
            #expect(await transport.connectionState == .disconnected)
            await #expect(throws: MeshTransportError.notConnected) { try await transport.send(query) }
        }
    }

    @Test(.proves("SVC-047")) func `the mock is a transport`() async throws {
        let mock = MockTransport()
        var info = Resp.DeviceInfo()
        (info.clientRepeat, info.pathHashMode) = (0, 0)
        let frame = info.encoded()
        await mock.answerEach { _ in [frame] }

        try await Self.conform(mock)

        #expect(await mock.connectCount == 4)
    }

    @Test(.proves("SVC-047")) func `the loopback is a transport, bare and wrapped`() throws {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.solo, seed: Seed(7)), clock: clock)
            let bare = try await world.transport(to: "alice")
            try await Self.conform(bare)
            try await Self.conform(RecordingTransport(bare, clock: clock) { _ in })
            try await Self.conform(FaultyTransport(bare, seed: Seed(1), clock: clock))
            await world.end()
            await #expect(throws: MeshTransportError.connectionFailed("the world has ended")) {
                try await bare.connect()
            }
        }
    }

    @Test func `a world has only the radios that it has`() throws {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.village, seed: Seed(7)), clock: clock)
            for label in ["carol", "rep1"] {
                await #expect(throws: MeshTransportError.self) { try await world.transport(to: label) }
            }
            await world.end()
        }
    }

    @Test(.proves("SVC-068")) func `a second client of a radio ends the link of the first`() throws {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.solo, seed: Seed(7)), clock: clock)
            let first = try await world.transport(to: "alice")
            let second = try await world.transport(to: "alice")
            try await first.connect()
            var frames = await first.receivedData.makeAsyncIterator()
            try await second.connect()

            #expect(await frames.next() == nil)
            #expect(await !first.isConnected)
            #expect(await second.isConnected)
            await first.disconnect()
            #expect(await second.isConnected, "the first one's end is not the second one's")
            await world.end()
        }
    }

    @Test func `a radio that restarts ends its link and takes the next one`() throws {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.solo, seed: Seed(7)), clock: clock)
            let session = MeshCoreSession(transport: try await world.transport(to: "alice"), clock: clock)
            try await session.start()
            let states = await session.events(filter: .eventType("connectionStateChanged"))
            try await session.reboot()
            let lost = await clock.first(in: states, within: .seconds(5)) {
                $0 == .connectionStateChanged(.disconnected)
            }
            #expect(lost == true)
            await #expect(throws: SessionError.connectionLost("the link was closed")) { try await session.getTime() }

            try await clock.sleep(for: .seconds(10))
            try await session.start()
            #expect(await session.currentSelfInfo != nil)
            await session.stop()
            await world.end()
        }
    }

    @Test func `a radio without power says nothing, and ends its link when it is up again`() throws {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.solo, seed: Seed(7)), clock: clock)
            let link = try await world.transport(to: "alice")
            try await link.connect()
            let frames = await link.receivedData
            let node = try await world.withWorld { world in try #require(world.node(labelled: "alice")) }

            await world.withWorld { $0.powerOff(node) }

            try await clock.sleep(for: .seconds(10))
            #expect(await link.isConnected)
            await world.withWorld { $0.powerOn(node) }
            for await _ in frames {}
            #expect(await !link.isConnected)
            try await link.connect()
            #expect(await link.isConnected)
            await world.end()
        }
    }
}
