import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// A user in an emulated mesh whose app is the service stack of one connection, as `ServiceContainer` wires it.
struct MeshUser: Sendable {
    let bench: ServiceBench
    let services: ServiceContainer

    var remote: RemoteNodeService { services.remoteNodeService }
    var rooms: RoomServerService { services.roomServerService }
    var repeaters: RepeaterAdminService { services.repeaterAdminService }
    var binary: BinaryProtocolService { services.binaryProtocolService }
    var session: MeshCoreSession { bench.session }
    var store: PersistenceStore { bench.store }
    var deviceID: UUID { bench.device.id }

    init(_ bench: ServiceBench, credentials: any CredentialStore = MemoryCredentialStore()) async throws {
        self.bench = bench
        services = await MainActor.run {
            ServiceContainer(
                session: bench.session, store: bench.store, dependencies: bench.dependencies, credentials: credentials,
                notifications: NotificationService(
                    sink: MemoryNotificationSink(), settings: bench.store, clock: bench.clock))
        }
        try await services.performInitialSync(deviceID: deviceID)
    }

    /// Has the radio and the store know a node to which no way is known.
    @discardableResult
    func meet(_ label: String, in mesh: MeshBench) async throws -> ContactDTO {
        let known = await mesh.world.withWorld { world in
            world.node(labelled: label).flatMap { node in
                world.firmware(node).map { ($0.publicKey, world.infrastructure(node)?.server.role.nodeType ?? .chat) }
            }
        }
        guard let (key, type) = known else { throw MeshTransportError.deviceNotFound(label) }
        var record = ContactRecord()
        record.publicKey = key
        record.type = type
        record.outPathLength = .unknown
        record.name = FixedBytes(text: ByteText(label))
        try await session.updateContact(record)
        let id = try await store.saveContact(deviceID: deviceID, from: record)
        guard let contact = try await store.fetchContact(id: id) else { throw StackError(.store, .contactNotFound) }
        return contact
    }

    func stop() async {
        await services.tearDown()
        await session.stop()
    }

    /// The session with a node, as the store has it.
    func row(_ id: UUID) async throws -> RemoteNodeSessionDTO {
        try #require(try await store.fetchRemoteNodeSession(id: id))
    }

    /// Posts of a room as they are read: who, and what.
    func posts(_ room: RemoteNodeSessionDTO) async throws -> [String] {
        try await rooms.fetchMessages(sessionID: room.id).map {
            "\($0.isFromSelf ? "me" : $0.authorDisplayName): \($0.text)"
        }
    }
}

extension MeshBench {
    func user(_ label: String) async throws -> MeshUser { try await MeshUser(try await app(label)) }

    /// The user of a radio once more, with what the app has stored.
    func user(_ label: String, after user: MeshUser) async throws -> MeshUser {
        // Another source of randomness: identifiers are not drawn twice.
        let bench = try await ServiceBench(
            transport: try await world.transport(to: label), clock: clock, seed: seed.part(label + " again"),
            store: user.store)
        return try await MeshUser(bench, credentials: user.services.credentials)
    }

    func sleep(_ seconds: Double) async throws { try await clock.sleep(for: .seconds(seconds)) }

    /// Tries again what the air has swallowed: nodes that do not hear each other talk at once.
    func persist<T: Sendable>(_ work: @Sendable () async throws -> T) async throws -> T {
        for _ in 0..<7 {
            do {
                return try await work()
            } catch let error where error.stackReason == .noAnswer {
                try await self.sleep(7)
            }
        }
        return try await work()
    }

    /// Has two nodes not hear each other any more, or again.
    func setLink(_ one: String, _ other: String, isOpen: Bool) async {
        await world.withWorld { world in
            guard let one = world.node(labelled: one), let other = world.node(labelled: other) else { return }
            let loss: UInt16 = isOpen ? 0 : 10_000
            world.links[link: one, other] = AirLink(.good, lossPerTenThousand: loss)
            world.links[link: other, one] = AirLink(.good, lossPerTenThousand: loss)
        }
    }

    /// Brings the clocks of nodes to the date of the apps.
    func setClocks(_ labels: [String], to seconds: UInt32) async {
        await world.withWorld { world in
            for label in labels {
                if let node = world.node(labelled: label) { world.setClock(of: node, to: seconds) }
            }
        }
    }
}
