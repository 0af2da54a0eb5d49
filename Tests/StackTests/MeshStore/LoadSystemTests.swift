import CSQLite
import Foundation
import MeshTestSupport
import MeshTime
import Synchronization
import Testing

@testable import MeshStore

/// Large histories: what is counted is statements and transactions; times are printed for people.
@Suite(.serialized) struct LoadSystemTests {
    /// All statements that a store begins, in order.
    final class Trace: Sendable {
        private let statements = Mutex<[String]>([])

        func note(_ sql: String) { statements.withLock { $0.append(sql) } }
        var all: [String] { statements.withLock { $0 } }
        func count(beginning word: String) -> Int { all.count { $0.hasPrefix(word) } }
    }

    private func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let duration = try await clock.measure { try await body() }
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private func history(_ count: Int, of device: DeviceDTO, contacts: Int = 50) -> [MessageDTO] {
        let contacts = (0..<contacts).map { ContactDTO.numbered($0, of: device) }
        return (1...count).map { .received($0, from: contacts[$0 % contacts.count]) }
    }

    @Test(arguments: [10_000, 100_000])
    func `a synchronisation of many messages is one transaction and two statements a message`(count: Int) async throws {
        let scratch = Scratch()
        let store = try PersistenceStore(path: scratch.file("store.sqlite"))
        try await store.addRadio(0, contacts: 50)
        let messages = history(count, of: .numbered(0))
        let trace = Trace()
        if count <= 10_000 { try store.traceStatements(trace.note) }

        let duration = try await seconds { try await store.saveMessages(messages) }
        if count <= 10_000 { try store.traceStatements(nil) }
        let again = try await store.saveMessages(Array(messages.suffix(100)))
        let raw = try await rawSeconds(count, in: scratch.file("raw.sqlite"))

        #expect(try await store.number("SELECT count(*) FROM message") == count)
        #expect(try await store.number("SELECT sum(unreadCount) FROM contact") == count)
        #expect(again.allSatisfy { $0.isDuplicate })
        if count <= 10_000 {
            #expect(trace.all.count == 2 * count + 2)
            #expect(trace.count(beginning: "BEGIN") == 1 && trace.count(beginning: "COMMIT") == 1)
        }
        let rate = Int(Double(count) / duration)
        print("store: \(count) messages in one transaction: \(rate)/s, \(Int(100 * raw / duration)) % of raw inserts")
    }

    @Test func `texts are found among a hundred thousand, in either case and in every script`() async throws {
        let scratch = Scratch()
        let store = try PersistenceStore(path: scratch.file("store.sqlite"))
        try await store.addRadio(0, contacts: 50)
        let device = DeviceDTO.numbered(0)
        let contacts = (0..<50).map { ContactDTO.numbered($0, of: device) }
        try await store.saveMessages(
            (1...100_000).map {
                let text = "message \($0) of the usual length, with a few words more é"
                return .received($0, from: contacts[$0 % contacts.count], text: text)
            })

        for (text, count) in [("nowhere", 0), ("ünowhere", 0), ("USUAL", 50), ("É", 50), ("message 7 ", 1)] {
            var found = 0
            let duration = try await seconds {
                found = try await store.searchMessages(deviceID: device.id, for: text).count
            }
            #expect(found == count)
            print("store: \(found) of 100,000 messages found for '\(text)' in \(Int(duration * 1000)) ms")
        }
    }

    @Test func `a message stored alone is one transaction of two statements`() async throws {
        let scratch = Scratch()
        let store = try PersistenceStore(path: scratch.file("store.sqlite"))
        try await store.addRadio(0, contacts: 50)
        let messages = history(10_000, of: .numbered(0))
        let trace = Trace()
        try store.traceStatements(trace.note)
        try await store.saveMessage(messages[0])
        try store.traceStatements(nil)

        let duration = try await seconds {
            for message in messages.dropFirst() { try await store.saveMessage(message) }
        }

        #expect(trace.all.map { String($0.prefix(6)) } == ["BEGIN ", "INSERT", "UPDATE", "COMMIT"])
        print("store: one transaction a message: \(Int(10_000 / duration))/s")
    }

