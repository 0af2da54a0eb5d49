import FoundationEssentials
import MeshCapture
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshStudy
import MeshTime
import MeshTransports
import MeshWire
import PocketMeshServices
import Synchronization

/// The cost of synchronising contacts: a whole table, a known table, and one that has changed in part.
///
/// The app has the whole service stack and a store in a file; its radio is in the same process. Everything runs twice:
/// once against the clock, and once with its frames and statements counted, which would cost time.
struct ContactBenchmark: Sendable {
    /// In the radio's table. Above 350 the table is larger than that of any board, and DEVICE_INFO says less: it has
    /// one byte for the limit. The listing says how many there are.
    var contacts = 350
    var seed = Seed(42)
    /// Files of the run go into a folder of their own here, and away with its end.
    var folder: String = FileManager.default.temporaryDirectory.path

    /// The kinds of listings.
    enum Listing: String, Hashable, Sendable, CaseIterable {
        /// All contacts, into an empty store.
        case full
        /// A listing of changes since then, without any.
        case unchanged
        /// A listing of changes since then: every tenth contact, and at least one, got another name.
        case changed
    }

    /// The result of one synchronisation.
    struct Row: Hashable, Sendable {
        let listing: Listing
        let contacts: Int
        let seconds: Double
        /// CPU time of the process, the emulated radio included.
        let cpuSeconds: Double
        let count: Count
    }

    /// The counts that are the same in each run.
    struct Count: Hashable, Sendable {
        /// Contacts that the radio sent.
        var received = 0
        /// Between app and radio, both ways.
        var frames = 0
        /// Of SQL, those that begin and end transactions included.
        var statements = 0
        /// Contacts in the store afterwards.
        var rows = 0
    }

    /// One row for each listing, in their order.
    func run() async throws -> [Row] {
        let measured = try await pass(isCounted: false)
        let counted = try await pass(isCounted: true)
        return zip(measured, counted).map { measured, counted in
            Row(
                listing: measured.listing, contacts: contacts, seconds: measured.seconds,
                cpuSeconds: measured.cpuSeconds, count: counted.count)
        }
    }

    /// Frames and statements as they pass.
    private typealias Tally = Mutex<Count>

    private func pass(isCounted: Bool) async throws -> [Row] {
        let scratch = folder + "/meshbed-contacts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        var load = SyncLoad()
        (load.messages, load.contacts, load.channels) = (0, contacts, 1)
        let executor = StackExecutor()
        let world = LoopbackWorld(World(load.world(seed: seed), seed: seed, checks: false), clock: ContinuousClock())
        var transport: any MeshTransport = try await world.transport(to: SyncLoad.label)
        let tally = Tally(Count())
        let store = try PersistenceStore(path: scratch + "/store.sqlite")
        if isCounted {
            transport = RecordingTransport(transport, clock: ContinuousClock(), waiting: contacts + 16) { entry in
                if case .frame = entry.event { tally.withLock { $0.frames += 1 } }
            }
            try store.traceStatements { _ in tally.withLock { $0.statements += 1 } }
        }
        let client = try await SyncClient(
            transport: transport, store: store, dependencies: .real(executor: executor))
        let rows = try await listings(client, store, tally)
        await client.end()
        await world.end()
        try await store.close()
        return rows
    }

    private func listings(
        _ client: SyncClient, _ store: PersistenceStore, _ tally: borrowing Tally
    ) async throws -> [Row] {
        var rows: [Row] = []
        var watermark: UInt32?
        for listing in Listing.allCases {
            if listing == .changed { try await rename(client) }
            tally.withLock { $0 = Count() }
            let (start, cpu) = (ContinuousClock.now, ProcessUsage.cpuSeconds)
            let result = try await client.services.contactService.syncContacts(
                deviceID: client.device.id, since: watermark)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let cpuSeconds = ProcessUsage.cpuSeconds - cpu
            var count = tally.withLock { $0 }
            count.received = result.contactsReceived
            count.rows = try await store.fetchContacts(deviceID: client.device.id).count
            guard result.isComplete, result.isIncremental == (listing != .full), count.rows == contacts else {
                throw SyncFailure(expected: contacts, stored: count.rows)
            }
            watermark = result.lastSyncTimestamp
            rows.append(
                Row(listing: listing, contacts: contacts, seconds: seconds, cpuSeconds: cpuSeconds, count: count))
        }
        return rows
    }

    /// Gives every tenth contact another name, at a time of the radio's clock that is after all others.
    private func rename(_ client: SyncClient) async throws {
        let time = try await client.session.getTime()
        try await client.session.setTime(max(time, SyncLoad.firstTimestamp + UInt32(contacts) + 3600))
        let records = try await client.session.getContacts().contacts
        for index in stride(from: 0, to: records.count, by: 10) {
            var record = records[index]
            record.name = FixedBytes(text: ByteText("renamed \(index)"))
            try await client.session.updateContact(record)
        }
    }
}

extension ContactBenchmark.Row {
    var figures: [BenchFigure] {
        let label = "\(contacts) contacts, \(listing.rawValue)"
        return [
            .count("\(label): received", count.received, "contacts"), .count("\(label): frames", count.frames, ""),
            .count("\(label): statements", count.statements, ""),
            .count("\(label): rows", count.rows, "", better: nil), .time("\(label): sync", seconds),
            .time("\(label): CPU time", cpuSeconds),
        ]
    }
}
