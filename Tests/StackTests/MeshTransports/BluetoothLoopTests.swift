import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshVirtualTime
import Synchronization
import Testing

/// An app and a radio over a modelled Bluetooth link, on virtual time.
@Suite struct BluetoothLoopTests {
    private static func run<R: Sendable>(
        _ link: LoopbackLink, seed: UInt64 = 7, pin: UInt32? = nil,
        _ body: @escaping @Sendable (LoopbackWorld, LoopbackTransport, VirtualClock) async throws -> R
    ) throws -> VirtualTime.Outcome<R> {
        try VirtualTime.measure { clock in
            var description = WorldDescription.village
            var bluetooth = link.prepare(&description, seed: Seed(seed))
            bluetooth?.pin = pin
            let world = LoopbackWorld(World(description, seed: Seed(seed)), clock: clock, bluetooth: bluetooth)
            let result = try await body(world, try await world.transport(to: "alice"), clock)
            await world.end()
            return result
        }
    }

    static let links = [LoopbackLink.bluetoothESP32, .bluetoothNRF52]

    @Test(arguments: links)
    func `a session runs over the link, and again with the bond`(link: LoopbackLink) throws {
        let outcome = try Self.run(link) { world, transport, clock in
            var times: [Duration] = []
            for _ in 0..<2 {
                let start = clock.now
                let session = MeshCoreSession(transport: transport, clock: clock)
                try await session.start()
                times.append(start.duration(to: clock.now))
                try await session.queryDevice()
                let contacts = try await session.getContacts().contacts
                #expect(contacts.isEmpty)
                await session.stop()
                try await clock.sleep(for: .seconds(3))
            }
            return times
        }

        // Pairing takes packets of its own, which a bond saves.
        #expect(outcome.value[0] > outcome.value[1] && outcome.value[0] < .seconds(10))
    }

    @Test(arguments: links)
    func `a wrong PIN opens nothing, and the right one does at the next attempt`(link: LoopbackLink) throws {
        let outcome = try Self.run(link, pin: 111_111) { world, transport, clock in
            await #expect(throws: MeshTransportError.self) { try await transport.connect() }
            let state = await transport.connectionState
            await world.type(pin: nil)
            let start = clock.now
            let session = MeshCoreSession(transport: transport, clock: clock)
            try await session.start()
            await session.stop()
            return (state, start.duration(to: clock.now))
        }

        #expect(outcome.value.0 == .disconnected)
        #expect(outcome.value.1 < .seconds(10))
    }

    /// The second one comes while the first one is found, is let in, or has long been there.
    @Test(arguments: links, [1, 300, 8000])
    func `another client takes the radio over at once`(link: LoopbackLink, milliseconds: Int) throws {
        let outcome = try Self.run(link) { world, first, clock in
            let attempt = Task { try await first.connect() }
            try await clock.sleep(for: .milliseconds(milliseconds))
            let wasThere = await first.connectionState == .connected
            let second = try await world.transport(to: "alice")
            let start = clock.now
            let session = MeshCoreSession(transport: second, clock: clock)
            try await session.start()
            let took = start.duration(to: clock.now)
            await session.stop()
            return (wasThere, await attempt.result.isFailure, await first.connectionState, took)
        }

        #expect(outcome.value.0 == (milliseconds == 8000) && outcome.value.1 != outcome.value.0)
        #expect(outcome.value.2 == .disconnected)
        // As long as any connection takes.
        #expect(outcome.value.3 < .seconds(12))
    }

    @Test(arguments: links)
    func `a client that waits to write learns that another one has taken the radio`(link: LoopbackLink) throws {
        let outcome = try Self.run(link) { world, first, clock in
            try await first.connect()
            let end = Mutex<(any Error)?>(nil)
            let writer = Task {
                do {
                    // More than wait for the air: the rest waits for room.
                    for _ in 0..<64 { try await first.send(GetDeviceTime().encoded()) }
                } catch {
                    end.withLock { $0 = error }
                }
            }
            try await clock.sleep(for: .milliseconds(1))
            let isWaiting = end.withLock { $0 == nil }
            let second = try await world.transport(to: "alice")
            try await second.connect()
            let error = end.withLock { $0 as? MeshTransportError }
            writer.cancel()
            return (isWaiting, error)
        }

        #expect(outcome.value.0)
        #expect(outcome.value.1 == .notConnected)
    }

