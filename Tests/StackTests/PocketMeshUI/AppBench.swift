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
import PocketMeshUI
import StackTestSupport

/// Alice's app over her emulated radio, on virtual time.
struct AppBench: Sendable {
    let mesh: MeshBench
    let app: AppState
    let sink: MemoryNotificationSink

    static let address = "loopback:alice"

    var clock: VirtualClock { mesh.clock }

    /// Connects, and waits until the first synchronisation has ended.
    func connect() async throws { try await app.connect(to: Self.address) }

    /// Lets this number of seconds pass.
    func pass(_ seconds: Int) async throws { try await clock.sleep(for: .seconds(seconds)) }

    /// Waits until something is so; whether it became so in two minutes.
    @discardableResult
    func wait(_ seconds: Int = 120, until isSo: @MainActor () async -> Bool) async -> Bool {
        for _ in 0..<(seconds * 10) {
            if await isSo() { return true }
            try? await clock.sleep(for: .milliseconds(100))
        }
        return await isSo()
    }

    /// Lets alice and another radio hear of each other; that radio as a contact of alice's.
    func meet(_ other: ServiceBench) async throws -> ContactDTO {
        for _ in 0..<20 {
            let services = try await required(app.services)
            let device = try await required(app.connectedDevice)
            try await services.session.sendAdvertisement(flood: true)
            try await pass(7)
            try await other.session.sendAdvertisement(flood: true)
            try await pass(12)
            let isKnown = try await other.session.getContacts().contacts.contains {
                Data($0.publicKey.array) == device.publicKey
            }
            let contact = try await app.store.fetchContact(deviceID: device.id, publicKey: other.device.publicKey)
            if isKnown, let contact { return contact }
        }
        throw StackError(.contacts, .contactNotFound)
    }

    /// Has another radio send alice a text.
    func text(from other: ServiceBench, _ text: String) async throws {
        let key = try await required(app.deviceID == nil ? nil : app.connectedDevice?.publicKey)
        _ = try await other.session.sendMessage(
            to: .bytes(Array(key)), text: text, timestamp: other.dependencies.seconds)
    }

    /// Has alice's radio and store know a node of the world to which no way is known.
    func know(_ label: String) async throws -> ContactDTO {
        let known = await mesh.world.withWorld { world in
            world.node(labelled: label).flatMap { node in
                world.firmware(node).map { ($0.publicKey, world.infrastructure(node)?.server.role.nodeType ?? .chat) }
            }
        }
        let (key, type) = try required(known)
        var record = ContactRecord()
        record.publicKey = key
        record.type = type
        record.outPathLength = .unknown
        record.name = FixedBytes(text: ByteText(label))
        try await required(app.services).session.updateContact(record)
        let device = try await required(app.deviceID)
        return try await required(
            app.store.fetchContact(id: app.store.saveContact(deviceID: device, from: record)))
    }

    func required<T>(_ value: T?) throws -> T {
        guard let value else { throw StackError(.connection, .notConnected) }
        return value
    }
}

/// A link of the world's for each name.
struct WorldLinks: TransportMaking {
    let mesh: MeshBench

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        try await mesh.world.transport(to: endpoint.address)
    }
}

/// Times are written as in London in summer.
let london = PresentationStyle(hours: .twentyFour, localTime: .fixed(secondsFromUTC: 3600), country: "GB")

/// Runs an app in an emulated mesh on virtual time; nothing is connected yet.
func withApp<R: Sendable>(
    _ world: WorldDescription = .village, seed: UInt64 = 7, order: VirtualTime.Order = .arrival,
    store: PersistenceStore? = nil, host: (any HostServices)? = nil,
    codec: (any ImageCodec)? = nil,
    _ body: @escaping @Sendable @MainActor (AppBench) async throws -> R
) throws -> R {
    try withMesh(world, seed: seed, order: order) { mesh in
        let dependencies = ServiceDependencies(
            clock: mesh.clock, startDate: ServiceBench.startDate, seed: mesh.seed.part("alice"))
        let sink = MemoryNotificationSink()
        var setup = AppState.Setup(transports: WorldLinks(mesh: mesh), dependencies: dependencies)
        setup.profile.connection.jitter = 0
        setup.profile.connection.heartbeat = nil
        setup.desktop = sink
        setup.style = london
        setup.host = host
        setup.imageCodec = codec
        let app = try await open(setup, store)
        let result = try await body(AppBench(mesh: mesh, app: app, sink: sink))
        await app.stop()
        return result
    }
}

@MainActor
private func open(_ setup: AppState.Setup, _ store: PersistenceStore?) throws -> AppState {
    if let store { return AppState(store: store, setup: setup) }
    return try AppState.open(setup)
}
