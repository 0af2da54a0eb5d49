/// Brings the tables of a file up to date, step by step.
///
/// The steps that a file has are the rows of its table `grdb_migrations`. Earlier versions wrote it with the library
/// GRDB, and it goes on as it is, so that they refuse the files of later ones.
struct Migrator {
    private let migrations: [Schema.Migration]
    private static let table = "grdb_migrations"

    init(_ migrations: [Schema.Migration]) {
        self.migrations = migrations
    }

    /// Returns whether the file has a step that this version does not know.
    func isSuperseded(in db: Database) throws -> Bool {
        let known = migrations.map(\.identifier)
        return try applied(in: db).contains { !known.contains($0) }
    }

    /// Returns whether the file has all steps.
    func isComplete(in db: Database) throws -> Bool {
        let applied = try applied(in: db)
        return migrations.allSatisfy { applied.contains($0.identifier) }
    }

    /// Makes the steps that the file lacks, each in one transaction with its row.
    func migrate(_ db: Database) throws {
        let made = try applied(in: db)
        for migration in migrations where !made.contains(migration.identifier) {
            try db.transaction { db in
                // Read under the write lock: another process may have made the step in the meantime.
                guard try !applied(in: db).contains(migration.identifier) else { return }
                try db.execute("CREATE TABLE IF NOT EXISTS \(Self.table) (identifier TEXT NOT NULL PRIMARY KEY)")
                try db.execute(migration.sql)
                try db.execute("PRAGMA user_version = \(migration.number)")
                try db.run("INSERT INTO \(Self.table) (identifier) VALUES (?1)", migration.identifier)
            }
        }
    }

    private func applied(in db: Database) throws -> [String] {
        let table = try db.value(Int.self, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", Self.table)
        return table == nil ? [] : try db.values(String.self, "SELECT identifier FROM \(Self.table)")
    }
}

extension Schema.Migration {
    /// The step in the file's own table.
    fileprivate var identifier: String { "\(number)" }
}