    @Test(arguments: links)
    func `a radio that restarts ends the link, and is reached again`(link: LoopbackLink) throws {
        let outcome = try Self.run(link) { world, transport, clock in
            try await transport.connect()
            let stream = await transport.receivedData
            await world.withWorld { world in
                guard let node = world.node(labelled: "alice") else { return }
                world.restart(node)
            }
            for await _ in stream {}
            let state = await transport.connectionState
            try await clock.sleep(for: .seconds(10))
            try await transport.connect()
            return (state, await transport.connectionState)
        }

        #expect(outcome.value.0 == .disconnected && outcome.value.1 == .connected)
    }

    @Test(arguments: links)
    func `a radio that loses its power is missed, and reached again when it has it back`(link: LoopbackLink) throws {
        let outcome = try Self.run(link) { world, transport, clock in
            try await transport.connect()
            let (stream, start) = (await transport.receivedData, clock.now)
            await world.withWorld { world in
                guard let node = world.node(labelled: "alice") else { return }
                world.powerOff(node)
            }
            for await _ in stream {}
            let missed = start.duration(to: clock.now)
            await world.withWorld { world in
                guard let node = world.node(labelled: "alice") else { return }
                world.powerOn(node)
            }
            try await clock.sleep(for: .seconds(10))
            try await transport.connect()
            return (missed, await transport.connectionState)
        }

        // The supervision timeout that the board asked for, or that of the app.
        #expect(outcome.value.0 > .seconds(link == .bluetoothNRF52 ? 1 : 4) && outcome.value.0 < .seconds(5))
        #expect(outcome.value.1 == .connected)
    }

    @Test(arguments: links)
    func `a connection that is cancelled leaves the radio to the next`(link: LoopbackLink) throws {
        let outcome = try Self.run(link) { _, transport, clock in
            let attempt = Task { try await transport.connect() }
            try await clock.sleep(for: .milliseconds(300))
            attempt.cancel()
            let isFailed = await attempt.result.isFailure
            try await transport.connect()
            return (isFailed, await transport.connectionState)
        }

        #expect(outcome.value.0 && outcome.value.1 == .connected)
    }

    @Test(arguments: links)
    func `frames that are sent at once arrive in order`(link: LoopbackLink) throws {
        let outcome = try Self.run(link) { _, transport, clock in
            try await transport.connect()
            var answers: [UInt8] = []
            let stream = await transport.receivedData
            let reader = Task {
                var frames: [[UInt8]] = []
                for await frame in stream where frame.count > 1 || frame.first ?? 0x80 < 0x80 { frames.append(frame) }
                return frames
            }
            for _ in 0..<3 {
                try await transport.send(GetDeviceTime().encoded())
                try await transport.send(GetBattAndStorage().encoded())
            }
            try await clock.sleep(for: .seconds(3))
            await transport.disconnect()
            for frame in await reader.value { answers.append(frame[0]) }
            return answers
        }

        let (time, battery) = (ResponseCode.currTime.rawValue, ResponseCode.battAndStorage.rawValue)
        #expect(outcome.value == [time, battery, time, battery, time, battery])
    }

    @Test func `the same seed takes the same steps`() throws {
        func digest(_ seed: UInt64) throws -> UInt64 {
            try Self.run(.bluetoothNRF52, seed: seed) { _, transport, clock in
                let session = MeshCoreSession(transport: transport, clock: clock)
                try await session.start()
                try await session.queryDevice()
                await session.stop()
            }.digest
        }

        let first = try digest(1)
        #expect(try digest(1) == first)
        #expect(try digest(2) != first)
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
