import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Whole stacks over emulated radios that restart, fall silent and lose their links.
@Suite struct StackTests {
    @Test(.proves("SVC-048", "SVC-057", "SVC-069"), arguments: everyOrder)
    func `a radio that restarts is ready again, and nothing of the old connection is left`(order: VirtualTime.Order)
        throws
    {
        let (states, alive, made, most) = try withStack(order: order) { bench in
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            for _ in 0..<3 {
                try await bench.clock.sleep(for: .seconds(5))
                await bench.withWorld("alice") { $0.restart($1) }
                await bench.reach(.connecting)
                await bench.reach(.ready)
            }
            await bench.manager.disconnect()
            let graphs = bench.graphs
            return (bench.states.all.map(\.state), await graphs.alive, await graphs.made, await graphs.most)
        }

        let round: [DeviceConnectionState] = [.connecting, .connected, .ready]
        #expect(states == round + round + round + round + [.disconnected])
        #expect(alive == [])
        #expect(made == 4)
        #expect(most == 1)
    }

    @Test(.proves("SVC-069", "SVC-R-093"), arguments: everyOrder)
    func `a hundred reconnects leave one graph of services, and none when all ends`(order: VirtualTime.Order) throws {
        var profile = StackProfile.exact
        profile.connection.steadyAfter = .zero
        let (made, most, during, alive) = try withStack(order: order, profile: profile) { bench in
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            let transport = try await bench.required(bench.manager.container).session.transport
            for _ in 0..<100 {
                await transport.disconnect()
                await bench.reach(.connecting)
                await bench.reach(.ready)
            }
            let graphs = bench.graphs
            let during = await graphs.alive
            await bench.manager.disconnect()
            return (await graphs.made, await graphs.most, during, await graphs.alive)
        }

        #expect(made == 101)
        #expect(most == 1)
        #expect(during.filter { $0 == "ServiceContainer" }.count == 1)
        #expect(during.count == 9)
        #expect(alive == [])
    }

    @Test(.proves("SVC-057"))
    func `a radio without power says nothing; the heartbeat finds out, and power brings it back`() throws {
        var profile = StackProfile.exact
        profile.connection.heartbeat = .seconds(30)
        let (states, isReady) = try withStack(profile: profile) { bench in
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            try await bench.clock.sleep(for: .seconds(40))
            await bench.withWorld("alice") { $0.powerOff($1) }
            await bench.reach(.connecting)
            let states = bench.states.all.suffix(2)
            try await bench.clock.sleep(for: .seconds(60))
            await bench.withWorld("alice") { $0.powerOn($1) }
            await bench.reach(.ready)
            return (Array(states), await bench.manager.connectionState == .ready)
        }

        #expect(states.map(\.state) == [.ready, .connecting])
        let silence = states[1].at - states[0].at
        #expect(silence >= .seconds(65) && silence < .milliseconds(65_010))
        #expect(isReady)
    }

    @Test(.proves("SVC-060"))
    func `a stack made from the text of an address is resumed by the next one over the same store`() throws {
        let (first, second, text) = try withStack { bench in
            let endpoint = try bench.required(RadioEndpoint("loopback:pair/alice?seed=3"))
            let first = await manager(bench)
            try await first.connect(endpoint: endpoint)
            let id = await first.connectedDevice?.id
            await first.stop()
            let second = await manager(bench)
            try await second.activate()
            await bench.reach(.ready, of: second)
            let same = await second.connectedDevice?.id == id && id != nil
            let text = await second.wantedEndpoint?.description
            await second.stop()
            return (same, await second.lastConnectedDeviceID == id, text)
        }

        #expect(first && second)
        #expect(text == "loopback:pair/alice?seed=3")
    }

    @MainActor
    private func manager(_ bench: StackBench) -> ConnectionManager {
        ConnectionManager(
            store: bench.store, transports: URLTransports(clock: bench.clock), dependencies: bench.dependencies,
            credentials: MemoryCredentialStore(),
            notifications: NotificationService(
                sink: MemoryNotificationSink(), settings: bench.store, clock: bench.clock))
    }

    @Test(.proves("SVC-066"))
    func `an emulated radio's clock is set when it is behind, and kept when it is ahead`() throws {
        for (offset, isSet) in [(-3600, true), (3600, false)] {
            let difference = try withStack { bench in
                let wanted = UInt32(Int64(bench.dependencies.seconds) + Int64(offset))
                await bench.withWorld("alice") { $0.setClock(of: $1, to: wanted) }
                try await bench.manager.connect(endpoint: StackBench.endpoint)
                let session = try await bench.required(bench.manager.container).session
                return Int64(try await session.getTime()) - Int64(bench.dependencies.seconds)
            }

            #expect(isSet ? abs(difference) <= 1 : difference > 3500)
        }
    }

