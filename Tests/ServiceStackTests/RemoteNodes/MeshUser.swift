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

/// One app of an emulated mesh, with the services for nodes, their messages, and no other services.
struct MeshApp: Sendable {
    let nodes: NodeBench
    let polling: MessagePollingService
    let adverts: AdvertisementService

    var remote: RemoteNodeService { nodes.remote }
    var rooms: RoomServerService { nodes.rooms }
    var repeaters: RepeaterAdminService { nodes.repeaters }
    var session: MeshCoreSession { nodes.bench.session }
    var store: PersistenceStore { nodes.store }
    var deviceID: UUID { nodes.deviceID }

    init(_ bench: ServiceBench, credentials: MemoryCredentialStore = MemoryCredentialStore()) async {
        nodes = await NodeBench(bench, credentials: credentials)
        polling = MessagePollingService(
            session: bench.session, store: bench.store, profile: .architectureV2, dependencies: bench.dependencies)
        adverts = AdvertisementService(
            session: bench.session, store: bench.store, profile: .architectureV2, dependencies: bench.dependencies)
        await adverts.startEventMonitoring(deviceID: bench.device.id)
        let (rooms, remote) = (nodes.rooms, nodes.remote)
        await polling.setIntake(
            MessageIntake(
                signed: { received, arrival in
                    let message = received.message
                    _ = try? await rooms.handleIncomingMessage(
                        deviceID: arrival.deviceID, senderPublicKeyPrefix: Data(message.publicKeyPrefix.array),
                        timestamp: message.timestamp, authorPrefix: Data(message.authorPrefix.array),
                        text: message.text.readable)
                },
                commandAnswer: { received, _ in
                    await remote.handleCLIResponse(
                        senderPrefix: Data(received.message.publicKeyPrefix.array),
                        text: received.message.text.readable)
                }))
        await polling.startEventMonitoring(deviceID: bench.device.id)
        await polling.startAutoFetch(deviceID: bench.device.id)
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
        await polling.stop()
        await adverts.stop()
        await nodes.stop()
        await session.stop()
    }

    /// Posts of a room as they are read: who, and what.
    func posts(_ room: RemoteNodeSessionDTO) async throws -> [String] {
        try await rooms.fetchMessages(sessionID: room.id).map {
            "\($0.isFromSelf ? "me" : $0.authorDisplayName): \($0.text)"
        }
    }
}

extension MeshBench {
    func meshApp(_ label: String) async throws -> MeshApp { await MeshApp(try await app(label)) }

    /// The app of a radio once more, with what it has stored.
    func meshApp(_ label: String, after app: MeshApp) async throws -> MeshApp {
        // RandomSource of its own: identifiers are not drawn twice.
        let bench = try await ServiceBench(
            transport: try await world.transport(to: label), clock: clock, seed: seed.part(label + " again"),
            store: app.store)
        return await MeshApp(bench, credentials: app.nodes.credentials)
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
