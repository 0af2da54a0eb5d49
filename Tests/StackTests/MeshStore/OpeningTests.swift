import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// Opening files of every kind: new, old, later, foreign, damaged, locked, full.
@Suite struct OpeningTests {
    private let scratch = Scratch()
    private var path: String { scratch.file("store.sqlite") }

    /// Writes the file that a program of an earlier version left: `store-1.sql` and its like.
    private func restore(_ version: String, to path: String) throws {
        let sql = try String(
            contentsOf: Bundle.module.bundleURL.appending(path: "Resources/store-\(version).sql"), encoding: .utf8)
        let file = try Database(path: path, settings: ["PRAGMA foreign_keys = OFF"])
        try file.execute(sql)
        try file.close()
    }

    /// The statements that made the tables, without differences of blanks.
    private func schema(_ store: PersistenceStore) async throws -> [String] {
        try await store.schemaStatements().map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test(.proves("SVC-166"), arguments: Array(1...Schema.migrations.count))
    func `a store of every earlier version is brought up to date without losing a row`(version: Int) async throws {
        try restore("\(version)", to: path)

        let store = try PersistenceStore(path: path)

        let devices = try await store.fetchDevices()
        #expect(devices.map(\.nodeName) == ["radio 2", "radio 1"])
        #expect(devices[1].isActive && devices[1].txPower == -9 && devices[1].knownRegions.isEmpty)
        for (number, device) in devices.reversed().enumerated() {
            #expect(device.id == StableIdentifier.device(publicKey: device.publicKey))
            let contacts = try await store.fetchContacts(deviceID: device.id)
            #expect(contacts.map(\.displayName) == ["Al", "contact 2"] && contacts.allSatisfy { $0.onRadio })
            #expect(contacts[0].id == StableIdentifier.contact(deviceID: device.id, publicKey: contacts[0].publicKey))
            let direct = try await store.fetchMessages(deviceID: device.id, thread: .contact(contacts[0].id))
            #expect(direct.map(\.text) == ["message 5", "café"] && direct[1].ackCode == 0xDEAD_BEEF)
            #expect(direct[0].kind == (version >= 3 && number == 0 ? .image : .text))
            #expect(try await store.fetchMessages(deviceID: device.id, channelIndex: 0).map(\.text) == ["message 7"])
            let room = try #require(try await store.fetchRemoteNodeSessions(deviceID: device.id).first)
            #expect(try await store.fetchRoomMessages(sessionID: room.id).map(\.text) == ["post"])
            #expect(try await store.countPendingMessages(deviceID: device.id) == (version >= 2 ? 1 : 0))
            #expect(try await store.fetchEndpoints(deviceID: device.id).count == (version >= 2 ? 1 : 0))
            #expect(
                try await store.fetchBlob(messageID: direct[0].id)?.data == (version >= 3 ? Data([0xFF, 0xD8]) : nil))
        }
        #expect(try await store.integrityProblems().isEmpty)
        #expect(try await schema(store) == schema(try PersistenceStore()), "the same tables as in a new file")
    }

    @Test(.proves("SVC-166"), arguments: Array(1...Schema.migrations.count))
    func `a released migration still makes what it made`(version: Int) async throws {
        try restore("\(version)", to: path)
        let migrations = Array(Schema.migrations.prefix(version))

        let old = try PersistenceStore(path: path, options: .init(), migrations: migrations)
        let new = try PersistenceStore(path: scratch.file("new"), options: .init(), migrations: migrations)

        #expect(try await schema(old) == schema(new))
    }

