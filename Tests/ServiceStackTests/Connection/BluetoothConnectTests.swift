import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Testing

/// A connection to a radio over Bluetooth, which is slow to find and to pair with.
@Suite struct BluetoothConnectTests {
    private typealias Bench = ConnectionBench

    @Test(.proves("SVC-050")) func `a Bluetooth link may open as long as its phases take together, and no longer`()
        throws
    {
        let ends = try withManager { bench in
            var ends: [(took: Duration, error: StackError?)] = []
            for seconds in [60, 80] {
                await bench.two.stage { radio in
                    radio.opening = { [clock = radio.clock] _ in try await clock.sleep(for: .seconds(seconds)) }
                }
                let began = bench.elapsed
                let end = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.wireless) }
                ends.append((end.at - began, end.error as? StackError))
                await bench.manager.disconnect()
            }
            return ends
        }

        #expect(ends[0] == (.seconds(60), nil))
        // Closing a link that does not even let go is given two seconds.
        #expect(ends[1] == (.seconds(77), StackError(.connection, .connectionFailed("no answer within 75.0 seconds"))))
    }

    @Test(.proves("SVC-056"))
    func `a radio over Bluetooth that is picked is dialed once, and one on a network four times`() throws {
        let (picked, wired) = try withManager { bench in
            let silent = MeshTransportError.connectionFailed("no radio MeshCore-alice was heard in 10.0 seconds")
            for radio in [bench.one, bench.two] { await radio.stage { $0.opening = { _ in throw silent } } }
            let picked = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.wireless) }
            #expect((picked.error as? StackError)?.reason == .connectionFailed(Self.reason(silent)))
            let wired = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            #expect(wired.error != nil)
            return await (bench.two.attempts.count, bench.one.attempts.count)
        }

        #expect(picked == 1)
        #expect(wired == 4)
    }

    @Test func `a radio that refused the PIN of one link is dialed over another one, which has the next PIN`() throws {
        let made = try withManager { bench in
            await bench.two.stage { $0.opening = { _ in throw MeshTransportError.connectionImpossible("another PIN") } }
            let refused = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.wireless) }
            #expect((refused.error as? StackError)?.reason == .connectionImpossible("another PIN"))
            await bench.two.stage { $0.opening = nil }
            try await bench.manager.connect(endpoint: Bench.wireless)
            return bench.transports.madeCount
        }

        #expect(made == 2)
    }

    @Test func `a radio that is resumed and a radio that is picked have the same time to pair`() throws {
        let opened = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.wireless)
            await bench.manager.stop()
            await bench.two.stage { radio in
                radio.opening = { [clock = radio.clock] _ in try await clock.sleep(for: .seconds(60)) }
            }
            let before = await bench.two.attempts.count
            let resumed = await bench.restarted()
            try await resumed.activate()
            #expect(await bench.reach(.ready, of: resumed, within: .seconds(70)))
            await resumed.stop()
            return await bench.two.attempts.count - before
        }

        #expect(opened == 1)
    }

    @Test(.proves("SVC-061"), arguments: everyOrder)
    func `while the adapter is off a connection stays wanted, and it is back once the adapter is on`(
        order: VirtualTime.Order
    ) throws {
        let off = MeshTransportError.connectionFailed("MeshCore-alice over Bluetooth: the adapter hci0 is off")
        let (waiting, byItself, atOnce) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.wireless)
            var waiting: [DeviceConnectionState] = []
            var took: [Duration] = []
            for isTold in [false, true] {
                await bench.two.stage { $0.opening = { _ in throw off } }
                await bench.two.lose()
                try await bench.clock.sleep(for: .seconds(300))
                waiting.append(await bench.manager.connectionState)
                #expect(await bench.manager.lastError?.reason(in: .connection) == .connectionFailed(Self.reason(off)))
                await bench.two.stage { $0.opening = nil }
                let began = bench.elapsed
                if isTold { await bench.manager.reconnectNow() }
                await bench.reach(.ready)
                took.append(bench.elapsed - began)
                try await bench.clock.sleep(for: .seconds(60))
            }
            return (waiting, took[0], took[1])
        }

        #expect(waiting == [.connecting, .connecting])
        #expect(byItself <= .seconds(30))
        #expect(atOnce <= .milliseconds(10))
    }

    private static func reason(_ error: MeshTransportError) -> String {
        if case .connectionFailed(let why) = error { why } else { "" }
    }

    @Test(.proves("SVC-R-088"), arguments: [LoopbackLink.bluetoothESP32, .bluetoothNRF52], everyOrder)
    func `while a radio is paired with, whatever wants a connection waits for that one`(
        link: LoopbackLink, order: VirtualTime.Order
    ) throws {
        let outcome = try VirtualTime.run(order: order) { clock in
            var description = WorldDescription.pair
            let bluetooth = link.prepare(&description, seed: Seed(7))
            let world = LoopbackWorld(World(description, seed: Seed(7)), clock: clock, bluetooth: bluetooth)
            let radio = CountedLink(try await world.transport(to: "alice"))
            let manager = try await Self.manager(over: radio, clock)
            let pairing = try await Self.pressed(manager, clock) {}
            let first = await radio.opened
            // The link ends, and is opened again by itself.
            let again = try await Self.pressed(manager, clock) {
                await world.withWorld { world in
                    if let node = world.node(labelled: "alice") { world.restart(node) }
                }
                while await manager.connectionState == .ready { try await clock.sleep(for: .milliseconds(10)) }
            }
            let most = await radio.most
            await manager.stop()
            await world.end()
            return (pairing, first, again, most)
        }

        // It was pressed on while the radio was found and paired with, both times.
        #expect(outcome.0 > 5 && outcome.2 > 5)
        #expect(outcome.1 == 1)
        #expect(outcome.3 == 1)
    }

    private static func manager(over radio: any MeshTransport, _ clock: VirtualClock) async throws -> ConnectionManager
    {
        let dependencies = ServiceDependencies(clock: clock, startDate: ServiceBench.startDate, seed: Seed(7))
        let graphs = GraphScript()
        let store = try PersistenceStore()
        return await ConnectionManager(
            store: store, transports: TestTransports([Bench.wireless: radio]), profile: .exact,
            dependencies: dependencies, makeGraph: { TestGraph(graphs, session: $0) })
    }

    /// Tries each way to connect every 50 ms until the connection is ready; returns the number of tries.
    private static func pressed(
        _ manager: ConnectionManager, _ clock: VirtualClock, _ first: () async throws -> Void
    ) async throws -> Int {
        try await first()
        var users: [Task<Void, any Error>] = []
        let end = clock.now.advanced(by: .seconds(120))
        repeat {
            users.append(Task { try await manager.connect(endpoint: Bench.wireless) })
            await manager.reconnectNow()
            try await clock.sleep(for: .milliseconds(50))
        } while await manager.connectionState != .ready && clock.now < end
        // A radio that restarts refuses some of them.
        for user in users { _ = await user.result }
        #expect(await manager.connectionState == .ready)
        return users.count
    }
}

/// A link that counts how often it is opened, and how many openings there were at once.
private actor CountedLink: MeshTransport {
    private let inner: any MeshTransport
    private(set) var opened = 0
    private(set) var most = 0
    private var now = 0

    init(_ inner: any MeshTransport) {
        self.inner = inner
    }

    var receivedData: AsyncStream<[UInt8]> { get async { await inner.receivedData } }
    var connectionState: ConnectionState { get async { await inner.connectionState } }

    func connect() async throws {
        opened += 1
        now += 1
        most = max(most, now)
        defer { now -= 1 }
        try await inner.connect()
    }

    func disconnect() async { await inner.disconnect() }
    func send(_ frame: [UInt8]) async throws { try await inner.send(frame) }
}
