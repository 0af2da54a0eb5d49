import FoundationEssentials
import MeshCompanion
import MeshCompliance
import MeshCore
import MeshCrypto
import MeshEmulator
import MeshFirmware
import MeshScenarios
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import Synchronization

/// The parts of one run: world, link and app.
struct LeaveDesk: Sendable {
    let run: LeaveRun
    let app: StackApp
    let link: LeavingLink
    let elapsed: @Sendable () -> Duration
    private let pair: LeavePair?
    private let clock: VirtualClock
    private let world: LoopbackWorld
    private let node: NodeID
    /// The contacts of the radio before anything happened.
    private let senders: [PublicKey]
    /// Messages that were in the memory of a radio when it restarted.
    private let erased: Erased

    /// A count that an event writes and the checks read.
    private final class Erased: Sendable {
        let count = Mutex(0)
    }

    /// Builds everything. The app is not open yet.
    init(_ run: LeaveRun, _ pair: LeavePair?, clock: VirtualClock) async throws {
        var description = run.description(for: pair)
        let bluetooth = run.over.prepare(&description, seed: run.seed)
        let world = LoopbackWorld(
            World(description, seed: run.seed, checks: false), clock: clock, bluetooth: bluetooth)
        let cut = CuttableLink(try await world.transport(to: SyncLoad.label))
        guard let node = await world.withWorld({ $0.node(labelled: SyncLoad.label) }) else {
            throw MeshTransportError.deviceNotFound(SyncLoad.label)
        }
        senders = await world.withWorld { $0.companion(node)?.contacts.listed.map(\.publicKey) ?? [] }
        let expected = try await Self.visit(cut, run, pair, clock)
        let erased = Erased()
        var effects = LeavingLink.Effects(elapsed: clock.stopwatch())
        effects.sendHalf = { frame in
            let bytes = StreamFraming.encode(toRadio: frame)
            await world.withWorld { $0.inject(.appBytes([UInt8](bytes.prefix(bytes.count / 2))), into: node) }
        }
        effects.happen = { [pair] in
            guard let occasion = pair?.occasion else { return }
            let lost = await world.withWorld { run.happen(occasion, in: &$0, to: node, acknowledging: expected) }
            erased.count.withLock { $0 += lost }
        }
        link = LeavingLink(cut, pair, clock: clock, effects: effects)
        let dependencies = ServiceDependencies(
            clock: clock, startDate: Date(timeIntervalSince1970: Double(SyncLoad.firstTimestamp)),
            seed: run.seed.part("stack"))
        app = try await StackApp(
            SyncLoad.label, choices: StackChoices(), link: link, dependencies: dependencies, defect: run.defect,
            isPaired: run.over.platform != nil)
        elapsed = effects.elapsed
        (self.run, self.pair, self.clock, self.world, self.node, self.erased) = (run, pair, clock, world, node, erased)
    }

    /// Prepares the radio as another app has left it; the checksum of a text that is still to be acknowledged.
    private static func visit(
        _ link: CuttableLink, _ run: LeaveRun, _ pair: LeavePair?, _ clock: VirtualClock
    ) async throws -> UInt32? {
        switch pair?.occasion {
        case .acknowledgement:
            return try await MeshCoreSession.visit(link, clock: clock) { session in
                try await session.sendMessage(
                    to: .bytes(LeaveRun.friend.key), text: "still there?", timestamp: SyncLoad.firstTimestamp
                ).tag
            }
        case .removal:
            try await MeshCoreSession.visit(link, clock: clock) { try await $0.setAutoAddConfig(1) }
            return nil
        case .message, .advert, .reboot, nil: return nil
        }
    }

    /// Ends the app, and opens it again over the same store.
    func openAgain() async throws {
        await app.close()
        try await app.open()
    }

    func close() async {
        await app.close()
        await world.end()
    }

    // MARK: Waiting

    /// Waits until the place is reached; whether it was.
    func reachesPlace(within limit: Duration) async throws -> Bool {
        let end = elapsed() + limit
        while await !link.hasHappened {
            guard elapsed() < end else { return false }
            try await clock.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// The app has given up, and waits for its user.
    @MainActor var hasGivenUp: Bool { app.manager.connectionState == .disconnected }

    /// Waits until the app is connected and synchronised, and the radio has nothing left to hand out.
    func becomesWhole(within limit: Duration, look: Duration) async throws -> Bool {
        let end = elapsed() + limit
        while elapsed() < end {
            if await isSynchronised, await queue() == 0 { return true }
            try await clock.sleep(for: look)
        }
        return false
    }

    @MainActor private var isSynchronised: Bool {
        app.manager.connectionState == .ready && app.manager.container?.syncCoordinator.status.state == .synced
    }

    /// Messages in the queue of the radio.
    private func queue() async -> Int {
        await world.withWorld { [node] in $0.companion(node)?.offlineQueue.count ?? 0 }
    }

    /// The state of app and radio, for a fault.
    func situation() async -> String {
        let state = await MainActor.run {
            let manager = app.manager
            let sync = manager.container.map { "\($0.syncCoordinator.status.state)" } ?? "no services"
            return "\(manager.connectionState.rawValue), \(sync), \(manager.lastError.map { "\($0)" } ?? "no error")"
        }
        return state + ", \(await queue()) messages on the radio"
    }

    /// A request that is not answered any more; `nil` when the radio answers.
    func stuckRequest() async -> String? {
        do {
            _ = try await app.session().getBattery()
            return nil
        } catch {
            return "a request after the return fails: \(error)"
        }
    }

    // MARK: Checking

    /// Messages that no app can have: the radio forgets what it sends, and at a restart what it keeps in memory.
    var forgotten: Int { get async { await link.owedMessages + erased.count.withLock { $0 } } }

    /// The differences between store and radio, looked for until there are none, or so often.
    func settledFaults(looks: Int) async throws -> [String] {
        var faults: [String] = []
        for _ in 0..<looks {
            faults = try await self.faults()
            if faults.isEmpty { return [] }
            try await clock.sleep(for: .seconds(1))
        }
        return faults
    }

    private func faults() async throws -> [String] {
        let radio = await world.withWorld { [node] in $0.companion(node).map(LeaveState.init) }
        guard let radio else { return ["the radio is gone"] }
        let stored = try await LeaveState(app, senders: senders)
        var faults = radio.differences(to: stored)
        // Messages of the load have the first numbers, that of the event the next one.
        let count = run.load.messages + (pair?.occasion == .message ? 1 : 0)
        faults += stored.faults(ofMessages: count, forgotten: await forgotten)
        if radio.queue > 0 { faults.append("\(radio.queue) messages are left on the radio") }
        return faults
    }
}
