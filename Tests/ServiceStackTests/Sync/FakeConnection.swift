import Foundation
import MeshCore
import PocketMeshServices
import StackTestSupport
import Synchronization

/// Services of a connection that only record the calls, and do the test's steps.
final class FakeConnection: SyncServices, ContactSynchronizing, ChannelSynchronizing, MessagePolling, DiscoverySource {
    typealias Step = @Sendable () async throws -> Void

    let trace = Notes<String>()
    private let steps = Mutex<[String: Step]>([:])
    private let requests = Mutex<(@Sendable (UUID) async -> Void)?>(nil)

    var contactSync: any ContactSynchronizing { self }
    var channelSync: any ChannelSynchronizing { self }
    var polling: any MessagePolling { self }
    var discovery: (any DiscoverySource)? { self }
    var takers: IncomingTakers { IncomingTakers() }

    /// Sets the action of a step: `contacts`, `channels`, `messages`, `handlers`, `monitoring` or `fetch`.
    func on(_ name: String, _ step: Step?) {
        steps.withLock { $0[name] = step }
    }

    private func note(_ name: String) async throws {
        trace.add(name)
        try await steps.withLock { $0[name] }?()
    }

    // MARK: Connection

    func startEventMonitoring(deviceID: UUID, enableAutoFetch: Bool) async {
        try? await note(enableAutoFetch ? "monitoring with fetch" : "monitoring")
    }

    func synchronizeContacts(
        deviceID: UUID, progress: @escaping SyncProgressHandler
    ) async throws -> ContactSyncResult {
        await progress(1, 3)
        try await note("contacts")
        return ContactSyncResult(contactsReceived: 3, lastSyncTimestamp: 0, isIncremental: false)
    }

    func synchronizeChannels(deviceID: UUID, progress: @escaping SyncProgressHandler) async throws -> [String] {
        await progress(2, 40)
        try await note("channels")
        return []
    }

    // MARK: Polling

    func setIntake(_ intake: MessageIntake?) async { trace.add("intake") }

    func pollAllMessages(progress: @escaping PollProgressHandler) async throws -> Int {
        await progress(1)
        try await note("messages")
        return 1
    }

    func waitForPendingHandlers(timeout: Duration) async -> Bool {
        try? await note("handlers")
        return true
    }

    func startAutoFetch(deviceID: UUID) async { try? await note("fetch") }
    func stopAutoFetch() async { trace.add("fetch stopped") }

    // MARK: Discovery

    func setDiscoveryTaker(_ taker: DiscoveryTaker?) async {
        trace.add("discovery taker")
        requests.withLock { $0 = taker?.contactSync }
    }

    func setSyncRunning(_ isRunning: Bool) async {}

    /// The radio has heard of a node that it may have added.
    func requestContacts(_ deviceID: UUID) async { await requests.withLock { $0 }?(deviceID) }
}

/// A coordinator over services that are the test's.
struct CoordinatorBench: Sendable {
    let bench: ServiceBench
    let coordinator: SyncCoordinator
    let connection = FakeConnection()
    /// "+" for each start of an activity, "-" for each end.
    let activity = Notes<String>()
    var trace: Notes<String> { connection.trace }
    var deviceID: UUID { bench.device.id }

    init(_ bench: ServiceBench, profile: StackProfile = .architectureV2) async {
        self.bench = bench
        let trace = connection.trace
        coordinator = SyncCoordinator(
            session: bench.session, store: bench.store, profile: profile, dependencies: bench.dependencies,
            notifier: TracingNotifier(trace))
        coordinator.events.note(in: activity) { event in
            guard case .syncActivityChanged(let isShown) = event else { return nil }
            trace.add(isShown ? "activity begins" : "activity ends")
            return isShown ? "+" : "-"
        }
    }

    func connect() async throws {
        try await coordinator.onConnectionEstablished(deviceID: deviceID, services: connection)
    }

    func sync() async throws {
        try await coordinator.performFullSync(
            deviceID: deviceID, contactService: connection, channelService: connection,
            messagePollingService: connection)
    }

    /// Has a step last until the test ends it or its task is cancelled.
    func hold(_ step: String, for duration: Duration = .seconds(1000)) {
        connection.on(step) { try await bench.clock.sleep(for: duration) }
    }
}

/// The error with which a phase fails.
struct Trouble: Error, CustomStringConvertible {
    var description: String { "trouble" }
}
