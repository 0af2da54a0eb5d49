import FoundationEssentials
import MeshCore
import MeshEmulator
import MeshFiles
import MeshSimulator
import MeshTime
import MeshTransports
import PocketMeshServices

/// The speed at which an app stores a radio's messages, beside the time that SQLite alone needs for the same rows.
struct SyncBenchmark: Sendable {
    /// The link between app and radio.
    enum Link: String, Hashable, Sendable, Codable, CaseIterable {
        /// Both in this process, without a socket.
        case loopback
        /// A TCP connection of this machine.
        case tcp
    }

    var load = SyncLoad()
    var seed = Seed(42)
    /// Files of the run go into a folder of their own here, and away with its end.
    var folder: String = FileManager.default.temporaryDirectory.path
    /// The command line of another client that empties the same radio over TCP; host and port follow. It prints
    /// `{"messages": N, "seconds": S}`.
    var client: [String] = []

    /// The result of a sync.
    struct Row: Hashable, Sendable, Codable {
        let link: String
        let messages: Int
        let seconds: Double
        /// CPU time of the process, the emulated radio included.
        let cpuSeconds: Double
        /// Resident memory before the drain, and its most meanwhile, in megabytes.
        let memoryBefore: Double
        let memoryPeak: Double
        /// The time that SQLite alone needed for the rows, one transaction each, and a thousand in each.
        let rawSeconds: Double
        let rawBatchSeconds: Double
        /// CPU time of SQLite alone, one transaction each.
        let rawCPUSeconds: Double
        /// Messages per second that the session alone fetches from the radio, without storing them.
        let sessionRate: Double
        /// Messages per second of the other client, which does not store them either.
        let clientRate: Double?

        var rate: Double { Double(messages) / seconds }
        var rawRate: Double { Double(messages) / rawSeconds }
        var rawBatchRate: Double { Double(messages) / rawBatchSeconds }
        /// The rate, of that of raw inserts with the same durability.
        var ofRaw: Double { rawSeconds / seconds }
        var cpuMicroseconds: Double { cpuSeconds / Double(messages) * 1e6 }
        var rawCPUMicroseconds: Double { rawCPUSeconds / Double(messages) * 1e6 }
    }

    /// Syncs over a link, then inserts the same rows without a stack.
    func run(_ link: Link) async throws -> Row {
        let scratch = folder + "/meshbed-sync-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let store = try PersistenceStore(path: scratch + "/store.sqlite")
        let drain = try await withTransport(link) { try await self.drain($0, on: $1, into: store) }
        try await store.close()
        try await PersistenceStore(path: scratch + "/raw.sqlite").close()
        let raw = try RawInserts(from: scratch + "/store.sqlite", into: scratch + "/raw.sqlite")
        let single = try raw.cost(perTransaction: 1)
        let batch = try raw.cost(perTransaction: 1000)
        guard single.rows == load.messages else {
            throw SyncFailure(expected: load.messages, stored: single.rows)
        }
        return Row(
            link: link.rawValue, messages: single.rows, seconds: drain.seconds, cpuSeconds: drain.cpuSeconds,
            memoryBefore: drain.memoryBefore, memoryPeak: drain.memoryPeak, rawSeconds: single.seconds,
            rawBatchSeconds: batch.seconds, rawCPUSeconds: single.cpuSeconds,
            sessionRate: try await rateOfSession(link),
            clientRate: link == .tcp && !client.isEmpty ? try await rateOfClient() : nil)
    }

    /// A drain whose messages are looked at by nobody.
    private func rateOfSession(_ link: Link) async throws -> Double {
        try await withTransport(link) { transport, executor in
            let session = MeshCoreSession(transport: transport, clock: ContinuousClock(), executor: executor)
            try await session.start()
            let start = ContinuousClock.now
            let count = try await withTaskExecutorPreference(executor) {
                var count = 0
                while try await session.getMessage() != .noMoreMessages { count += 1 }
                return count
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            await session.stop()
            return Double(count) / seconds
        }
    }

    private struct Drain {
        var seconds = 0.0
        var cpuSeconds = 0.0
        var memoryBefore = 0.0
        var memoryPeak = 0.0
    }

    private func drain(
        _ transport: any MeshTransport, on executor: StackExecutor, into store: PersistenceStore
    ) async throws -> Drain {
        var profile = StackProfile.architectureV2
        // The queue is deeper than that of any radio.
        profile.sync.drainLimit = max(profile.sync.drainLimit, load.messages + 1)
        let client = try await SyncClient(
            transport: transport, store: store, profile: profile, dependencies: .real(executor: executor))
        var drain = Drain()
        drain.memoryBefore = ProcessUsage.resetPeak()
        let cpu = ProcessUsage.cpuSeconds
        let start = ContinuousClock.now
        try await client.sync()
        drain.seconds = (ContinuousClock.now - start) / .seconds(1)
        drain.cpuSeconds = ProcessUsage.cpuSeconds - cpu
        drain.memoryPeak = ProcessUsage.peakMegabytes
        await client.end()
        return drain
    }

    /// Runs with a link to the radio, and the thread that it shares with what stands on it.
    private func withTransport<R>(
        _ link: Link, _ body: (any MeshTransport, StackExecutor) async throws -> R
    ) async throws -> R {
        let executor = StackExecutor()
        switch link {
        case .loopback:
            let world = LoopbackWorld(
                World(load.world(seed: seed), seed: seed, checks: false), clock: ContinuousClock())
            let result = try await body(try await world.transport(to: SyncLoad.label), executor)
            await world.end()
            return result
        case .tcp:
            return try await withPort { try await body(StreamTransport(host: $0, port: $1, on: executor), executor) }
        }
    }

    /// Runs with the port of the radio.
    private func withPort<R>(_ body: (String, UInt16) async throws -> R) async throws -> R {
        let endpoint = NodeEndpoint(label: SyncLoad.label, endpoint: .freePort)
        let emulator = try await Emulator.start(
            .init(world: load.world(seed: seed), seed: seed, endpoints: [endpoint]))
        guard case .tcp(let host, let port)? = emulator.endpoints.first?.endpoint else {
            throw MeshTransportError.deviceNotFound(SyncLoad.label)
        }
        let result = try await body(host, port)
        await emulator.stop()
        return result
    }

    // MARK: The other client

    private struct ClientReport: Decodable {
        var messages: Int
        var seconds: Double
    }

    private func rateOfClient() async throws -> Double {
        var small = self
        // It is slow; a rate needs no more.
        small.load.messages = min(load.messages, 10_000)
        let expected = small.load.messages
        return try await small.withPort { host, port in
            let app = try AppProcess(client + [host, "\(port)"])
            let isContent = try await app.end(within: .seconds(300))
            guard isContent, let line = app.lines.last,
                let report = try? ClientReport(json: [UInt8](line.utf8)),
                report.messages == expected
            else { throw SyncFailure(expected: expected, stored: 0) }
            return Double(report.messages) / report.seconds
        }
    }
}

/// A sync that did not bring every message into the store once.
struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
    let expected: Int
    let stored: Int

    var description: String { "of \(expected) messages \(stored) were stored" }
}
