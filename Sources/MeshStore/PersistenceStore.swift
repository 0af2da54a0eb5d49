import Glibc
import Synchronization

/// The local database: radios, contacts, messages, channels, sessions with rooms and repeaters, queue and settings.
///
/// Everything belongs to one radio and is reached by that radio's id; no operation on one radio reads or changes a row
/// of another. Each operation is one transaction. After it returned, its rows survive any end of the process (see
/// `Durability` for the end of the power).
///
/// No operation waits asynchronously, because that would break the fixed order of a run on virtual time: SQLite works
/// while the caller stands still. Errors are `StackError`.
public actor PersistenceStore {
    /// The failures that a committed transaction survives.
    public enum Durability: Sendable {
        /// The end of the process: the system has the bytes (`synchronous = NORMAL`).
        case processEnd
        /// The end of the power: the disk has the bytes (`synchronous = FULL`); every commit waits for it.
        case powerLoss
    }

    /// The options with which a store is opened.
    public struct Options: Sendable {
        /// The failures that a commit must survive.
        public var durability: Durability
        /// The time for which another process may hold the write lock, in seconds.
        public var lockPatience: Double
        /// A read-only store changes nothing, not even an old schema.
        public var isReadOnly: Bool

        public init(durability: Durability = .processEnd, lockPatience: Double = 2, isReadOnly: Bool = false) {
            self.durability = durability
            self.lockPatience = lockPatience
            self.isReadOnly = isReadOnly
        }
    }

    /// The path of the file; `:memory:` for a store that ends with the value.
    public nonisolated let path: String
    /// The connection; some operations use it without waiting for their turn in the actor.
    private nonisolated let database: Mutex<Database>
    /// The facts about the last transactions; the holder of the connection reads and changes them.
    nonisolated let memory = Mutex(ArrivalMemory())

    /// Opens a file, or makes it for the user alone (mode 0600), and brings an older schema up to date.
    public init(path: String, options: Options = Options()) throws(StackError) {
        try self.init(path: path, options: options, migrations: Schema.migrations)
    }

    /// Makes a store in memory, for tests and for runs that leave no file.
    public init() throws(StackError) {
        try self.init(path: Self.memory, options: Options(), migrations: Schema.migrations)
    }

    private static let memory = ":memory:"

    init(path: String, options: Options, migrations: [Schema.Migration]) throws(StackError) {
        self.path = path
        do {
            if path != Self.memory {
                if options.isReadOnly { try Self.checkFile(path) } else { try Self.makeFile(path) }
            }
            database = Mutex(try Self.openDatabase(path: path, options: options, migrations: migrations))
        } catch {
            throw StackError(error, while: .opening, path: path)
        }
    }

    /// Opens the file early, so that the first operation does not have to read the schema.
    public func warmUp() throws(StackError) {
        _ = try read { db in try db.value(Int.self, "SELECT count(*) FROM device") }
    }

    /// Ends the use of the file; operations after it fail.
    public func close() throws(StackError) {
        do { try database.withLock { db in try db.close() } } catch {
            throw StackError(error, while: .writing, path: path)
        }
    }

    /// Returns the findings of SQLite's own check of the whole file; empty for a sound one.
    public func integrityProblems() throws(StackError) -> [String] {
        try read { db in
            let findings = try db.values(String.self, "PRAGMA integrity_check").filter { $0 != "ok" }
            let orphans = try db.values(String.self, "PRAGMA foreign_key_check")
            return findings + orphans.map { "a row of \($0) belongs to nothing" }
        }
    }

    // MARK: Transactions

    /// Reads without a transaction: for single statements, which are atomic by themselves.
    nonisolated func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) throws(StackError) -> T {
        do { return try database.withLock { db in try body(db) } } catch {
            throw StackError(error, while: .reading, path: path)
        }
    }

    /// Runs `body` in one transaction that holds the write lock from its beginning; an error undoes all of it.
    ///
    /// The memory of a drain is cleared, unless nothing but its messages are written.
    nonisolated func write<T: Sendable>(
        isDrain: Bool = false, _ body: @Sendable (Database) throws -> T
    ) throws(StackError) -> T {
        do {
            return try database.withLock { db in
                if !isDrain { forget() }
                do { return try db.transaction(body) } catch {
                    forget()
                    throw error
                }
            }
        } catch {
            throw StackError(error, while: .writing, path: path)
        }
    }

    private nonisolated func forget() {
        memory.withLock { $0.forget() }
    }

    // MARK: Opening

    /// The settings of every connection, for those who measure the store against SQLite alone.
    ///
    /// A message touches half a dozen pages, so small ones write half as much (the size of an existing file stays). The
    /// log is moved into the file after 8 MB instead of 4, because every move waits for the disk. Measured: a third
    /// more messages a second, each in its own transaction.
    public static let settings = [
        "PRAGMA page_size = 2048", "PRAGMA wal_autocheckpoint = 4000", "PRAGMA cache_size = -8000",
    ]

    /// Opens the connection, and brings the tables up to date.
    private static func openDatabase(
        path: String, options: Options, migrations: [Schema.Migration]
    ) throws -> Database {
        let synchronous = options.durability == .powerLoss ? "FULL" : "NORMAL"
        let db = try Database(
            path: path, access: options.isReadOnly ? .readOnly : .readWrite, lockPatience: options.lockPatience,
            settings: ["PRAGMA synchronous = \(synchronous)"] + settings)
        try db.add(SearchTerm.fold)
        try prepareSchema(in: db, path: path, options: options, migrations: migrations)
        return db
    }

    /// Makes the file before SQLite does, because SQLite would let others read it.
    private static func makeFile(_ path: String) throws(StackError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            Glibc.close(descriptor)
        } else if errno == EEXIST {
            try checkFile(path)
        } else {
            throw Self.cannotOpen(path, errno)
        }
    }

    private static func cannotOpen(_ path: String, _ code: Int32) -> StackError {
        StackError(
            .store, .cannotOpen(path: path, reason: String(cString: strerror(code))), underlying: .system(code))
    }

    /// Says why there is no file to open, which SQLite does not.
    private static func checkFile(_ path: String) throws(StackError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Self.cannotOpen(path, errno)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Self.cannotOpen(path, EISDIR)
        }
    }

    private static func prepareSchema(
        in db: Database, path: String, options: Options, migrations: [Schema.Migration]
    ) throws {
        let migrator = Migrator(migrations)
        let isEmpty = try db.value(Int.self, "SELECT count(*) FROM sqlite_master") == 0
        let application = try db.value(Int.self, "PRAGMA application_id")
        guard isEmpty || application == Schema.applicationID else {
            throw StackError(.store, .notAStore(path: path))
        }
        let version = try db.value(Int.self, "PRAGMA user_version") ?? 0
        let isNewer = try version > (migrations.last?.number ?? 0) || migrator.isSuperseded(in: db)
        if !isEmpty && isNewer { throw StackError(.store, .newer(path: path)) }
        if options.isReadOnly {
            guard try migrator.isComplete(in: db) else { throw StackError(.store, .readOnly(path: path)) }
            return
        }
        // Only now: a file of somebody else keeps its journal mode.
        _ = try db.value(String.self, "PRAGMA journal_mode = WAL")
        try migrator.migrate(db)
    }
}
