import CSQLite
import PocketMeshServices

/// The same rows once more, inserted with nothing but the C library: what SQLite itself needs for them.
///
/// The rows are read from a store, and put into a second file with the same tables and indexes. Only the inserting is
/// timed. Journal, durability and page cache are those of the store.
final class RawInserts {
    /// The error message of SQLite.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Rows that are read before the clock runs again.
    private static let chunk = 1000

    private let source: OpaquePointer
    private let target: OpaquePointer
    private var select: OpaquePointer?
    private var insert: OpaquePointer?
    private let columns: Int32

    /// `target` is a store without messages.
    init(from source: String, into target: String) throws {
        self.source = try Self.open(source)
        self.target = try Self.open(target)
        for setting in PersistenceStore.settings + ["PRAGMA synchronous = NORMAL"] {
            try Self.run(setting, on: self.target)
        }
        select = try Self.prepare("SELECT * FROM message ORDER BY receivedOrder", on: self.source)
        columns = sqlite3_column_count(select)
        let names = (0..<columns).map { String(cString: sqlite3_column_name(select, $0)) }
        let marks = (1...columns).map { "?\($0)" }
        insert = try Self.prepare(
            "INSERT INTO message (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))",
            on: self.target)
    }

    deinit {
        sqlite3_finalize(select)
        sqlite3_finalize(insert)
        sqlite3_close(source)
        sqlite3_close(target)
    }

    /// The cost of inserting all rows.
    struct Cost {
        var rows = 0
        var seconds = 0.0
        /// CPU time of the process.
        var cpuSeconds = 0.0
    }

    /// Inserts all rows, `perTransaction` at a time.
    func cost(perTransaction: Int) throws -> Cost {
        try Self.run("DELETE FROM message; PRAGMA wal_checkpoint(TRUNCATE)", on: target)
        sqlite3_reset(select)
        var cost = Cost()
        let begin = try Self.prepare("BEGIN IMMEDIATE", on: target)
        let commit = try Self.prepare("COMMIT", on: target)
        defer {
            sqlite3_finalize(begin)
            sqlite3_finalize(commit)
        }
        while true {
            let rows = try read()
            guard !rows.isEmpty else { return cost }
            let (start, cpu) = (ContinuousClock.now, ProcessUsage.cpuSeconds)
            for row in rows {
                if cost.rows % perTransaction == 0 { try step(begin) }
                for (index, value) in row.enumerated() { sqlite3_bind_value(insert, Int32(index) + 1, value) }
                try step(insert)
                cost.rows += 1
                if cost.rows % perTransaction == 0 { try step(commit) }
            }
            if rows.count < Self.chunk, cost.rows % perTransaction != 0 { try step(commit) }
            cost.seconds += (ContinuousClock.now - start) / .seconds(1)
            cost.cpuSeconds += ProcessUsage.cpuSeconds - cpu
            for value in rows.joined() { sqlite3_value_free(value) }
            if rows.count < Self.chunk { return cost }
        }
    }

    private func read() throws -> [[OpaquePointer?]] {
        var rows: [[OpaquePointer?]] = []
        while rows.count < Self.chunk, sqlite3_step(select) == SQLITE_ROW {
            rows.append((0..<columns).map { sqlite3_value_dup(sqlite3_column_value(select, $0)) })
        }
        return rows
    }

    private func step(_ statement: OpaquePointer?) throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw Failure(description: String(cString: sqlite3_errmsg(target))) }
    }

    // MARK: The C library

    private static func open(_ path: String) throws -> OpaquePointer {
        var connection: OpaquePointer?
        // One thread has it, as in the store.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK, let connection else {
            throw Failure(description: "\(path) cannot be opened")
        }
        return connection
    }

    private static func run(_ sql: String, on connection: OpaquePointer) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure(description: String(cString: sqlite3_errmsg(connection)))
        }
    }

    private static func prepare(_ sql: String, on connection: OpaquePointer) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw Failure(description: String(cString: sqlite3_errmsg(connection)))
        }
        return statement
    }
}