    /// Inserts rows of the same columns into the same tables with nothing but the C library.
    private func rawSeconds(_ count: Int, in path: String) async throws -> Double {
        try await PersistenceStore(path: path).close()
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        sqlite3_open(path, &connection)
        sqlite3_exec(connection, "PRAGMA synchronous = NORMAL", nil, nil, nil)
        sqlite3_prepare_v2(connection, MessageDTO.insert(), -1, &statement, nil)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(connection)
        }
        let prepared = try #require(statement)
        let messages = history(count, of: .numbered(0))
        var inserted = 0
        let duration = await seconds {
            sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil)
            for message in messages {
                var row = message
                var binder = ColumnBinder(prepared)
                row.walk(&binder)
                if sqlite3_step(prepared) == SQLITE_DONE { inserted += 1 }
                sqlite3_reset(prepared)
            }
            sqlite3_exec(connection, "COMMIT", nil, nil, nil)
        }
        #expect(inserted == count)
        return duration
    }

    @Test(.proves("SVC-169"))
    func `with ten thousand messages no page and no insert looks at more than it needs`() async throws {
        let scratch = Scratch()
        let store = try PersistenceStore(path: scratch.file("store.sqlite"))
        try await store.addRadio(0, contacts: 5)
        let device = DeviceDTO.numbered(0)
        let contact = ContactDTO.numbered(1, of: device)
        try await store.saveMessages(history(10_000, of: device, contacts: 5))

        var steps: [Int] = []
        for anchor in [Int64?.none, 9000, 5000] {
            steps.append(
                try await store.virtualMachineSteps { store in
                    let page = try store.fetchMessages(
                        deviceID: device.id, thread: .contact(contact.id), limit: 50, before: anchor)
                    #expect(page.count == 50)
                })
        }
        steps.append(try await store.virtualMachineSteps { _ = try $0.saveMessage(.received(20_000, from: contact)) })
        let page = try await seconds {
            for _ in 0..<20 { _ = try await store.fetchMessages(deviceID: device.id, thread: .contact(contact.id)) }
        }
        let insert = try await seconds {
            for number in 30_000..<30_020 { try await store.saveMessage(.received(number, from: contact)) }
        }

        #expect(steps.prefix(3).allSatisfy { $0 < 50 * 60 }, "\(steps)")
        #expect(steps[3] < 400, "\(steps)")
        print("store: 10000 messages: a page of 50 in \(page * 50) ms, an insert with counters in \(insert * 50) ms")
    }

    @Test(.proves("SVC-169")) func `every statement of every operation finds its rows by an index`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 4)
        let trace = Trace()
        try store.traceStatements(trace.note)
        var draw = OperationDraw(device: devices[0], stream: Seed(3).stream("plans"), base: 0)
        for _ in 0..<1500 { try await draw.perform(on: store) }
        for thread: MessageThread in [
            .contact(.numbered(1)), .channel(.numbered(1)), .unknownSender(Data([1])), .unknownChannel(1),
        ] {
            _ = try await store.fetchMessages(deviceID: devices[0].id, thread: thread)
        }
        _ = try await store.fetchRoomMessages(sessionID: .numbered(1))
        _ = try await store.fetchConversations(deviceID: devices[0].id)
        _ = try await store.isDuplicateMessage(deviceID: devices[0].id, deduplicationKey: "k")
        _ = try await store.fetchContact(deviceID: devices[0].id, publicKeyPrefix: Data([1]))
        try await store.failStaleSending()
        try store.traceStatements(nil)
        let statements = Set(trace.all).filter { !["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"].contains($0) }
            .sorted()

        #expect(statements.count > 60)
        for sql in statements {
            let slow = try store.queryPlan(of: sql).filter { step in
                let isScan = step.hasPrefix("SCAN") && ["message", "roomMessage", " m"].contains { step.contains($0) }
                // What is on its way is few, and has an index of its own.
                let isSmall = ["messageUnfinished", "CONSTANT ROW"].contains { step.contains($0) }
                let isSort = step.contains("TEMP B-TREE") && sql.contains("FROM message")
                return (isScan && !isSmall) || (isSort && !sql.contains("messageUnfinished"))
            }
            #expect(slow.isEmpty, "\(sql)")
        }
    }
}

extension PersistenceStore {
    /// Returns the number of instructions of SQLite's virtual machine that the statements of an operation took.
    fileprivate func virtualMachineSteps(_ body: @Sendable (isolated PersistenceStore) throws -> Void) throws -> Int {
        func steps(reset: Bool) throws -> Int {
            try read { db in
                var total = 0
                var statement = sqlite3_next_stmt(db.handle, nil)
                while let current = statement {
                    total += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, reset ? 1 : 0))
                    statement = sqlite3_next_stmt(db.handle, current)
                }
                return total
            }
        }
        _ = try steps(reset: true)
        try body(self)
        return try steps(reset: false)
    }
}
