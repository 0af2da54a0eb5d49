import CSQLite
import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// The door to SQLite: values, transactions, errors, and the end of a connection.
@Suite struct DatabaseTests {
    private let scratch = Scratch()

    /// Makes a database with a table of names, none of them twice, and one of things that belong to them.
    private func makeNames(_ path: String = ":memory:", patience: Double = 0) throws -> Database {
        let db = try Database(path: path, lockPatience: patience)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
            CREATE TABLE IF NOT EXISTS thing (owner INTEGER REFERENCES name (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
            """)
        return db
    }

    private func error(_ body: () throws -> Void) -> DatabaseError? {
        do {
            try body()
            return nil
        } catch {
            return error as? DatabaseError
        }
    }

    /// The library would take a lock for each piece of memory.
    @Test func `the library does not count its memory`() throws {
        let db = try makeNames()
        #expect(try db.value(Int.self, "SELECT count(*) FROM name") == 0 && sqlite3_memory_used() == 0)
    }

    // MARK: Values

    /// Returns the form of a bound value in SQL, after a check that it is read back as it was.
    private func stored<V: ColumnValue & Equatable>(_ value: V) throws -> String? {
        let db = try Database(path: ":memory:")
        #expect(try db.value(V.self, "SELECT ?1", value) == value)
        return try db.value(String.self, "SELECT quote(?1)", value)
    }

    /// Files of earlier versions hold exactly these forms.
    @Test func `every kind of value is stored in its one form, and read back`() throws {
        #expect(try stored(Int64.min) == "-9223372036854775808")
        #expect(try stored(UInt32.max) == "4294967295")
        #expect(try stored(true) == "1")
        #expect(try stored(-0.1) == "-0.1")
        #expect(try stored("café ' 📻") == "'café '' 📻'")
        #expect(try stored("") == "''")
        #expect(try stored(Data([0xFF, 0, 1])) == "X'FF0001'")
        #expect(try stored(Data()) == "X''")
        #expect(
            try stored(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!)
                == "X'00112233445566778899AABBCCDDEEFF'")
        #expect(try stored(Date(timeIntervalSince1970: 1_750_000_000)) == "1750000000")
        #expect(try stored(Int?.none) == "NULL")
        #expect(try stored(["a", "b"]) == "'[\"a\",\"b\"]'")
    }

    @Test func `a text keeps the characters after a NUL`() throws {
        let db = try makeNames()
        try db.run("INSERT INTO name (text) VALUES (?1)", "a\0b")

        #expect(try db.value(String.self, "SELECT text FROM name") == "a\0b")
        #expect(try db.value(String.self, "SELECT hex(text) FROM name") == "610062")
    }

    @Test func `a value of another kind than asked for is an error`() throws {
        let db = try Database(path: ":memory:")

        #expect(throws: StackError(.store, .invalidData)) { try db.value(Int.self, "SELECT 'one'") }
        #expect(throws: StackError(.store, .invalidData)) { try db.value(UUID.self, "SELECT x'0011'") }
        #expect(throws: StackError(.store, .invalidData)) { try db.value(UInt8.self, "SELECT 256") }
    }

    @Test func `a statement is compiled once, and starts anew at every use`() throws {
        let db = try makeNames()
        let sql = "SELECT id FROM name WHERE text > ?1 ORDER BY id"

        for text in ["one", "two", "three"] { try db.run("INSERT INTO name (text) VALUES (?1)", text) }

        #expect(try db.statement(sql) == db.statement(sql))
        #expect(try db.value(Int.self, sql, "") == 1, "read no further than the first row")
        #expect(try db.values(Int.self, sql, "") == [1, 2, 3])
        #expect(try db.values(Int.self, sql, "s") == [2, 3])
        #expect(db.lastInsertedRowID == 3)
        #expect(try db.run("DELETE FROM name WHERE id > ?1", 1) == 2)
    }

    @Test func `a function has the bytes of its argument, and no value for none`() throws {
        let db = try Database(path: ":memory:")
        try db.add(DatabaseFunction(name: "backwards") { Array($0.reversed()) })

        #expect(try db.value(Data.self, "SELECT backwards(x'010002')") == Data([2, 0, 1]))
        #expect(try db.value(Data.self, "SELECT backwards('ab')") == Data("ba".utf8))
        #expect(try db.value(Data.self, "SELECT backwards(x'')") == Data())
        #expect(try db.value(Data?.self, "SELECT backwards(NULL)") == .some(nil))
    }

    // MARK: Transactions

    private struct Refusal: Error {}

    @Test func `an error in a transaction undoes all of it, and the next one works`() throws {
        let db = try makeNames()

        #expect(throws: Refusal.self) {
            try db.transaction { db in
                try db.run("INSERT INTO name (text) VALUES (?1)", "one")
                throw Refusal()
            }
        }

        #expect(try db.value(Int.self, "SELECT count(*) FROM name") == 0)
        try db.transaction { db in _ = try db.run("INSERT INTO name (text) VALUES (?1)", "two") }
        #expect(try db.values(String.self, "SELECT text FROM name") == ["two"])
    }

    @Test func `a transaction that cannot be committed is undone, and the next one works`() throws {
        let db = try makeNames()

        let failure = error {
            try db.transaction { db in _ = try db.run("INSERT INTO thing (owner) VALUES (?1)", 7) }
        }

        #expect(failure?.code == csqlite_constraint_foreign_key)
        #expect(sqlite3_get_autocommit(db.handle) != 0, "no transaction is left open")
        #expect(try db.value(Int.self, "SELECT count(*) FROM thing") == 0)
        try db.transaction { db in _ = try db.run("INSERT INTO name (text) VALUES (?1)", "one") }
    }

    @Test func `a transaction has the write lock from its beginning`() throws {
        let path = scratch.file("names")
        let (first, second) = (try makeNames(path), try makeNames(path))

        try first.transaction { _ in
            #expect(self.error { try second.transaction { _ in } } == DatabaseError(code: SQLITE_BUSY))
        }

        try second.transaction { _ in }
    }

    // MARK: Errors

    @Test func `an error has SQLite's extended code and words, and never a bound value`() throws {
        let db = try makeNames()
        try db.run("INSERT INTO name (text) VALUES (?1)", "a secret")

        let failure = try #require(error { try db.run("INSERT INTO name (text) VALUES (?1)", "a secret") })

        #expect(failure == DatabaseError(code: 2067, message: "UNIQUE constraint failed: name.text"))
        #expect(failure.primaryCode == SQLITE_CONSTRAINT)
        #expect(!"\(failure) \(String(reflecting: failure))".contains("secret"))
        #expect(
            error { try db.run("INSERT INTO name (text) VALUES (?1)", String?.none) }?.code
                == csqlite_constraint_not_null)
        #expect(error { try db.execute("SELECT nonsense") }?.message == "no such column: nonsense")
        #expect(try db.values(String.self, "SELECT text FROM name") == ["a secret"], "the connection goes on")
    }

    /// With SQLite's default a misspelled column would be a text.
    @Test func `a word in double quotes is never a text`() throws {
        let db = try makeNames()

        #expect(error { _ = try db.values(String.self, "SELECT \"txt\" FROM name") }?.message == "no such column: txt")
    }

    @Test func `what is no database is refused when it is opened, and what is missing where nothing may be made`()
        throws
    {
        let letter = scratch.file("letter")
        try Data("this is a letter to a friend, and rather longer than a header".utf8).write(to: URL(filePath: letter))

        #expect(error { _ = try Database(path: letter) }?.code == SQLITE_NOTADB)
        #expect(
            error { _ = try Database(path: scratch.file("none"), access: .readOnly) }
                == DatabaseError(code: SQLITE_CANTOPEN, message: "unable to open database file"))
    }

    // MARK: The end

    @Test func `closing ends the statements, empties the log and can be repeated`() throws {
        let path = scratch.file("names")
        let db = try makeNames(path)
        #expect(try db.value(String.self, "PRAGMA journal_mode = WAL") == "wal")
        try db.run("INSERT INTO name (text) VALUES (?1)", "one")
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))

        try db.close()
        try db.close()

        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        for use in [{ try db.execute("SELECT 1") }, { _ = try db.value(Int.self, "SELECT 1") }] {
            #expect(error(use) == DatabaseError(code: SQLITE_MISUSE, message: "the database is closed"))
        }
        #expect(try makeNames(path).values(String.self, "SELECT text FROM name") == ["one"])
    }

    @Test func `a connection that goes away undoes its transaction and gives its lock back`() throws {
        let path = scratch.file("names")
        do {
            let db = try makeNames(path)
            try db.run("BEGIN IMMEDIATE")
            try db.run("INSERT INTO name (text) VALUES (?1)", "one")
        }

        let next = try makeNames(path)
        try next.transaction { _ in }
        #expect(try next.value(Int.self, "SELECT count(*) FROM name") == 0)
    }

    @Test func `a trace has the text of statements without their values, until it ends`() throws {
        let db = try makeNames()
        var seen: [String] = []
        db.trace { seen.append($0) }
        try db.transaction { db in _ = try db.run("INSERT INTO name (text) VALUES (?1)", "one") }
        db.trace(nil)
        try db.execute("DELETE FROM name")

        #expect(seen == ["BEGIN IMMEDIATE", "INSERT INTO name (text) VALUES (?1)", "COMMIT"])
    }
}