    @Test(.proves("SVC-087", "SVC-R-097"), arguments: everyOrder)
    func `a link lost in the contacts phase ends its activity and leaves the sync idle`(order: VirtualTime.Order) throws
    {
        let (activity, state, last) = try withStack(order: order) { bench in
            let cuts = Notes<Int>()
            bench.links.setTap { code, _ in
                guard code == .getContacts, cuts.all.isEmpty else { return .passes }
                cuts.add(1)
                return .cuts
            }
            let coordinators = Notes<SyncCoordinator>()
            await bench.manager.addReady {
                if let container = $0.container { coordinators.add(container.syncCoordinator) }
            }
            let connecting = Task { try await bench.manager.connect(endpoint: StackBench.endpoint) }
            await bench.wait { !cuts.all.isEmpty }
            try await bench.clock.sleep(for: .milliseconds(100))
            let (first, activity) = (coordinators.all[0], bench.activity.all)
            let state = await first.state
            try await connecting.value
            let last = try await bench.required(bench.manager.container).syncCoordinator
            return (activity, state, await last.state)
        }

        #expect(activity.now == 0 && activity.least == 0 && activity.starts == 1)
        #expect(state == .idle)
        #expect(last == .synced)
    }

    @Test(.proves("SVC-R-098"), arguments: everyOrder)
    func `five reconnects in five seconds leave no activity, and never less than none`(order: VirtualTime.Order) throws
    {
        var profile = StackProfile.exact
        profile.connection.reconnectPause = .milliseconds(100)
        profile.connection.maxReconnectPause = .milliseconds(100)
        profile.connection.circuitBreaker = 100
        let (activity, took, attempts) = try withStack(order: order, profile: profile) { bench in
            // Each connection ends at another place of its sync: in the contacts, the channels, behind the messages.
            let cuts = Notes<CommandCode>()
            let places: [CommandCode] = [.getContacts, .getChannel, .syncNextMessage, .getContacts, .getChannel]
            bench.links.setTap { code, _ in
                guard cuts.all.count < places.count, code == places[cuts.all.count] else { return .passes }
                cuts.add(places[cuts.all.count])
                return cuts.all.count.isMultiple(of: 2) ? .cuts : .cutsBehind
            }
            let start = bench.clock.now
            var profileAttempts = 0
            while cuts.all.count < places.count, profileAttempts < 10 {
                profileAttempts += 1
                try? await bench.manager.connect(endpoint: StackBench.endpoint)
            }
            await bench.reach(.ready)
            let took = start.duration(to: bench.clock.now)
            try await bench.clock.sleep(for: .seconds(30))
            return (bench.activity.all, took, cuts.all.count)
        }

        #expect(attempts == 5)
        #expect(took < .seconds(5))
        #expect(activity.starts >= 5)
        #expect(activity.now == 0 && activity.least == 0)
    }

    @Test(.proves("SVC-086", "SVC-R-086"))
    func `a sync that fails once leaves the link, and its retry two seconds later succeeds`() throws {
        let (states, first, second, listings) = try withStack { bench in
            let listings = Notes<Duration>()
            bench.links.setTap { code, _ in
                guard code == .getContacts else { return .passes }
                listings.add(bench.clock.now.sinceStart)
                return listings.all.count == 1 ? .vanishes : .passes
            }
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            let coordinator = try await bench.required(bench.manager.container).syncCoordinator
            let first = await coordinator.state
            let readyAt = bench.clock.now.sinceStart
            await bench.wait { await coordinator.state == .synced }
            return (
                bench.states.all.map(\.state), first, await coordinator.state, listings.all.map { $0 - readyAt }
            )
        }

        #expect(states == [.connecting, .connected, .ready])
        if case .failed = first {} else { Issue.record("\(first)") }
        #expect(second == .synced)
        // Adverts that are heard meanwhile ask for listings, too; frames take a little of time.
        #expect(listings.contains { (.seconds(2)...(.milliseconds(2001))).contains($0) })
    }

    @Test(.proves("SVC-086"), arguments: everyOrder)
    func `where the profile says so, a link without a synchronisation is closed behind the retries and opened again`(
        order: VirtualTime.Order
    ) throws {
        var profile = StackProfile.exact
        profile.sync.keepsLinkAfterFailure = false
        let (states, givenUp) = try withStack(order: order, profile: profile) { bench in
            let givenUp = Notes<StackError>()
            bench.links.setTap { code, _ in code == .getContacts && givenUp.all.isEmpty ? .vanishes : .passes }
            let manager = bench.manager
            await manager.setReady { [weak manager] in
                manager?.container?.events.note(in: givenUp) {
                    if case .syncGaveUp(let error) = $0 { error } else { nil }
                }
            }
            try await manager.connect(endpoint: StackBench.endpoint)
            return (bench.states.all.map(\.state), givenUp.all)
        }

        #expect(states == [.connecting, .connected, .connecting, .connected, .ready])
        #expect(givenUp.count == 1)
        if case .syncFailed = givenUp.first?.reason {} else { Issue.record("\(givenUp)") }
    }

