import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The wishes of users, over failures, switches and restarts.
@Suite struct WishTests {
    private typealias Bench = ConnectionBench

    @Test(.proves("SVC-059"), arguments: everyOrder)
    func `after the user has disconnected nothing reconnects, also not after a restart`(order: VirtualTime.Order) throws
    {
        let (attempts, states) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.manager.disconnect()
            await bench.manager.reconnectNow()
            try await bench.manager.activate()
            try await bench.clock.sleep(for: .seconds(3600))
            let next = await bench.restarted()
            try await next.activate()
            try await bench.clock.sleep(for: .seconds(3600))
            let before = await bench.one.attempts.count
            try await next.connect(endpoint: Bench.first)
            let state = await next.connectionState
            await next.stop()
            return ([before, await bench.one.attempts.count], [state])
        }

        #expect(attempts == [1, 2])
        #expect(states == [.ready])
    }

    @Test(arguments: everyOrder)
    func `a radio over Bluetooth is wanted again after a restart, as bonded, until it is forgotten with its bond`(
        order: VirtualTime.Order
    ) throws {
        let bonds = RecordedBonds()
        let (state, isBonded, attempts) = try withManager(order: order, bonds: bonds) { bench in
            try await bench.manager.connect(endpoint: Bench.wireless)
            await bench.two.lose()
            await bench.manager.stop()
            let next = await bench.restarted(bonds: bonds)
            try await next.activate()
            await bench.reach(.ready, of: next)
            let state = await next.connectionState
            let address = Bench.wireless.address
            let isBonded = try await bench.store.fetchEndpoint(kind: "ble", address: address)?.bonded
            try await next.forgetDevice()
            let before = await bench.two.attempts.count
            let last = await bench.restarted()
            try await last.activate()
            try await bench.clock.sleep(for: .seconds(3600))
            await next.stop()
            return (state, isBonded, [before, await bench.two.attempts.count])
        }

        #expect(state == .ready)
        #expect(isBonded == true)
        #expect(attempts == [2, 2])
        #expect(bonds.removed.all == [Bench.wireless])
    }

    @Test(.proves("SVC-060"), arguments: everyOrder)
    func `what was connected when the program ended is connected again after its start`(order: VirtualTime.Order) throws
    {
        let (state, lastID, lastName) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.second)
            let id = await bench.manager.connectedDevice?.id
            // Killed: it has no time to say goodbye. The radio notices a closed link.
            let killed = bench.manager
            await bench.two.lose()
            await killed.stop()
            let next = await bench.restarted()
            try await next.activate()
            await bench.reach(.ready, of: next)
            let (state, last) = await (next.connectionState, next.lastConnectedDeviceID)
            let name = await next.lastConnectedDeviceName
            await next.stop()
            return (state, last == id && id != nil, name)
        }

        #expect(state == .ready)
        #expect(lastID)
        #expect(lastName == "alice")
    }

    @Test func `a start takes up messages that were being written, and counts nobody as logged in`() throws {
        let (statuses, queued, sessions) = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            let device = try #require(await bench.manager.connectedDevice)
            let contact = try await bench.addContact(to: device.id)
            for (text, status) in [("unwritten", MessageStatus.sending), ("written", .retrying), ("gone", .sent)] {
                try await bench.store.saveMessage(
                    MessageDTO(
                        id: bench.dependencies.random.uuid(), deviceID: device.id, contactID: contact.id, text: text,
                        timestamp: bench.dependencies.seconds, createdAt: bench.dependencies.now(),
                        direction: .outgoing, status: status))
            }
            try await bench.store.saveRemoteNodeSession(
                RemoteNodeSessionDTO(
                    deviceID: device.id, publicKey: Data(Frames.key(8).array), name: "room", role: .roomServer,
                    isConnected: true))
            await bench.manager.stop()
            let before = try await bench.store.fetchRemoteNodeSessions(deviceID: device.id).map(\.isConnected)
            #expect(before == [true])

            try await bench.restarted().activate()

            let rows = try await bench.store.fetchMessages(deviceID: device.id, thread: .contact(contact.id))
            let sessions = try await bench.store.fetchRemoteNodeSessions(deviceID: device.id).map(\.isConnected)
            return (rows.map(\.status), try await bench.store.countPendingMessages(deviceID: device.id), sessions)
        }

        #expect(statuses == [.pending, .sent, .sent])
        #expect(queued == 1)
        #expect(sessions == [false])
    }

    @Test func `what was wanted outlives a program that ended before it could resume it`() throws {
        let (wanted, last) = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            let id = await bench.manager.connectedDevice?.id
            await bench.manager.stop()
            await bench.restarted().stop()
            let second = await bench.restarted()
            try await second.activate()
            let wanted = await second.wantedEndpoint
            await second.disconnect()
            let third = await bench.restarted()
            await third.disconnect()
            let fourth = await bench.restarted()
            try await fourth.activate()
            #expect(await fourth.wantedEndpoint == nil)
            return (wanted, await fourth.lastConnectedDeviceID == id && id != nil)
        }

        #expect(wanted == ConnectionBench.first)
        #expect(last)
    }

    @Test(.proves("SVC-R-080"), arguments: everyOrder)
    func `a disconnect during a reconnect attempt that succeeds then closes the link for good`(order: VirtualTime.Order)
        throws
    {
        for delay in [Duration.milliseconds(500), .seconds(5)] {
            let (isOpen, connections, state, waited) = try withManager(order: order) { bench in
                try await bench.manager.connect(endpoint: Bench.first)
                await bench.one.stage { radio in
                    radio.opening = { [clock = radio.clock] _ in try await clock.sleep(for: delay) }
                }
                await bench.one.lose()
                try await bench.clock.sleep(for: .milliseconds(600))
                let start = bench.elapsed
                await bench.manager.disconnect()
                let waited = bench.elapsed - start
                try await bench.clock.sleep(for: .seconds(60))
                return (
                    await bench.one.isConnected, await bench.one.connections, await bench.manager.connectionState,
                    waited
                )
            }

            #expect(!isOpen)
            #expect(connections == 2)
            #expect(state == .disconnected)
            #expect(waited <= .seconds(2))
        }
    }

    @Test(.proves("SVC-R-081"))
    func `a radio that appears two minutes after the start is connected without anybody asking`() throws {
        let (state, at) = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.manager.stop()
            await bench.one.stage { radio in
                radio.opening = { [clock = radio.clock] _ in
                    if clock.now.sinceStart < .seconds(120) { throw MeshTransportError.deviceNotFound("one") }
                }
            }
            let next = await bench.restarted()
            try await next.activate()
            await bench.reach(.ready, of: next, within: .seconds(200))
            let result = (await next.connectionState, bench.elapsed)
            await next.stop()
            return result
        }

        #expect(state == .ready)
        #expect(at >= .seconds(120) && at <= .seconds(150))
    }

    @Test(.proves("SVC-R-087"), arguments: everyOrder)
    func `restoration, a changed world and a user at once make one connection`(order: VirtualTime.Order) throws {
        let (attempts, connections, most) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.manager.stop()
            let next = await bench.restarted()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await next.activate() }
                group.addTask { await next.reconnectNow() }
                group.addTask { try await next.connect(endpoint: Bench.first) }
                group.addTask { try await next.connect(endpoint: Bench.first) }
                try await group.waitForAll()
            }
            try await bench.clock.sleep(for: .seconds(10))
            let result = (await bench.one.attempts.count, await bench.one.connections, bench.graphs.mostAlive)
            await next.stop()
            return result
        }

        #expect(attempts == 2 && connections == 2, "one of them is the first manager's")
        #expect(most == 1)
    }

    @Test(.proves("SVC-R-090"), arguments: everyOrder)
    func `a user who wants the radio that is being reconnected uses the pending attempt`(order: VirtualTime.Order)
        throws
    {
        let (attempts, at) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.one.stage { radio in
                radio.opening = { [clock = radio.clock] _ in try await clock.sleep(for: .seconds(3)) }
            }
            await bench.one.lose()
            try await bench.clock.sleep(for: .seconds(1))
            try await bench.manager.connect(endpoint: Bench.first)
            return (await bench.one.attempts, bench.elapsed)
        }

        #expect(attempts == [.zero, .milliseconds(500)])
        #expect(at == .milliseconds(3500))
    }

    @Test func `a user need not wait for the pause of a reconnection`() throws {
        let (attempts, at) = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.one.stage { radio in
                radio.opening = { [clock = radio.clock] _ in
                    if clock.now.sinceStart < .seconds(20) { throw MeshTransportError.connectionFailed("off") }
                }
            }
            await bench.one.lose()
            try await bench.clock.sleep(for: .seconds(20))
            try await bench.manager.connect(endpoint: Bench.first)
            return (await bench.one.attempts.count, bench.elapsed)
        }

        #expect(attempts == 7)
        #expect(at == .seconds(20))
    }

    @Test(.proves("SVC-062", "SVC-068"), arguments: everyOrder)
    func `a switch ends the old session and services before the new session reads`(order: VirtualTime.Order) throws {
        let (calls, wasClosed, most, name) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.second)
            let second = try #require(await bench.manager.connectedDevice?.id)
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(1))
            _ = bench.graphs.calls.takeAll()
            let wasClosed = Notes<Bool>()
            await bench.two.stage { radio in
                radio.opening = { _ in
                    let isOpen = await bench.one.isConnected
                    wasClosed.add(!isOpen && bench.graphs.alive == 0)
                }
            }
            try await bench.manager.switchDevice(to: second)
            try await bench.clock.sleep(for: .seconds(1))
            let device = await bench.manager.connectedDevice?.id
            return (bench.graphs.calls.all, wasClosed.all, bench.graphs.mostAlive, device == second)
        }

        #expect(calls == ["tearDown", "make", "sync", "synced", "ready"])
        #expect(wasClosed == [true])
        #expect(most == 1)
        #expect(name)
    }

    @Test(.proves("SVC-062", "SVC-R-089"), arguments: everyOrder)
    func `a failed switch throws, and leaves nothing open or running`(order: VirtualTime.Order) throws {
        let (error, isOpen, alive, state, attempts, resumed) = try withManager(order: order) { bench in
            try await bench.manager.connect(endpoint: Bench.second)
            let second = try #require(await bench.manager.connectedDevice?.id)
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.two.stage { $0.script = { _ in [] } }
            let end = await outcome(bench) { try await bench.manager.switchDevice(to: second) }
            let writes = await bench.one.writes.count
            try await bench.clock.sleep(for: .seconds(3600))
            let open = await (bench.one.isConnected, bench.two.isConnected)
            let next = await bench.restarted()
            try await next.activate()
            let resumed = await next.connectionState
            return (
                end.error as? StackError, open.0 || open.1, bench.graphs.alive,
                await bench.manager.connectionState, await bench.one.writes.count == writes, resumed
            )
        }

        #expect(error?.code == "initialization-failed")
        #expect(!isOpen && alive == 0)
        #expect(state == .disconnected)
        #expect(attempts)
        #expect(resumed == .disconnected)
    }

    @Test(.proves("SVC-063", "SVC-R-118")) func `forgetting removes address and bond, and keeps messages`() throws {
        let bonds = RecordedBonds()
        let (endpoints, messages, state, last) = try withManager(bonds: bonds) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            let device = try #require(await bench.manager.connectedDevice)
            let contact = try await bench.addContact(to: device.id)
            try await bench.addMessage("hello", contact)
            try await bench.store.saveEndpoint(
                EndpointDTO(
                    kind: "ble", address: "AA:BB", deviceID: device.id, lastUsed: bench.dependencies.now(), bonded: true
                ))
            try await bench.manager.forgetDevice()
            let next = await bench.restarted()
            try await next.activate()
            return (
                try await bench.store.fetchEndpoints(), try await bench.messages(contact),
                await [bench.manager.connectionState, next.connectionState], await next.lastConnectedDeviceID
            )
        }

        #expect(endpoints == [])
        #expect(messages == ["hello"])
        #expect(state == [.disconnected, .disconnected])
        #expect(last == nil)
        #expect(bonds.removed.all == [RadioEndpoint(kind: .ble, address: "AA:BB")])
    }

    @Test(.proves("SVC-063")) func `with data deletion the radio's messages go as well`() throws {
        let (devices, messages) = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            let device = try #require(await bench.manager.connectedDevice)
            let contact = try await bench.addContact(to: device.id)
            try await bench.addMessage("hello", contact)
            try await bench.manager.forgetDevice(device.id, deletingData: true)
            return (try await bench.manager.fetchSavedDevices(), try await bench.messages(contact))
        }

        #expect(devices == [])
        #expect(messages == [])
    }

    @Test(.proves("SVC-178", "SVC-R-119")) func `stored chats are read without any radio`() throws {
        let messages = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            let device = try #require(await bench.manager.connectedDevice)
            let contact = try await bench.addContact(to: device.id)
            try await bench.addMessage("hello", contact)
            await bench.manager.disconnect()
            await bench.one.stage { $0.opening = { _ in throw MeshTransportError.notConnected } }
            let next = await bench.restarted()
            try await next.activate()
            let saved = try await next.fetchSavedDevices()
            #expect(await next.connectionState == .disconnected)
            let contacts = try await bench.store.fetchContacts(deviceID: try #require(saved.first).id)
            return try await bench.messages(try #require(contacts.first))
        }

        #expect(messages == ["hello"])
    }

    @Test(arguments: everyOrder)
    func `a wish for another radio ends the first, whose user is told`(order: VirtualTime.Order) throws {
        let (first, state, isOpen) = try withManager(order: order) { bench in
            await bench.one.stage { radio in
                radio.opening = { [clock = radio.clock] _ in try await clock.sleep(for: .seconds(1)) }
            }
            let one = Task { try await bench.manager.connect(endpoint: Bench.first) }
            try await bench.clock.sleep(for: .milliseconds(500))
            try await bench.manager.connect(endpoint: Bench.second)
            let result = await one.result
            try await bench.clock.sleep(for: .seconds(60))
            var error: StackError?
            if case .failure(let failure) = result { error = failure as? StackError }
            return (error, await bench.manager.connectionState, await bench.one.isConnected)
        }

        #expect(first == StackError(.connection, .superseded))
        #expect(state == .ready)
        #expect(!isOpen)
    }

    @Test(arguments: everyOrder)
    func `what another attempt cannot mend is told at once, and nothing reconnects`(order: VirtualTime.Order) throws {
        let (reason, attempts, state) = try withManager(order: order) { bench in
            await bench.one.stage { $0.opening = { _ in throw MeshTransportError.connectionImpossible("another PIN") } }
            let told = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            await bench.one.stage { $0.opening = nil }
            try await bench.manager.connect(endpoint: Bench.first)
            await bench.one.stage { $0.opening = { _ in throw MeshTransportError.connectionImpossible("another PIN") } }
            await bench.one.lose()
            try await bench.clock.sleep(for: .seconds(3600))
            let attempts = await bench.one.attempts.count
            return ((told.error as? StackError)?.reason, attempts, await bench.manager.connectionState)
        }

        #expect(reason == .connectionImpossible("another PIN"))
        #expect(attempts == 3)
        #expect(state == .disconnected)
    }

    @Test(arguments: everyOrder)
    func `a user who cancels a connect ends it`(order: VirtualTime.Order) throws {
        let (isCancelled, state, attempts) = try withManager(order: order) { bench in
            await bench.one.stage { $0.opening = { _ in throw MeshTransportError.connectionFailed("off") } }
            let connecting = Task { try await bench.manager.connect(endpoint: Bench.first) }
            try await bench.clock.sleep(for: .milliseconds(500))
            connecting.cancel()
            let result = await connecting.result
            try await bench.clock.sleep(for: .seconds(60))
            var isCancelled = false
            if case .failure(let error) = result { isCancelled = error is CancellationError }
            return (isCancelled, await bench.manager.connectionState, await bench.one.attempts.count)
        }

        #expect(isCancelled)
        #expect(state == .disconnected)
        #expect(attempts == 2)
    }
}

private final class RecordedBonds: BondKeeping {
    let removed = Notes<RadioEndpoint>()

    func removeBond(of endpoint: RadioEndpoint) async throws { removed.add(endpoint) }
}
