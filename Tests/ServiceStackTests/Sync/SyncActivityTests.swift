import Foundation
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Testing

/// The state that a page shows during a synchronisation, however it ends.
@Suite struct SyncActivityTests {
    private static let orders: [VirtualTime.Order] = [.arrival, .drawn(Seed(1)), .drawn(Seed(2)), .drawn(Seed(3))]

    private func run<R: Sendable>(
        _ profile: StackProfile = .architectureV2, order: VirtualTime.Order = .arrival,
        _ body: @escaping @Sendable (CoordinatorBench) async throws -> R
    ) throws -> R {
        try withScriptedRadio(order: order) { bench, _ in
            try await body(await CoordinatorBench(bench, profile: profile))
        }
    }

    // MARK: Ends

    @Test(.proves("SVC-074"), arguments: ["contacts", "channels", "messages"], orders)
    func `an error ends the activity once, and not in the messages`(phase: String, order: VirtualTime.Order) throws {
        try run(order: order) { sync in
            sync.connection.on(phase) {
                #expect(sync.activity.all == (phase == "messages" ? ["+", "-"] : ["+"]))
                throw Trouble()
            }
            try? await sync.sync()

            #expect(sync.activity.all == ["+", "-"])
        }
    }

    @Test(.proves("SVC-074"), arguments: ["contacts", "channels", "messages"], orders)
    func `a cancelled synchronisation ends its activity once, and leads to idle`(
        phase: String, order: VirtualTime.Order
    ) throws {
        try run(order: order) { sync in
            sync.hold(phase)
            let running = Task { try await sync.sync() }
            try await sync.bench.clock.sleep(for: .seconds(1))
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }

            #expect(sync.activity.all == ["+", "-"])
            #expect(await sync.coordinator.state == .idle)
            #expect(sync.bench.clock.now.sinceStart == .seconds(1))
        }
    }

    @Test(.proves("SVC-074", "SVC-087", "SVC-R-097"), arguments: ["contacts", "channels", "messages"], orders)
    func `the loss of the link ends activity and burst, and leads to idle`(phase: String, order: VirtualTime.Order)
        throws
    {
        try run(order: order) { sync in
            sync.hold(phase)
            let connecting = Task { try await sync.connect() }
            try await sync.bench.clock.sleep(for: .seconds(1))
            await sync.coordinator.onDisconnected()
            #expect(await sync.coordinator.state == .idle)
            #expect(sync.activity.all == ["+", "-"])
            await #expect(throws: CancellationError.self) { try await connecting.value }
            try await sync.bench.clock.sleep(for: .seconds(100))

            #expect(await sync.coordinator.state == .idle)
            #expect(sync.activity.all == ["+", "-"])
            #expect(sync.trace.all.count { $0 == "burst begins" } == sync.trace.all.count { $0 == "burst ends" })
            #expect(!sync.trace.all.contains("discovery taker"))
        }
    }

    @Test(.proves("SVC-074", "SVC-R-098"), arguments: orders)
    func `five reconnections in five seconds leave no activity, and it was never negative`(order: VirtualTime.Order)
        throws
    {
        try run(order: order) { sync in
            sync.hold("contacts", for: .milliseconds(700))
            sync.hold("channels", for: .milliseconds(700))
            for _ in 0..<5 {
                let connecting = Task { try await sync.connect() }
                try await sync.bench.clock.sleep(for: .milliseconds(900))
                await sync.coordinator.onDisconnected()
                _ = await connecting.result
                try await sync.bench.clock.sleep(for: .milliseconds(100))
            }
            try await sync.connect()

            var count = 0
            var counts: [Int] = []
            for sign in sync.activity.all {
                count += sign == "+" ? 1 : -1
                counts.append(count)
            }
            #expect(counts == [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
            #expect(await sync.coordinator.state == .synced)
        }
    }

    // MARK: Callbacks

    @Test(.proves("SVC-074"), arguments: orders)
    func `callbacks are called in the order of what happens, and none that was replaced`(order: VirtualTime.Order)
        throws
    {
        try run(order: order) { sync in
            let told = Notes<String>()
            let coordinator = sync.coordinator
            await coordinator.setSyncActivityCallbacks(onStarted: { told.add("old") }, onEnded: { told.add("old") })
            await coordinator.setSyncActivityCallbacks(
                onStarted: {
                    // Who is told may take its time; the end comes behind it.
                    try? await sync.bench.clock.sleep(for: .seconds(1))
                    told.add("begins")
                }, onEnded: { told.add("ends") })
            await coordinator.setDataChangeCallbacks(
                onContactsChanged: nil, onConversationsChanged: { told.add("conversations") })
            try await sync.sync()
            #expect(sync.bench.clock.now.sinceStart == .zero)
            try await sync.bench.clock.sleep(for: .seconds(2))
            #expect(told.takeAll() == ["conversations", "begins", "ends"])

            await coordinator.setSyncActivityCallbacks(onStarted: nil, onEnded: nil)
            await coordinator.setDataChangeCallbacks(
                onContactsChanged: { told.add("contacts") }, onConversationsChanged: nil)
            try await sync.sync()
            try await sync.bench.clock.sleep(for: .seconds(2))
            #expect(told.takeAll() == ["contacts"])

            await coordinator.stop()
            await coordinator.notifyContactsChanged()
            try await sync.bench.clock.sleep(for: .seconds(2))
            #expect(told.all == [])
        }
    }

    // MARK: Retries

    @Test(.proves("SVC-086"))
    func `a first synchronisation that failed is tried three times more, each two seconds later`() throws {
        try run { sync in
            let times = Notes<Duration>()
            let givenUp = Notes<StackError>()
            sync.coordinator.events.note(in: givenUp) { if case .syncGaveUp(let error) = $0 { error } else { nil } }
            sync.connection.on("contacts") {
                times.add(sync.bench.clock.now.sinceStart)
                throw Trouble()
            }
            await #expect(throws: StackError(.sync, .syncFailed("contacts: trouble"))) { try await sync.connect() }
            // The connection is used all the same.
            #expect(sync.trace.all.suffix(2) == ["discovery taker", "fetch"])
            try await sync.bench.clock.sleep(for: .seconds(100))

            #expect(times.all == [.zero, .seconds(2), .seconds(4), .seconds(6)])
            #expect(givenUp.all == [StackError(.sync, .syncFailed("contacts: trouble"))])
            #expect(await sync.coordinator.state == .failed(StackError(.sync, .syncFailed("contacts: trouble"))))
            #expect(sync.activity.all == ["+", "-", "+", "-", "+", "-", "+", "-"])
        }
    }

    @Test(.proves("SVC-R-086")) func `one failure on a good link is followed by a retry that succeeds`() throws {
        try run { sync in
            sync.connection.on("channels") { throw Trouble() }
            try? await sync.connect()
            sync.connection.on("channels", nil)
            try await sync.bench.clock.sleep(for: .seconds(100))

            #expect(await sync.coordinator.state == .synced)
            #expect(await sync.coordinator.lastSyncDate == ServiceBench.startDate + 2)
            #expect(sync.trace.all.count { $0 == "contacts" } == 2)
        }
    }

    @Test func `a synchronisation by hand makes the retries needless`() throws {
        try run { sync in
            sync.connection.on("channels") { throw Trouble() }
            try? await sync.connect()
            sync.connection.on("channels", nil)
            try await sync.coordinator.performResync()
            try await sync.bench.clock.sleep(for: .seconds(100))

            #expect(sync.trace.all.count { $0 == "contacts" } == 2)
        }
    }

    @Test(.proves("SVC-086"))
    func `where the link is not kept all retries come before the connection is in use`() throws {
        try run(.sync { $0.keepsLinkAfterFailure = false }) { sync in
            let givenUp = Notes<StackError>()
            sync.coordinator.events.note(in: givenUp) { if case .syncGaveUp(let error) = $0 { error } else { nil } }
            sync.connection.on("contacts") { throw Trouble() }
            await #expect(throws: StackError(.sync, .syncFailed("contacts: trouble"))) { try await sync.connect() }

            #expect(givenUp.all == [StackError(.sync, .syncFailed("contacts: trouble"))])
            #expect(sync.bench.clock.now.sinceStart == .seconds(6))
            #expect(sync.trace.all.count { $0 == "contacts" } == 4)
        }
    }

    @Test(.proves("SVC-087")) func `no retry follows the loss of the link`() throws {
        try run { sync in
            sync.connection.on("contacts") { throw Trouble() }
            try? await sync.connect()
            await sync.coordinator.onDisconnected()
            try await sync.bench.clock.sleep(for: .seconds(100))

            #expect(sync.trace.all.count { $0 == "contacts" } == 1)
            #expect(await sync.coordinator.state == .idle)
        }
    }

    // MARK: Requests for contacts

    @Test func `requests for contacts are served one at a time, those meanwhile by one more, never beside a sync`()
        throws
    {
        try run { sync in
            try await sync.connect()
            sync.hold("contacts", for: .seconds(5))
            for _ in 0..<4 { await sync.connection.requestContacts(sync.deviceID) }
            try await sync.bench.clock.sleep(for: .seconds(11))
            #expect(sync.trace.all.count { $0 == "contacts" } == 3)
            #expect(await sync.coordinator.contactsVersion == 3)
            sync.hold("messages", for: .seconds(5))
            let resync = Task { try await sync.coordinator.performResync() }
            try await sync.bench.clock.sleep(for: .seconds(6))
            await sync.connection.requestContacts(sync.deviceID)
            try await sync.bench.clock.sleep(for: .seconds(1))
            #expect(sync.trace.all.count { $0 == "contacts" } == 4)
            try await resync.value
            try await sync.bench.clock.sleep(for: .seconds(6))

            #expect(sync.trace.all.count { $0 == "contacts" } == 5)
        }
    }

    @Test func `a request for contacts that fails is logged and nothing more`() throws {
        try run { sync in
            try await sync.connect()
            sync.connection.on("contacts") { throw Trouble() }
            await sync.connection.requestContacts(sync.deviceID)
            try await sync.bench.clock.sleep(for: .seconds(1))

            #expect(await sync.coordinator.state == .synced)
            #expect(await sync.coordinator.contactsVersion == 1)
        }
    }
}