    @Test func `a program that ends during a sync begins with an incremental one when it starts again`() throws {
        let (lengths, isSynced) = try withStack { bench in
            let bob = try await bench.mesh.app("bob")
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            let device = try await bench.required(bench.manager.connectedDevice).id
            _ = try await bench.meet(bob)
            await bench.manager.stop()
            let lengths = Notes<Int>()
            let killed = await bench.restarted()
            bench.links.setTap { code, frame in
                if code == .getContacts { lengths.add(frame.count) }
                return code == .getChannel ? .cuts : .passes
            }
            try await killed.activate()
            await bench.wait { lengths.all.count == 1 }
            try await bench.clock.sleep(for: .milliseconds(400))
            await killed.stop()
            bench.links.setTap { code, frame in
                if code == .getContacts { lengths.add(frame.count) }
                return .passes
            }
            let next = await bench.restarted()
            try await next.activate()
            await bench.reach(.ready, of: next)
            let state = await next.container?.syncCoordinator.state
            let watermark = try await bench.store.fetchDevice(id: device)?.lastContactSync ?? 0
            await next.stop()
            return (lengths.all, state == .synced && watermark > 0)
        }

        // With the moment from which on it asks; without one the command is a single byte.
        #expect(lengths == [5, 5])
        #expect(isSynced)
    }

    @Test(.proves("SVC-112", "SVC-R-096"), arguments: everyOrder)
    func `what was composed without a link is counted, outlives a restart, and goes out once ready`(
        order: VirtualTime.Order
    ) throws {
        let (counts, early, heard) = try withStack(order: order) { bench in
            let bob = try await bench.mesh.app("bob")
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            let contact = try await bench.meet(bob)
            await bench.manager.stop()
            var counts: [Int] = []
            for text in ["one", "two", "three"] {
                _ = try await bench.outbox.enqueueDirectMessage(text: text, to: contact)
                counts.append(try await bench.outbox.queuedCount(deviceID: contact.deviceID))
            }

            let next = await bench.restarted()
            let early = Notes<DeviceConnectionState>()
            bench.links.setTap { code, _ in
                if code == .sendTxtMsg { early.add(await next.connectionState) }
                return .passes
            }
            let heard = Notes<String>()
            let fetching = MessagePollingService(
                session: bob.session, store: nil, profile: .exact, dependencies: bench.dependencies)
            await fetching.setIntake(
                MessageIntake(contact: { received, _ in heard.add(received.message.text.readable) }))
            await fetching.startAutoFetch(deviceID: contact.deviceID)
            try await next.activate()
            await bench.wait { Set(heard.all).count == 3 }
            await bench.wait { (try? await bench.outbox.queuedCount(deviceID: contact.deviceID)) == 0 }
            counts.append(try await bench.outbox.queuedCount(deviceID: contact.deviceID))
            await fetching.stop()
            await next.stop()
            return (counts, early.all, heard.all)
        }

        #expect(counts == [1, 2, 3, 0])
        #expect(early.count >= 3 && early.allSatisfy { $0 == .ready })
        var firsts: [String] = []
        for text in heard where !firsts.contains(text) { firsts.append(text) }
        #expect(firsts == ["one", "two", "three"])
    }

    @Test(.proves("SVC-109", "SVC-R-094"), arguments: [MessagePolicy.UnfinishedSends.keep, .fail], everyOrder)
    func `the end of a connection ends sends that wait, and the profile says what becomes of them`(
        unfinished: MessagePolicy.UnfinishedSends, order: VirtualTime.Order
    ) throws {
        var profile = StackProfile.exact
        profile.messages.unfinishedSends = unfinished
        let (ended, statuses, waited) = try withStack(order: order, profile: profile) { bench in
            let bob = try await bench.mesh.app("bob")
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            let contact = try await bench.meet(bob)
            await bench.withWorld("bob") { $0.powerOff($1) }
            let service = try await bench.required(bench.manager.container).messageService
            let ended = Notes<Duration>()
            for text in ["one", "two", "three"] {
                Task {
                    _ = try? await service.sendMessageWithRetry(text: text, to: contact)
                    ended.add(bench.clock.now.sinceStart)
                }
            }
            try await bench.clock.sleep(for: .seconds(2))
            let before = ended.all.count
            let start = bench.clock.now.sinceStart
            await bench.manager.disconnect()
            try await bench.clock.sleep(for: .seconds(1))
            let rows = try await bench.store.fetchMessages(deviceID: contact.deviceID, thread: .contact(contact.id))
            return ([before, ended.all.count], rows.map(\.status), ended.all.map { $0 - start })
        }

        #expect(ended == [0, 3])
        #expect(waited.allSatisfy { $0 <= .seconds(1) })
        #expect(statuses.count == 3)
        switch unfinished {
        case .fail: #expect(statuses.allSatisfy { $0 == .failed })
        case .keep: #expect(statuses.allSatisfy { $0 == .sent || $0 == .pending })
        }
    }
}

extension ConnectionManager {
    /// Adds to what is called when the services stand.
    func addReady(_ handler: @escaping @MainActor (ConnectionManager) -> Void) {
        let first = onConnectionReady
        onConnectionReady = { [weak self] in
            await first?()
            if let self { handler(self) }
        }
    }
}

/// Links by the text of their address.
private struct URLTransports: TransportMaking {
    let clock: any Clock<Duration>

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        try await RadioAddress("\(endpoint)").transport(clock: clock)
    }
}
