import FoundationEssentials
import MeshStudy
import MeshTime
import PocketMeshServices
import Synchronization

/// The speed of writing rows in transactions of several sizes, and of reading a page from a large store.
struct StoreBenchmark: Sendable {
    /// Messages in the store whose pages are read.
    var messages = 1_000_000
    /// Messages that are written for each size of a batch.
    var written = 10_000
    /// Messages in a transaction.
    var batches = [1, 10, 100, 1000]
    /// Messages on a page, as a chat shows them.
    var page = 50
    /// The number of times that each page is read; the median counts.
    var reads = 101
    var seed = Seed(42)
    /// Files of the run go into a folder of their own here, and away with its end.
    var folder: String = FileManager.default.temporaryDirectory.path

    /// The result of writing.
    struct Writing: Hashable, Sendable {
        let batch: Int
        let messages: Int
        let seconds: Double
        /// Of SQL for all messages, those of transactions included.
        let statements: Int

        var rate: Double { Double(messages) / seconds }
    }

    /// The result of reading a page.
    struct Reading: Hashable, Sendable {
        let page: Page
        /// In the store, and on the page.
        let messages: Int
        let rows: Int
        let microseconds: Double
        let statements: Int
        /// Steps of their plans that look through a whole table, or sort by a table of their own.
        let scans: Int
    }

    /// The kinds of pages that are read.
    enum Page: String, Hashable, Sendable, CaseIterable {
        /// The newest messages with a contact.
        case contact
        /// The newest messages on a channel.
        case channel
        /// Messages with a contact from the middle of the history.
        case earlier
        /// All conversations with contacts.
        case conversations
    }

    /// Writes as many messages by each size of a batch.
    func writing(_ batch: Int) async throws -> Writing {
        let seconds = try await withStore { store, load in
            let start = ContinuousClock.now
            try await load.write(written, into: store, perTransaction: batch)
            return (ContinuousClock.now - start) / .seconds(1)
        }
        // Counting costs time.
        let statements = try await withStore { store, load in
            let count = Mutex(0)
            try store.traceStatements { _ in count.withLock { $0 += 1 } }
            try await load.write(written, into: store, perTransaction: batch)
            return count.withLock { $0 }
        }
        return Writing(batch: batch, messages: written, seconds: seconds, statements: statements)
    }

    /// Fills a store, then reads each page. `progress` gets how many messages are in it.
    func reading(_ progress: (Int) -> Void = { _ in }) async throws -> [Reading] {
        try await withStore { store, load in
            try await load.write(messages, into: store, perTransaction: 1000, progress)
            var rows: [Reading] = []
            for page in Page.allCases { rows.append(try await read(page, from: store, load)) }
            return rows
        }
    }

    private func read(_ page: Page, from store: PersistenceStore, _ load: StoreLoad) async throws -> Reading {
        var times: [Double] = []
        for _ in 0..<reads {
            let start = ContinuousClock.now
            _ = try await load.rows(of: page, limit: self.page, in: store)
            times.append((ContinuousClock.now - start) / .microseconds(1))
        }
        let asked = Mutex<[String]>([])
        try store.traceStatements { sql in asked.withLock { $0.append(sql) } }
        let rows = try await load.rows(of: page, limit: self.page, in: store)
        try store.traceStatements(nil)
        let statements = asked.withLock { $0 }
        let plans = try statements.flatMap { try store.queryPlan(of: $0) }
        return Reading(
            page: page, messages: messages, rows: rows, microseconds: times.sorted()[times.count / 2],
            statements: statements.count,
            scans: plans.count { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") })
    }

    private func withStore<R>(_ body: (PersistenceStore, StoreLoad) async throws -> R) async throws -> R {
        let scratch = folder + "/meshbed-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let store = try PersistenceStore(path: scratch + "/store.sqlite")
        let load = try await StoreLoad(in: store, seed: seed)
        let result = try await body(store, load)
        try await store.close()
        return result
    }
}

extension StoreBenchmark.Writing {
    var figures: [BenchFigure] {
        let label = "\(batch) in a transaction, \(messages) messages"
        return [.rate("\(label): written", rate, "per s"), .count("\(label): statements", statements, "")]
    }
}

extension StoreBenchmark.Reading {
    var figures: [BenchFigure] {
        let label = "\(page.rawValue), of \(messages) messages"
        return [
            .count("\(label): rows", rows, "", better: nil), .time("\(label): read", microseconds, "µs"),
            .count("\(label): statements", statements, ""), .count("\(label): scans and sorts", scans, ""),
        ]
    }
}
