import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import Testing

/// A session against the emulated nodes of a mesh, on virtual time.
@Suite struct MeshRequestTests {
    private static func withAlice<R: Sendable>(
        _ body: @escaping @Sendable (MeshCoreSession, LoopbackWorld, VirtualClock) async throws -> R
    ) throws -> R {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.village, seed: Seed(7)), clock: clock)
            let session = MeshCoreSession(transport: try await world.transport(to: "alice"), clock: clock)
            try await session.start()
            let result = try await body(session, world, clock)
            await session.stop()
            await world.end()
            return result
        }
    }

    /// The key of a node that alice has heard of by its advert.
    private static func meet(_ type: NodeType, _ session: MeshCoreSession, _ clock: VirtualClock) async throws
        -> FixedBytes<32>
    {
        for _ in 0..<40 {
            if let contact = try await session.getContacts().contacts.first(where: { $0.type == type }) {
                return contact.publicKey
            }
            // Not a multiple of the two minutes after which nodes advertise, all at once, deaf meanwhile.
            try await clock.sleep(for: .seconds(150))
        }
        throw MeshTransportError.deviceNotFound("\(type)")
    }

    @Test(.proves("SVC-148"))
    func `a repeater answers a login, then requests for status, telemetry and neighbours`() throws {
        let report = try Self.withAlice { session, _, clock in
            let key = try await Self.meet(.repeater, session, clock)
            let login = try await session.sendLogin(to: key, password: "password", limit: .seconds(20))
            let status = try await session.requestStatus(from: key, type: .repeater)
            let points = try await session.requestTelemetry(from: key)
            let neighbours = try await session.fetchAllNeighbours(from: key) { 1 }
            let access = try await session.requestACL(from: key)
            let own = await session.currentSelfInfo?.publicKey
            return (
                login.role, status.server.packetsReceived, points.first?.type, neighbours.count,
                access.map { own?.starts(with: $0.keyPrefix.array) }
            )
        }

        #expect(report.0 == .admin)
        #expect(report.1 > 0)
        #expect(report.2 == .voltage)
        #expect(report.3 == 0, "there is no other repeater")
        #expect(report.4 == [true])
    }

    @Test(.proves("SVC-145"))
    func `a repeater says nothing to a wrong password, and the login ends by the clock`() throws {
        let error = try Self.withAlice { session, _, clock in
            let key = try await Self.meet(.repeater, session, clock)
            do {
                _ = try await session.sendLogin(to: key, password: "wrong", limit: .seconds(20))
                return nil as SessionError?
            } catch let error as SessionError {
                return error
            }
        }

        #expect(error == .noAnswer(.sendLogin, after: .seconds(20)))
    }

    @Test(.proves("SVC-002")) func `messages come with their SNR once the radio knows our version`() throws {
        let received = try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.village, seed: Seed(7)), clock: clock)
            let alice = MeshCoreSession(transport: try await world.transport(to: "alice"), clock: clock)
            let bob = MeshCoreSession(transport: try await world.transport(to: "bob"), clock: clock)
            try await alice.start()
            try await bob.start()
            // Nobody adverts any more who has just been switched on.
            try await clock.sleep(for: .seconds(20))
            try await bob.sendAdvertisement(flood: true)
            try await clock.sleep(for: .seconds(5))
            try await alice.sendAdvertisement(flood: true)
            try await clock.sleep(for: .seconds(5))
            let key = try #require(await bob.currentSelfInfo).publicKey.array
            var snrs: [Int8?] = []
            for version in 0..<2 {
                if version == 1 { #expect(try await bob.queryDevice().firmwareVersionCode == 13) }
                _ = try await alice.sendMessage(
                    to: .bytes(key), text: "hi \(version)", timestamp: 1_800_000_000 + UInt32(version))
                try await clock.sleep(for: .seconds(10))
                if case .contactMessage(let received) = try await bob.getMessage() { snrs.append(received.snr) }
            }
            await alice.stop()
            await bob.stop()
            await world.end()
            return snrs
        }

        #expect(received == [nil, 40])
    }
}
