import Foundation
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import Observation
import PocketMeshServices
import StackTestSupport
import Testing

/// The order of a synchronisation, its states, and how it ends.
@Suite struct SyncOrderTests {
    private static let orders: [VirtualTime.Order] = [.arrival, .drawn(Seed(1)), .drawn(Seed(2)), .drawn(Seed(3))]

    private func run<R: Sendable>(
        _ profile: StackProfile = .architectureV2, order: VirtualTime.Order = .arrival,
        _ body: @escaping @Sendable (CoordinatorBench) async throws -> R
    ) throws -> R {
        try withScriptedRadio(order: order) { bench, _ in
            try await body(await CoordinatorBench(bench, profile: profile))
        }
    }

    // MARK: Order

    @Test(.proves("SVC-071"), arguments: orders)
    func `handlers, events, contacts, channels, messages, discovery, in this order`(order: VirtualTime.Order) throws {
        try run(order: order) { sync in
            try await sync.connect()

            #expect(
                sync.trace.all == [
                    "intake", "monitoring", "activity begins", "contacts", "channels", "activity ends", "burst begins",
                    "messages", "handlers",
                    "burst ends", "discovery taker", "fetch",
                ])
        }
    }

    @Test(.proves("SVC-073"))
    func `the state tells the phase and its progress, and then that all is synchronised`() throws {
        try run { sync in
            let states = Notes<SyncState>()
            let status = sync.coordinator.status
            for step in ["contacts", "channels", "messages"] {
                sync.connection.on(step) { states.add(await status.state) }
            }
            states.add(await status.state)
            try await sync.sync()
            states.add(await status.state)

            #expect(
                states.all == [
                    .idle, .syncing(progress: SyncProgress(phase: .contacts, current: 1, total: 3)),
                    .syncing(progress: SyncProgress(phase: .channels, current: 2, total: 40)),
                    .syncing(progress: SyncProgress(phase: .messages, current: 1, total: 0)), .synced,
                ])
        }
    }

    @Test(.proves("SVC-073", "SVC-085"))
    func `a phase that fails is named, the link stays, and a retry by hand can succeed`() throws {
        try run { sync in
            for phase in ["contacts", "channels", "messages"] {
                sync.connection.on(phase) { throw Trouble() }
                await #expect(throws: StackError(.sync, .syncFailed("\(phase): trouble"))) { try await sync.sync() }
                #expect(await sync.coordinator.state == .failed(StackError(.sync, .syncFailed("\(phase): trouble"))))
                #expect(await sync.coordinator.lastSyncDate == nil)
                sync.connection.on(phase, nil)
            }
            try await sync.sync()

            #expect(await sync.coordinator.state == .synced)
            #expect(await sync.bench.session.transport.isConnected)
        }
    }

    // MARK: Success

    @Test(.proves("SVC-084")) func `a success is dated, and both lists are told once`() throws {
        try run { sync in
            let told = Notes<String>()
            sync.coordinator.events.note(in: told) {
                switch $0 {
                case .contactListChanged: "contacts"
                case .conversationListChanged: "conversations"
                default: nil
                }
            }
            // What comes while messages are drained is told with the rest.
            sync.connection.on("messages") {
                for _ in 0..<5 { await sync.coordinator.notifyConversationsChanged() }
                try await sync.bench.clock.sleep(for: .seconds(3))
            }
            try await sync.sync()

            #expect(told.all == ["contacts", "conversations"])
            #expect(await sync.coordinator.contactsVersion == 1)
            #expect(await sync.coordinator.conversationsVersion == 1)
            #expect(await sync.coordinator.lastSyncDate == ServiceBench.startDate + 3)
        }
    }

    @Test func `what came before a failure is told all the same`() throws {
        try run { sync in
            sync.connection.on("messages") {
                await sync.coordinator.notifyConversationsChanged()
                throw Trouble()
            }
            try? await sync.sync()

            #expect(await sync.coordinator.conversationsVersion == 1)
            #expect(await sync.coordinator.contactsVersion == 0)
        }
    }

    @Test(.proves("SVC-172")) func `each change raises its version, and whoever observes it runs`() throws {
        try run { sync in
            let seen = Notes<String>()
            await Self.observe(sync.coordinator.status, seen)
            await sync.coordinator.notifyContactsChanged()
            await sync.coordinator.notifyConversationsChanged()
            await sync.coordinator.notifyContactsChanged()
            try await sync.bench.clock.sleep(for: .seconds(1))

            #expect(await sync.coordinator.contactsVersion == 2)
            #expect(await sync.coordinator.conversationsVersion == 1)
            #expect(seen.all == ["0 0", "1 0", "1 1", "2 1"])
        }
    }

    /// Notes both versions now and at each change.
    @MainActor
    private static func observe(_ status: SyncStatus, _ seen: Notes<String>) {
        withObservationTracking {
            seen.add("\(status.contactsVersion) \(status.conversationsVersion)")
        } onChange: {
            Task { @MainActor in observe(status, seen) }
        }
    }

    // MARK: One at a time

    @Test(.proves("SVC-079", "SVC-R-099"), arguments: orders)
    func `of two synchronisations in one instant one runs and one is refused`(order: VirtualTime.Order) throws {
        try run(order: order) { sync in
            sync.hold("contacts", for: .seconds(2))
            let outcomes = await withTaskGroup(of: String.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do { try await sync.sync() } catch { return "\(error)" }
                        return "done"
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }

            #expect(outcomes.sorted() == ["a synchronisation runs already", "done"])
            #expect(sync.trace.all.count { $0 == "contacts" } == 1)
            #expect(await sync.coordinator.state == .synced)
            #expect(sync.activity.all == ["+", "-"])
        }
    }

    @Test func `without a connection there is nothing to synchronise`() throws {
        try run { sync in
            _ = await #expect(throws: StackError(.sync, .notConnected)) { try await sync.coordinator.performResync() }
        }
    }
}
