import Foundation
import MeshCore
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Synchronization

/// Connection managers over radios that a test stages, on virtual time.
struct ConnectionBench: Sendable {
    let clock: VirtualClock
    let dependencies: ServiceDependencies
    let store: PersistenceStore
    let transports: TestTransports
    let graphs: GraphScript
    let manager: ConnectionManager
    let states: Notes<Moment>
    /// The radios at `tcp://one:5000` and `tcp://two:5000`.
    let one: StagedRadio
    let two: StagedRadio

    static let first = RadioEndpoint(kind: .tcp, address: "one:5000")
    static let second = RadioEndpoint(kind: .tcp, address: "two:5000")
    /// The second radio again, over Bluetooth.
    static let wireless = RadioEndpoint(kind: .ble, address: "C0:11:22:33:44:55")

    /// A second manager over the same store and radios, as after a restart of the program.
    func restarted(
        profile: StackProfile = .exact, bonds: (any BondKeeping)? = nil
    ) async -> ConnectionManager {
        await ConnectionManager(
            store: store, transports: transports, profile: profile, dependencies: dependencies, bonds: bonds,
            makeGraph: { [graphs] in TestGraph(graphs, session: $0) })
    }

    /// Waits until the manager is in the state; gives up after so long.
    @discardableResult
    func reach(
        _ state: DeviceConnectionState, of manager: ConnectionManager? = nil, within limit: Duration = .seconds(60)
    ) async -> Bool {
        let end = clock.now.advanced(by: limit)
        let manager = manager ?? self.manager
        while clock.now < end {
            if await manager.connectionState == state { return true }
            try? await clock.sleep(for: .milliseconds(10))
        }
        return await manager.connectionState == state
    }

    var elapsed: Duration { clock.now.sinceStart }
}

struct Moment: Hashable, Sendable {
    var at: Duration
    var state: DeviceConnectionState
}

extension StackProfile {
    /// The profile without jitter, for exact times.
    static let exact: StackProfile = {
        var profile = StackProfile()
        profile.connection.jitter = 0
        profile.connection.heartbeat = nil
        return profile
    }()
}

func withManager<R: Sendable>(
    order: VirtualTime.Order = .arrival, seed: UInt64 = 1, profile: StackProfile = .exact,
    bonds: (any BondKeeping)? = nil,
    _ body: @escaping @Sendable (ConnectionBench) async throws -> R
) throws -> R {
    try VirtualTime.run(order: order) { clock in
        let dependencies = ServiceDependencies(clock: clock, startDate: ServiceBench.startDate, seed: Seed(seed))
        let one = StagedRadio(1, clock: clock)
        let two = StagedRadio(2, clock: clock)
        let transports = TestTransports([
            ConnectionBench.first: one, ConnectionBench.second: two, ConnectionBench.wireless: two,
        ])
        let store = try PersistenceStore()
        let graphs = GraphScript()
        let states = Notes<Moment>()
        let manager = await ConnectionManager(
            store: store, transports: transports, profile: profile, dependencies: dependencies, bonds: bonds,
            makeGraph: { TestGraph(graphs, session: $0) })
        await manager.note { states.add(Moment(at: clock.now.sinceStart, state: $0)) }
        let bench = ConnectionBench(
            clock: clock, dependencies: dependencies, store: store, transports: transports, graphs: graphs,
            manager: manager, states: states, one: one, two: two)
        let result = try await body(bench)
        await manager.stop()
        return result
    }
}

extension ConnectionManager {
    func note(_ handler: @escaping @MainActor (DeviceConnectionState) -> Void) { onStateChange = handler }
    func setReady(_ handler: @escaping @MainActor () async -> Void) { onConnectionReady = handler }
}

final class TestTransports: TransportMaking {
    private let radios: [RadioEndpoint: any MeshTransport]
    private let made = Mutex(0)

    init(_ radios: [RadioEndpoint: any MeshTransport]) {
        self.radios = radios
    }

    var madeCount: Int { made.withLock { $0 } }

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        made.withLock { $0 += 1 }
        guard let radio = radios[endpoint] else { throw MeshTransportError.deviceNotFound("\(endpoint)") }
        return radio
    }
}

/// The script of a bench's graphs, and the number of them that live.
final class GraphScript: Sendable {
    struct State {
        var made = 0
        var alive = 0
        var mostAlive = 0
        var tornDown = 0
        var sync: (@Sendable (MeshCoreSession) async throws -> Void)?
        var ready: (@Sendable (MeshCoreSession) async -> Void)?
        var tearDown: (@Sendable () async -> Void)?
        var making: (@Sendable () async throws -> Void)?
    }

    let state = Mutex(State())
    let calls = Notes<String>()

    var alive: Int { state.withLock { $0.alive } }
    var mostAlive: Int { state.withLock { $0.mostAlive } }
    var made: Int { state.withLock { $0.made } }
    var tornDown: Int { state.withLock { $0.tornDown } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
}

@MainActor
final class TestGraph: ServiceGraph {
    private let script: GraphScript
    private let session: MeshCoreSession

    init(_ script: GraphScript, session: MeshCoreSession) {
        self.script = script
        self.session = session
        script.change { state in
            state.made += 1
            state.alive += 1
            state.mostAlive = max(state.mostAlive, state.alive)
        }
        script.calls.add("make")
    }

    deinit { script.change { $0.alive -= 1 } }

    func onConnectionEstablished(deviceID: UUID) async throws {
        script.calls.add("sync")
        try await script.state.withLock { $0.sync }?(session)
        script.calls.add("synced")
    }

    func onConnectionReady(deviceID: UUID) async {
        script.calls.add("ready")
        await script.state.withLock { $0.ready }?(session)
    }

    func tearDown() async {
        script.calls.add("tearDown")
        script.change { $0.tornDown += 1 }
        await script.state.withLock { $0.tearDown }?()
    }
}

/// Returns the error and the time of an operation's end.
func outcome<T: Sendable>(
    _ bench: ConnectionBench, _ work: @Sendable () async throws -> T
) async -> (at: Duration, error: (any Error)?) {
    do {
        _ = try await work()
        return (bench.elapsed, nil)
    } catch {
        return (bench.elapsed, error)
    }
}

/// The order of a real run, and some that are drawn.
let everyOrder: [VirtualTime.Order] = [.arrival] + (1...4).map { .drawn(Seed($0)) }
