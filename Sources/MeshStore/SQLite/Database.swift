import CSQLite
import MeshWire

/// A prepared statement of the C library.
typealias SQLiteStatement = OpaquePointer

/// A connection to one SQLite file, with its prepared statements.
///
/// One thread at a time may use it, because SQLite has no lock for it. It is no `Sendable` value, so the compiler holds
/// this: a connection that several threads need is the value of a `Mutex`.
final class Database {
    /// The access that a connection has to its file.
    enum Access {
        case readOnly
        /// Makes the file where there is none.
        case readWrite
    }

    /// The connection of the C library; `nil` after `close`.
    private(set) var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    private var onStatement: ((String) -> Void)?
    /// The library's settings for this process, made once.
    private static let library = csqlite_count_no_memory()

    /// Opens a file; `:memory:` is a database that ends with the connection.
    ///
    /// Foreign keys are checked, and a word in double quotes is never a text. A file that is no database is refused
    /// here, with `SQLITE_NOTADB`.
    ///
    /// - Parameters:
    ///   - lockPatience: The time in seconds for which a statement waits for another connection's lock.
    ///   - settings: Statements for the connection; those about a new file have an effect only before the first look.
    init(path: String, access: Access = .readWrite, lockPatience: Double = 0, settings: [String] = []) throws {
        _ = Self.library
        let flags = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        // After an error there is a connection all the same, which the end of this value closes.
        guard code == SQLITE_OK else { throw DatabaseError(code: code) }
        sqlite3_busy_timeout(handle, CInt(wholePart: lockPatience * 1000, in: 0...CInt.max))
        try check(csqlite_refuse_texts_in_double_quotes(handle))
        for setting in ["PRAGMA foreign_keys = ON"] + settings { try execute(setting) }
        // The first look at the file: opening alone reads nothing of it.
        try execute("SELECT 1 FROM sqlite_master LIMIT 1")
    }

    deinit {
        finalizeStatements()
        // A connection that does not close is of no use to anybody any more.
        sqlite3_close_v2(handle)
    }

    /// Ends the use of the file, and moves the write-ahead log into it if no other connection has the file open.
    ///
    /// Statements after it throw. A second call has no effect.
    func close() throws {
        finalizeStatements()
        try check(sqlite3_close(handle))
        handle = nil
    }

    private func finalizeStatements() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
    }

    // MARK: Statements

    /// Runs statements that are used once, separated by semicolons, to their ends.
    func execute(_ sql: String) throws {
        guard handle != nil else { throw Self.isClosed }
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns the prepared form of one statement, which the connection keeps.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let known = statements[sql] { return known }
        guard handle != nil else { throw Self.isClosed }
        let prepared = try sql.withCString { text in
            var (statement, rest): (SQLiteStatement?, UnsafePointer<CChar>?)
            try check(sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &rest))
            precondition(rest?.pointee == 0, "more than one statement; use `execute`")
            return statement
        }
        guard let prepared else { preconditionFailure("no statement") }
        statements[sql] = prepared
        return prepared
    }

    /// Throws the error of the last call to the C library, unless its result code is `SQLITE_OK`.
    func check(_ code: CInt) throws {
        guard code != SQLITE_OK else { return }
        // The connection has the words of its own last error alone.
        guard sqlite3_extended_errcode(handle) == code else { throw DatabaseError(code: code) }
        throw DatabaseError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }

    private static let isClosed = DatabaseError(code: SQLITE_MISUSE, message: "the database is closed")

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The `rowid` of the last row that was inserted.
    var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Calls `note` with the SQL of each statement at its start, without its values; `nil` ends that.
    func trace(_ note: ((String) -> Void)?) {
        guard handle != nil else { return }
        onStatement = note
        sqlite3_trace_v2(
            handle, note == nil ? 0 : UInt32(SQLITE_TRACE_STMT),
            { _, context, _, sql in
                guard let context, let sql else { return SQLITE_OK }
                let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                database.onStatement?(String(cString: sql.assumingMemoryBound(to: CChar.self)))
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: Transactions

    /// Runs `body` in a transaction that holds the write lock from its beginning.
    ///
    /// An error undoes all of it, also one of the end of the transaction: SQLite leaves it open then.
    func transaction<T>(_ body: (Database) throws -> T) throws -> T {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body(self)
            try run("COMMIT")
            return result
        } catch {
            // Some errors, such as a full disk, have ended it already.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }
}
