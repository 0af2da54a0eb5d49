import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Synchronization
import Testing

/// Wishes and faults at random: the rules of connections hold, and in the end a connection is ready.
@Suite struct ConnectionStormTests {
    private typealias Bench = ConnectionBench

    /// The states that may follow one another.
    private static let successors: [DeviceConnectionState: [DeviceConnectionState]] = [
        .disconnected: [.connecting], .connecting: [.connected, .disconnected],
        .connected: [.ready, .connecting, .disconnected], .ready: [.connecting, .disconnected],
    ]

    @Test(.proves("SVC-048", "SVC-068", "SVC-R-093"), arguments: 1...4)
    func `in five minutes of wishes and faults no session and no graph overlaps another`(seed: UInt64) throws {
        let (states, doubleReaders, most, alive, isReady) = try withManager(
            order: seed.isMultiple(of: 2) ? .arrival : .drawn(Seed(seed)), seed: seed
        ) { bench in
            let fleet = MoodyFleet(bench)
            let states = Notes<DeviceConnectionState>()
            let manager = await ConnectionManager(
                store: bench.store, transports: fleet, profile: .exact, dependencies: bench.dependencies,
                makeGraph: { TestGraph(bench.graphs, session: $0) })
            await manager.note { states.add($0) }
            try await storm(bench, manager, fleet, Seed(seed))
            fleet.calmDown()
            try await bench.clock.sleep(for: .seconds(20))
            try await manager.connect(endpoint: Bench.first)
            let isReady = await manager.connectionState == .ready
            let most = bench.graphs.mostAlive
            await manager.disconnect()
            return (states.all, await fleet.doubleReaders, most, bench.graphs.alive, isReady)
        }

        #expect(states.count > 20)
        for (state, next) in zip(states, states.dropFirst()) {
            #expect(Self.successors[state]?.contains(next) == true, "\(state) → \(next)")
        }
        #expect(doubleReaders == 0)
        #expect(most == 1)
        #expect(alive == 0)
        #expect(isReady)
    }

    /// Users who do not know what they want, and links that go.
    private func storm(
        _ bench: Bench, _ manager: ConnectionManager, _ fleet: MoodyFleet, _ seed: Seed
    ) async throws {
        var draws = seed.stream("storm")
        bench.graphs.change { state in
            state.sync = { session in
                try? await bench.clock.sleep(for: .milliseconds(Int64(bench.dependencies.random.number() % 3000)))
                _ = try await session.getTime()
            }
        }
        while bench.elapsed < .seconds(300) {
            try await bench.clock.sleep(for: .milliseconds(Int64(draws.draw(0, 4000))))
            let endpoint = draws.draw(0, 3) < 2 ? Bench.first : Bench.second
            switch draws.draw(0, 8) {
            case 0...2: Task { try? await manager.connect(endpoint: endpoint) }
            case 3: Task { await manager.disconnect() }
            case 4: await manager.reconnectNow()
            case 5: await fleet.lose(Bench.first)
            case 6: await fleet.lose(Bench.second)
            default:
                let connecting = Task { try? await manager.connect(endpoint: endpoint) }
                try await bench.clock.sleep(for: .milliseconds(Int64(draws.draw(0, 2000))))
                connecting.cancel()
            }
        }
    }
}

/// Radios that refuse, dawdle, hang, fall silent, and whose streams end late; each link to them is a new one.
private final class MoodyFleet: TransportMaking {
    private let clock: VirtualClock
    private let random: RandomSource
    private let lines = [ConnectionBench.first: StagedLine(), ConnectionBench.second: StagedLine()]
    private let links = Mutex<[(endpoint: RadioEndpoint, radio: StagedRadio)]>([])
    private let isCalm = Mutex(false)

    init(_ bench: ConnectionBench) {
        clock = bench.clock
        random = bench.dependencies.random
    }

    var doubleReaders: Int {
        get async {
            var count = 0
            for link in links.withLock({ $0 }) { count += await link.radio.doubleReaders }
            return count
        }
    }

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        let number: UInt8 = endpoint == ConnectionBench.first ? 1 : 2
        let radio = StagedRadio(number, clock: clock, line: lines[endpoint] ?? StagedLine())
        await radio.stage { radio in
            radio.streamLingers = .seconds(3)
            radio.opening = { [weak self] _ in try await self?.open() }
            radio.script = { [weak self] _ in self?.isSilent == true ? [] : nil }
        }
        links.withLock { $0.append((endpoint, radio)) }
        return radio
    }

    func lose(_ endpoint: RadioEndpoint) async {
        for link in links.withLock({ $0 }) where link.endpoint == endpoint { await link.radio.lose() }
    }

    func calmDown() { isCalm.withLock { $0 = true } }

    private var isSilent: Bool { !isCalm.withLock { $0 } && random.number().isMultiple(of: 20) }

    private func open() async throws {
        if isCalm.withLock({ $0 }) { return }
        switch random.number() % 6 {
        case 0: throw MeshTransportError.connectionFailed("not now")
        case 1: try await clock.sleep(for: .milliseconds(Int64(random.number() % 3000)))
        case 2: try await clock.sleep(for: .seconds(8) + .milliseconds(Int64(random.number() % 8000)))
        default: break
        }
    }
}
