import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Testing

/// A connection is lost, and comes back by itself.
@Suite struct ReconnectTests {
    private typealias Bench = ConnectionBench

    @Test(.proves("SVC-057"))
    func `a lost link is opened again after 0.5, 1, 2, 4 s and so on until it is ready`() throws {
        let (attempts, state, name) = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(100))
            await bench.one.stage { radio in
                radio.opening = { if $0 < 10 { throw MeshTransportError.connectionFailed("off") } }
            }
            await bench.one.lose()
            try await bench.clock.sleep(for: .seconds(10))
            let name = await bench.manager.connectedDevice?.nodeName
            try await bench.clock.sleep(for: .seconds(200))
            return (await bench.one.attempts, await bench.manager.connectionState, name)
        }

        let pauses = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000].map { Duration.milliseconds($0) }
        var moments = [Duration.zero, .milliseconds(100_500)]
        for pause in pauses.dropFirst() { moments.append(moments[moments.count - 1] + pause) }
        #expect(attempts == moments)
        #expect(state == .ready)
        #expect(name == "alice")
    }

    @Test(.proves("SVC-058"), arguments: everyOrder)
    func `every reconnection introduces us, asks for the make and the time, before anything else`(
        order: VirtualTime.Order
    ) throws {
        let codes = try withManager(order: order) { bench in
            bench.graphs.change { $0.sync = { _ = try await $0.getBattery() } }
            await bench.one.stage { radio in
                radio.script = { frame in
                    guard frame.first == CommandCode.getBattAndStorage.rawValue else { return nil }
                    return [Resp.BattAndStorage().encoded()]
                }
            }
            try await bench.manager.connect(endpoint: Bench.first)
            for _ in 0..<3 {
                await bench.one.lose()
                await bench.reach(.connecting)
                await bench.reach(.ready)
            }
            var codes: [[CommandCode]] = []
            for number in 1...4 { codes.append(await bench.one.codes(ofConnection: number)) }
            return codes
        }

        #expect(codes.count == 4)
        #expect(codes.allSatisfy { $0 == [.appStart, .deviceQuery, .getDeviceTime, .getBattAndStorage] })
    }

    @Test(.proves("SVC-R-079"))
    func `a link that flaps is given its handshake each time, and fewer than ten tries a minute`() throws {
        let (moments, handshakes) = try withManager { bench in
            bench.graphs.change { state in
                state.ready = { _ in
                    try? await bench.clock.sleep(for: .milliseconds(200))
                    await bench.one.lose()
                }
            }
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(600))
            let count = await bench.one.connections
            var isComplete = true
            for number in 1...count {
                let codes = await bench.one.codes(ofConnection: number)
                isComplete = isComplete && codes == [.appStart, .deviceQuery, .getDeviceTime]
            }
            return (await bench.one.attempts, isComplete)
        }

        #expect(handshakes)
        #expect(moments.count > 10)
        for moment in moments {
            #expect(moments.filter { $0 >= moment && $0 < moment + .seconds(60) }.count < 10)
        }
    }

    @Test func `a radio that opens and does not introduce itself is asked every half a minute only`() throws {
        let attempts = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(100))
            await bench.one.stage { $0.script = { _ in [] } }
            await bench.one.lose()
            try await bench.clock.sleep(for: .seconds(150))
            return await bench.one.attempts
        }

        // Each attempt waits five seconds for the introduction.
        let expected = [100.5, 106.5, 113.5, 148.5, 183.5].map { Duration.seconds($0) }
        #expect(Array(attempts.dropFirst().prefix(5)) == expected)
    }

    @Test(.proves("SVC-050", "SVC-057"))
    func `a TCP peer that says nothing any more is found by the heartbeat`() throws {
        var profile = StackProfile.exact
        profile.connection.heartbeat = .seconds(30)
        let (states, beats) = try withManager(profile: profile) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(100))
            let beats = await bench.one.writes.filter { $0.code == .getDeviceTime }.map(\.at)
            await bench.one.stage { $0.script = { _ in [] } }
            await bench.reach(.connecting)
            let states = bench.states.all
            await bench.one.stage { $0.script = nil }
            await bench.reach(.ready)
            return (states, beats)
        }

        #expect(beats == [0, 30, 60, 90].map { .seconds($0) })
        #expect(states.last == Moment(at: .seconds(125), state: .connecting))
    }

    @Test func `only links that need a heartbeat have one`() throws {
        let count = try withManager { bench in
            var profile = StackProfile.exact
            profile.connection.heartbeat = .seconds(30)
            let serial = RadioEndpoint(kind: .serial, address: "/dev/ttyUSB0")
            let manager = await ConnectionManager(
                store: bench.store, transports: TestTransports([serial: bench.one]), profile: profile,
                dependencies: bench.dependencies, makeGraph: { TestGraph(bench.graphs, session: $0) })
            try await manager.connect(endpoint: serial)
            try await bench.clock.sleep(for: .seconds(300))
            let count = await bench.one.writes.count
            await manager.stop()
            return count
        }

        #expect(count == 3)
    }

    @Test(.proves("SVC-054"), arguments: everyOrder)
    func `a link lost during a write fails that command, and none of the next connection`(order: VirtualTime.Order)
        throws
    {
        let (first, second) = try withManager(order: order) { bench in
            let errors = Notes<SessionError?>()
            bench.graphs.change { state in
                state.ready = { session in
                    do {
                        _ = try await session.getTime()
                        errors.add(nil)
                    } catch {
                        errors.add(error as? SessionError)
                    }
                }
            }
            bench.graphs.change { $0.sync = { _ in await bench.one.stage { $0.isStuck = $0.connections == 1 } } }
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(1))
            await bench.one.stage { $0.isStuck = false }
            await bench.one.lose()
            // Beyond the moment at which the stuck write ends as well.
            try await bench.clock.sleep(for: .seconds(4000))
            let all = errors.all
            return (all, await bench.one.connections)
        }

        #expect(first == [.connectionLost("the link was closed"), nil])
        #expect(second == 2)
    }

    @Test(.proves("SVC-064", "SVC-R-083"), arguments: everyOrder)
    func `a late end of an earlier link does not end the new one`(order: VirtualTime.Order) throws {
        let (states, connections) = try withManager(order: order) { bench in
            await bench.one.stage { $0.streamLingers = .seconds(20) }
            var profile = StackProfile.exact
            profile.connection.heartbeat = .seconds(5)
            let manager = await bench.restarted(profile: profile)
            try await manager.connect(endpoint: Bench.first)
            // The link goes, and only the heartbeat notices.
            await bench.one.stage { $0.script = { _ in [] } }
            await bench.reach(.connecting, of: manager)
            await bench.one.stage { $0.script = nil }
            await bench.reach(.ready, of: manager)
            await manager.note { bench.states.add(Moment(at: bench.elapsed, state: $0)) }
            try await bench.clock.sleep(for: .seconds(60))
            let connections = await bench.one.connections
            await manager.stop()
            return (bench.states.all.map(\.state), connections)
        }

        #expect(states == [.disconnected])
        #expect(connections == 2)
    }

    @Test(.proves("SVC-065", "SVC-068", "SVC-R-012", "SVC-R-013"), arguments: everyOrder)
    func `a new session reads the new link alone, and no other one does`(order: VirtualTime.Order) throws {
        let (events, doubleReaders) = try withManager(order: order) { bench in
            let events = Notes<String>()
            await bench.one.stage { $0.streamLingers = .seconds(30) }
            bench.graphs.change { state in
                state.ready = { session in
                    for await event in await session.events() {
                        if case .acknowledgement(let code, _) = event { events.add("\(code)") }
                    }
                }
            }
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(1))
            await bench.one.say(Frames.confirmation(1))
            try await bench.clock.sleep(for: .seconds(1))
            for code: UInt32 in 2...6 {
                // What the radio says while the link goes is nobody's.
                await bench.manager.disconnect()
                await bench.one.say(Frames.confirmation(100 + code))
                try await bench.manager.connect(endpoint: Bench.first)
                try await bench.clock.sleep(for: .seconds(1))
                await bench.one.say(Frames.confirmation(code))
                try await bench.clock.sleep(for: .seconds(1))
            }
            return (events.all, await bench.one.doubleReaders)
        }

        #expect(events == ["1", "2", "3", "4", "5", "6"])
        #expect(doubleReaders == 0)
    }

    @Test(.proves("SVC-069", "SVC-R-093"), arguments: everyOrder)
    func `of a hundred reconnects one graph is alive, and none at the end`(order: VirtualTime.Order) throws {
        var profile = StackProfile.exact
        profile.connection.steadyAfter = .zero
        let (made, most, alive, tornDown, ends) = try withManager(order: order, profile: profile) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            for _ in 0..<100 {
                await bench.one.lose()
                await bench.reach(.connecting)
                await bench.reach(.ready)
            }
            let ofLoss = bench.graphs.calls.takeAll().suffix(5)
            await bench.manager.disconnect()
            let ofUser = bench.graphs.calls.all
            return (
                bench.graphs.made, bench.graphs.mostAlive, bench.graphs.alive, bench.graphs.tornDown,
                [ofLoss.first, ofUser.first]
            )
        }

        #expect(made == 101 && tornDown == 101)
        #expect(most == 1)
        #expect(alive == 0)
        #expect(ends == ["tearDown", "tearDown"])
    }

    @Test(.proves("SVC-R-082"), arguments: everyOrder)
    func `a set-up that fails behind an open link closes it, and the next try starts clean`(order: VirtualTime.Order)
        throws
    {
        let (opened, closed, alive, most, state) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.one.stage { radio in
                let first = radio.attempts.count
                radio.script = { [weak radio] frame in
                    let attempt = await radio?.attempts.count ?? 0
                    let isSilent = attempt < first + 3 && frame.first == CommandCode.deviceQuery.rawValue
                    return isSilent ? [] : nil
                }
            }
            await bench.one.lose()
            try await bench.clock.sleep(for: .seconds(300))
            let radio = bench.one
            return (
                await radio.connections, await radio.disconnectCount, bench.graphs.alive, bench.graphs.mostAlive,
                await bench.manager.connectionState
            )
        }

        #expect(opened == 4)
        #expect(closed == 2)
        #expect(alive == 1 && most == 1)
        #expect(state == .ready)
    }

    @Test(arguments: everyOrder)
    func `services that do not end hold up nobody for more than the limit, and keep no link open`(
        order: VirtualTime.Order
    ) throws {
        let (waited, isOpen, state, doubleReaders) = try withManager(order: order) { bench in
            bench.graphs.change { state in
                state.tearDown = { await Task { try? await bench.clock.sleep(for: .seconds(3600)) }.value }
            }
            try await bench.manager.connect(endpoint: Bench.first)
            let start = bench.elapsed
            await bench.manager.disconnect()
            let waited = bench.elapsed - start
            let isOpen = await bench.one.isConnected
            try await bench.manager.connect(endpoint: Bench.first)
            return (waited, isOpen, await bench.manager.connectionState, await bench.one.doubleReaders)
        }

        #expect(waited == .seconds(2))
        #expect(!isOpen)
        #expect(state == .ready)
        #expect(doubleReaders == 0)
    }

    @Test(.proves("SVC-R-085"), arguments: everyOrder)
    func `a sync that ends after its link was lost makes nothing ready`(order: VirtualTime.Order) throws {
        let states = try withManager(order: order) { bench in
            // A sync that does not notice: it neither fails nor is cancelled.
            bench.graphs.change { state in
                state.sync = { _ in
                    if await bench.one.connections > 1 { return }
                    await Task { try? await bench.clock.sleep(for: .seconds(4)) }.value
                }
            }
            let connecting = Task { try await bench.manager.connect(endpoint: Bench.first) }
            await bench.reach(.connected)
            try await bench.clock.sleep(for: .milliseconds(3000))
            await bench.one.lose()
            try await connecting.value
            try await bench.clock.sleep(for: .seconds(10))
            return bench.states.all.map(\.state)
        }

        #expect(states == [.connecting, .connected, .connecting, .connected, .ready])
    }

    @Test(.proves("SVC-R-085"), arguments: everyOrder)
    func `a sync that ends in the moment in which its link is lost makes nothing ready`(order: VirtualTime.Order) throws
    {
        let (states, isReadyAfterLoss) = try withManager(order: order) { bench in
            bench.graphs.change { state in
                state.sync = { _ in
                    if await bench.one.connections > 1 { return }
                    try await bench.clock.sleep(for: .seconds(3))
                }
            }
            let connecting = Task { try await bench.manager.connect(endpoint: Bench.first) }
            try await bench.clock.sleep(for: .seconds(3))
            await bench.one.lose()
            try await bench.clock.sleep(for: .milliseconds(1))
            let state = await bench.manager.connectionState
            try await connecting.value
            await bench.reach(.ready)
            return (bench.states.all.map(\.state), state == .ready)
        }

        #expect(!isReadyAfterLoss)
        #expect(states.last == .ready)
    }

    @Test(.proves("SVC-R-086")) func `a sync that fails leaves the connection, which becomes ready`() throws {
        let (states, attempts) = try withManager { bench in
            bench.graphs.change {
                $0.sync = { _ in throw SessionError.listingStalled(received: 1, total: 2, after: .zero) }
            }
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(100))
            return (bench.states.all.map(\.state), await bench.one.attempts.count)
        }

        #expect(states == [.connecting, .connected, .ready])
        #expect(attempts == 1)
    }

    @Test(.proves("SVC-086"), arguments: everyOrder)
    func `where the profile does not keep such a link, a sync that fails for good ends it before it is ready`(
        order: VirtualTime.Order
    ) throws {
        var profile = StackProfile.exact
        profile.sync.keepsLinkAfterFailure = false
        profile.connection.connectAttempts = 1
        profile.connection.reconnects = false
        let failure = StackError(.sync, .syncFailed("contacts: trouble"))
        let (states, error, attempts) = try withManager(order: order, profile: profile) { bench in
            bench.graphs.change { $0.sync = { _ in throw failure } }
            await #expect(throws: failure) { try await bench.manager.connect(endpoint: Bench.first) }
            return (bench.states.all.map(\.state), await bench.manager.lastError, await bench.one.attempts.count)
        }

        #expect(states == [.connecting, .connected, .connecting, .disconnected])
        #expect(error == failure)
        #expect(attempts == 1)
    }

    @Test(.proves("SVC-R-094"), arguments: everyOrder)
    func `what waits for answers at the teardown throws within a second`(order: VirtualTime.Order) throws {
        let ends = try withManager(order: order) { bench in
            let ends = Notes<Duration>()
            bench.graphs.change { state in
                state.ready = { session in
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<5 {
                            group.addTask {
                                _ = try? await session.getBattery()
                                ends.add(bench.elapsed)
                            }
                        }
                        group.addTask {
                            for await _ in await session.events() {}
                            ends.add(bench.elapsed)
                        }
                    }
                }
            }
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(2))
            await bench.manager.disconnect()
            return ends.all
        }

        #expect(ends == Array(repeating: .seconds(2), count: 6))
    }
}