    /// `store-grdb.sql` says which program wrote it.
    @Test(.proves("SVC-166")) func `a file that the library before ours wrote opens with its data and goes on`()
        async throws
    {
        try restore("grdb", to: path)
        #expect(try Database(path: path).values(String.self, "SELECT identifier FROM grdb_migrations").count == 6)
        let number = Schema.migrations.count + 1
        let later = Schema.migrations + [.init(number: number, sql: "CREATE TABLE later (id INTEGER PRIMARY KEY)")]

        let store = try PersistenceStore(path: path)

        let device = try #require(try await store.fetchActiveDevice())
        #expect(device.nodeName == "alice" && device.lastConnected == Date(timeIntervalSince1970: 1_795_893_954))
        let contacts = try await store.fetchContacts(deviceID: device.id)
        #expect(contacts.map(\.name) == ["bob", "rep1"] && contacts.map(\.isBlocked) == [false, true])
        let sent = try await store.fetchMessages(deviceID: device.id, thread: .contact(contacts[0].id))
        #expect(sent.map(\.text) == ["grüße, are you there?"] && sent[0].status == .delivered)
        #expect(sent[0].createdAt == Date(timeIntervalSince1970: 1_795_893_951) && sent[0].roundTripTime == 2758)
        #expect(try await store.fetchMessages(deviceID: device.id, channelIndex: 0).map(\.text) == ["hello all"])
        #expect(try await store.setting(forKey: "connection.lastDeviceName") == "alice")
        #expect(try await store.integrityProblems().isEmpty)
        #expect(try await schema(store) == schema(try PersistenceStore()), "the same tables as in a new file")
        try await store.close()
        _ = try PersistenceStore(path: path, options: .init(), migrations: later)
        #expect(
            try Database(path: path).values(String.self, "SELECT identifier FROM grdb_migrations ORDER BY rowid")
                == (1...number).map { "\($0)" })
        #expect(throws: StackError(.store, .newer(path: path))) { try PersistenceStore(path: path) }
    }

    @Test func `a step that another process has made in the meantime is not made again`() throws {
        let db = try Database(path: path)
        let step = Schema.Migration(number: 1, sql: "CREATE TABLE one (id INTEGER)")
        // The second step makes what the third is about to make, as another process would.
        let other = Schema.Migration(
            number: 2, sql: "CREATE TABLE two (id INTEGER); INSERT INTO grdb_migrations VALUES ('3')")

        try Migrator([step, other, .init(number: 3, sql: "CREATE TABLE two (id INTEGER)")]).migrate(db)

        #expect(
            try db.values(String.self, "SELECT identifier FROM grdb_migrations ORDER BY rowid") == ["1", "3", "2"])
        #expect(try Migrator([step]).isSuperseded(in: db))
        #expect(try !Migrator([step, .init(number: 4, sql: "")]).isComplete(in: db))
    }

    @Test(.proves("SVC-156")) func `no table has a place for a password`() async throws {
        let statements = try await schema(try PersistenceStore())

        #expect(!statements.isEmpty && !statements.contains { $0.lowercased().contains("password") })
    }

    @Test(.proves("SVC-166"))
    func `a migration that fails half way is rolled back, and the next try succeeds`() async throws {
        try restore("2", to: path)
        let broken =
            Schema.migrations.prefix(2) + [
                .init(
                    number: 3, sql: "DELETE FROM message; ALTER TABLE message ADD COLUMN kind INTEGER; SELECT nonsense;"
                )
            ]

        #expect(throws: StackError.self) {
            try PersistenceStore(path: path, options: .init(), migrations: Array(broken))
        }

        do {
            let file = try Database(path: path)
            #expect(try file.value(Int.self, "PRAGMA user_version") == 2)
            #expect(try file.values(String.self, "SELECT identifier FROM grdb_migrations") == ["1", "2"])
        }
        let store = try PersistenceStore(path: path)
        #expect(try await store.number("SELECT count(*) FROM message") == 8)
    }

    @Test func `a file of a later version is refused and not touched`() throws {
        let later = Schema.migrations + [.init(number: 99, sql: "CREATE TABLE later (id INTEGER PRIMARY KEY)")]
        _ = try PersistenceStore(path: path, options: .init(), migrations: later)
        let before = try bytes(path)

        #expect(throws: StackError(.store, .newer(path: path))) { try PersistenceStore(path: path) }

        #expect(try bytes(path) == before)
    }

    /// A version may change what rows mean without a step for the tables.
    @Test func `a file of a later number alone is refused and not touched`() throws {
        _ = try PersistenceStore(path: path)
        try Database(path: path).execute(
            "PRAGMA user_version = \(Schema.migrations.count + 1); PRAGMA journal_mode = DELETE")
        let before = try bytes(path)

        #expect(throws: StackError(.store, .newer(path: path))) { try PersistenceStore(path: path) }
        #expect(throws: StackError(.store, .newer(path: path))) {
            try PersistenceStore(path: path, options: .init(isReadOnly: true))
        }

        #expect(try bytes(path) == before)
    }

    @Test func `a database of something else, and a file that is none, are refused and not touched`() async throws {
        try Database(path: path).execute("CREATE TABLE mine (id INTEGER)")
        let text = scratch.file("text")
        try Data("this is a letter to a friend, and rather longer than a header".utf8).write(to: URL(filePath: text))

        for file in [path, text] {
            let before = try bytes(file)
            let error = #expect(throws: StackError.self) { try PersistenceStore(path: file) }
            #expect(error?.reason == .notAStore(path: file))
            #expect(try bytes(file) == before)
        }
    }

    @Test(arguments: Array(UInt64(1)...12))
    func `a damaged file is named, never trapped on, and kept`(seed: UInt64) async throws {
        do {
            let store = try PersistenceStore(path: path)
            try await store.addRadio(0)
            let contact = ContactDTO.numbered(0, of: .numbered(0))
            try await store.saveMessages((1...500).map { .received($0, from: contact) })
            try await store.close()
        }
        var content = try bytes(path)
        // From the third page on, so that the file is still one of ours; every 97th byte in a stretch of 8 KiB.
        let start = 8192 + Int(seed) * (content.count - 24_576) / 12
        for offset in stride(from: start, to: start + 8192, by: 97) { content[offset] ^= 0xA5 }
        try content.write(to: URL(filePath: path))

        do throws(StackError) {
            let store = try PersistenceStore(path: path)
            let problems = try await store.integrityProblems()
            let page = try await store.fetchMessages(
                deviceID: DeviceDTO.numbered(0).id, thread: .contact(ContactDTO.numbered(0, of: .numbered(0)).id),
                limit: 1000)
            // Where only the letters of texts were hit, nobody can tell.
            #expect(!problems.isEmpty || page.count == 500)
        } catch {
            switch error.reason {
            case .damaged, .invalidData, .fetchFailed: break
            default: Issue.record("another error: \(error)")
            }
        }
        #expect(try bytes(path).count == content.count)
    }

    @Test func `a file cut short is damaged`() async throws {
        do {
            let store = try PersistenceStore(path: path)
            try await store.addRadio(0)
            try await store.close()
        }
        try bytes(path).prefix(5000).write(to: URL(filePath: path))

        do {
            _ = try PersistenceStore(path: path)
            Issue.record("opened")
        } catch {
            guard case .damaged(let named, _) = error.reason else {
                Issue.record("another error: \(error)")
                return
            }
            #expect(named == path && error.description.contains("move it aside"))
        }
    }

    @Test func `another process's lock is an error with the path, and the store works when it is gone`() async throws {
        let store = try PersistenceStore(path: path, options: .init(lockPatience: 0.05))
        try await store.addRadio(0)
        let other = try Database(path: path)
        try other.execute("BEGIN IMMEDIATE")

        let error = await #expect(throws: StackError.self) { try await store.setSetting("1", forKey: "a") }
        #expect(error?.reason == .locked(path: path))
        #expect(error?.underlying == .database(code: 5, message: "database is locked"))
        #expect(try await store.fetchDevices().count == 1, "reading goes on")
        try other.execute("ROLLBACK")
        try await store.setSetting("1", forKey: "a")
    }

    @Test func `a full disk is an error, nothing of the operation is stored, and what was there is`() async throws {
        let store = try PersistenceStore(path: path)
        try await store.addRadio(0)
        let contact = ContactDTO.numbered(0, of: .numbered(0))
        try await store.saveMessages((1...10).map { .received($0, from: contact) })
        // The limit of the file stands for the end of the disk: SQLite reports both the same way.
        _ = try await store.number("PRAGMA max_page_count = 60")

        #expect(
            await failure(of: .store) {
                try await store.saveMessages((11...2000).map { .received($0, from: contact) })
            } == .diskFull(path: path))

        #expect(try await store.number("SELECT count(*) FROM message") == 10)
        #expect(try await store.fetchContact(id: contact.id)?.unreadCount == 10)
        #expect(try await store.integrityProblems().isEmpty)
        try await store.saveMessage(.received(11, from: contact))
    }

    @Test(.proves("SVC-178")) func `a read-only store reads, and says that it may not write`() async throws {
        #expect(throws: StackError.self) {
            try PersistenceStore(path: path, options: .init(isReadOnly: true))
        }
        do {
            let store = try PersistenceStore(path: path)
            try await store.addRadio(0)
        }

        let store = try PersistenceStore(path: path, options: .init(isReadOnly: true))

        #expect(try await store.fetchDevices().count == 1)
        #expect(
            await failure(of: .store) {
                try await store.setSetting("1", forKey: "a")
            } == .readOnly(path: path))
        let old = scratch.file("old")
        try restore("1", to: old)
        #expect(throws: StackError(.store, .readOnly(path: old))) {
            try PersistenceStore(path: old, options: .init(isReadOnly: true))
        }
    }

    @Test func `a new file is for the user alone, write-ahead logged and checked for orphans`() async throws {
        let store = try PersistenceStore(path: path)
        try await store.addRadio(0)

        for file in [path, path + "-wal", path + "-shm"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
        #expect(try await store.schemaPragma("journal_mode") == "wal")
        #expect(try await store.number("PRAGMA foreign_keys") == 1)
        #expect(try await store.number("PRAGMA synchronous") == 1)
        let safest = try PersistenceStore(path: path, options: .init(durability: .powerLoss))
        #expect(try await safest.number("PRAGMA synchronous") == 2)
    }

    @Test func `a place where nothing can be is an error with the path`() {
        for bad in [scratch.file("no/such/folder/store.sqlite"), scratch.path] {
            do {
                _ = try PersistenceStore(path: bad)
                Issue.record("opened \(bad)")
            } catch {
                guard case .cannotOpen(let named, let reason) = error.reason else {
                    Issue.record("another error: \(error)")
                    continue
                }
                #expect(named == bad && !reason.isEmpty)
            }
        }
    }
}

extension PersistenceStore {
    func schemaStatements() throws -> [String] {
        try read { db in
            try db.values(
                String.self, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
        }
    }

    func schemaPragma(_ name: String) throws -> String? {
        try read { db in try db.value(String.self, "PRAGMA \(name)") }
    }
}
