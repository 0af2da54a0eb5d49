import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Synchronization

/// Alice's whole stack, by a connection manager over her emulated radio.
struct StackBench: Sendable {
    let mesh: MeshBench
    let dependencies: ServiceDependencies
    let store: PersistenceStore
    let profile: StackProfile
    let links: StackLinks
    let graphs: GraphWatch
    let activity: ActivityCount
    let manager: ConnectionManager
    let states: Notes<Moment>

    static let endpoint = RadioEndpoint(kind: .tcp, address: "alice")

    var clock: VirtualClock { mesh.clock }
    var outbox: MessageOutbox { MessageOutbox(store: store, profile: profile, dependencies: dependencies) }

    /// A manager over the same store, as after a restart of the program.
    func restarted() async -> ConnectionManager {
        await Self.makeManager(mesh, dependencies, store, profile, links, graphs, activity)
    }

    @MainActor
    static func makeManager(
        _ mesh: MeshBench, _ dependencies: ServiceDependencies, _ store: PersistenceStore, _ profile: StackProfile,
        _ links: StackLinks, _ graphs: GraphWatch, _ activity: ActivityCount
    ) -> ConnectionManager {
        let notifications = NotificationService(
            sink: MemoryNotificationSink(), settings: store, clock: dependencies.clock)
        let manager = ConnectionManager(
            store: store, transports: links, profile: profile, dependencies: dependencies,
            credentials: MemoryCredentialStore(), notifications: notifications)
        manager.onConnectionReady = { [weak manager] in
            guard let container = manager?.container else { return }
            graphs.watch(container)
            container.events.observe { event in
                if case .syncActivityChanged(let isShown) = event { activity.change(by: isShown ? 1 : -1) }
            }
        }
        return manager
    }

    /// Waits until the manager is in the state.
    @discardableResult
    func reach(
        _ state: DeviceConnectionState, of manager: ConnectionManager? = nil, within limit: Duration = .seconds(120)
    ) async -> Bool {
        let manager = manager ?? self.manager
        return await wait(limit) { await manager.connectionState == state }
    }

    /// Waits until something is so.
    @discardableResult
    func wait(_ limit: Duration = .seconds(120), until isSo: () async throws -> Bool) async rethrows -> Bool {
        let end = clock.now.advanced(by: limit)
        while clock.now < end {
            if try await isSo() { return true }
            try? await clock.sleep(for: .milliseconds(10))
        }
        return try await isSo()
    }

    /// Lets alice and bob hear of each other; bob as alice's store has him.
    func meet(_ bob: ServiceBench) async throws -> ContactDTO {
        let device = try await required(manager.connectedDevice)
        let session = try await required(manager.container).session
        for _ in 0..<20 {
            try await session.sendAdvertisement(flood: true)
            try await clock.sleep(for: .seconds(7))
            try await bob.session.sendAdvertisement(flood: true)
            try await clock.sleep(for: .seconds(12))
            let isKnown = try await bob.session.getContacts().contacts.contains {
                Data($0.publicKey.array) == device.publicKey
            }
            let contact = try await store.fetchContact(deviceID: device.id, publicKey: bob.device.publicKey)
            if isKnown, let contact { return contact }
        }
        throw MeshTransportError.deviceNotFound("bob, who has advertised twenty times")
    }

    func required<T>(_ value: T?) throws -> T {
        guard let value else { throw StackError(.connection, .notConnected) }
        return value
    }

    /// Changes the board of a node.
    func withWorld(_ label: String, _ change: @escaping @Sendable (inout World, NodeID) -> Void) async {
        await mesh.world.withWorld { world in
            if let node = world.node(labelled: label) { change(&world, node) }
        }
    }
}

func withStack<R: Sendable>(
    order: VirtualTime.Order = .arrival, seed: UInt64 = 7, profile: StackProfile = .exact,
    _ body: @escaping @Sendable (StackBench) async throws -> R
) throws -> R {
    try withMesh(seed: seed, order: order) { mesh in
        let dependencies = ServiceDependencies(
            clock: mesh.clock, startDate: ServiceBench.startDate, seed: mesh.seed.part("alice"))
        let store = try PersistenceStore()
        let links = StackLinks(mesh)
        let graphs = await GraphWatch()
        let activity = ActivityCount()
        let manager = await StackBench.makeManager(mesh, dependencies, store, profile, links, graphs, activity)
        let states = Notes<Moment>()
        await manager.note { states.add(Moment(at: mesh.clock.now.sinceStart, state: $0)) }
        let bench = StackBench(
            mesh: mesh, dependencies: dependencies, store: store, profile: profile, links: links, graphs: graphs,
            activity: activity, manager: manager, states: states)
        let result = try await body(bench)
        await manager.stop()
        return result
    }
}

/// Links to the radios of a world, by label; what is sent can be tapped.
final class StackLinks: TransportMaking {
    typealias Tap = @Sendable (CommandCode?, [UInt8]) async -> TappedTransport.Fate

    private let mesh: MeshBench
    private let tap = Mutex<Tap?>(nil)

    init(_ mesh: MeshBench) {
        self.mesh = mesh
    }

    func setTap(_ tap: Tap?) { self.tap.withLock { $0 = tap } }

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        TappedTransport(try await mesh.world.transport(to: endpoint.address)) { [weak self] code, frame in
            guard let tap = self?.tap.withLock({ $0 }) else { return .passes }
            return await tap(code, frame)
        }
    }
}

/// The graphs that are still there, and those of their services.
@MainActor
final class GraphWatch {
    private var references: [() -> AnyObject?] = []
    private(set) var most = 0
    private(set) var made = 0

    func watch(_ container: ServiceContainer) {
        made += 1
        watch(object: container)
        most = max(most, references.count { ($0() as? ServiceContainer) != nil })
        watch(object: container.session)
        watch(object: container.messageService)
        watch(object: container.contactService)
        watch(object: container.channelService)
        watch(object: container.messagePollingService)
        watch(object: container.advertisementService)
        watch(object: container.settingsService)
        watch(object: container.syncCoordinator)
    }

    private func watch(object: AnyObject) { references.append { [weak object] in object } }

    /// The living objects, by type.
    var alive: [String] { references.compactMap { $0().map { "\(type(of: $0))" } } }
}

/// Counts what a page shows as activity.
final class ActivityCount: Sendable {
    struct State {
        var now = 0
        var least = 0
        var starts = 0
    }

    private let state = Mutex(State())

    var all: State { state.withLock { $0 } }

    func change(by step: Int) {
        state.withLock { state in
            state.now += step
            state.least = min(state.least, state.now)
            if step > 0 { state.starts += 1 }
        }
    }
}
