import CSQLite

/// Prepared statements with their values bound straight to the C library.
///
/// They are compiled once per connection. Each runs to its end, or is reset, before its function returns, so that no
/// two uses of one statement overlap.
extension Database {
    /// Runs a statement to its end; how many rows it changed.
    @discardableResult
    func run<each V: ColumnValue>(_ sql: String, _ values: repeat each V) throws -> Int {
        try withStatement(sql, repeat each values) { statement in
            try step(statement)
            return changes
        }
    }

    /// Runs a statement that must find its row.
    func changeOne<each V: ColumnValue>(
        _ sql: String, _ values: repeat each V, orThrow reason: StackError.Reason
    ) throws {
        guard try run(sql, repeat each values) > 0 else { throw StackError(.store, reason) }
    }

    /// Runs an `INSERT` made by `StoredRow` for a row; how many rows it changed.
    @discardableResult
    func run<R: StoredRow>(_ sql: String, row: R) throws -> Int {
        let statement = try statement(sql)
        defer { sqlite3_reset(statement) }
        var binder = ColumnBinder(statement)
        var row = row
        row.walk(&binder)
        try check(binder.code)
        try step(statement)
        return changes
    }

    /// All rows of a `SELECT` made by `StoredRow`.
    func rows<R: StoredRow, each V: ColumnValue>(_: R.Type, _ sql: String, _ values: repeat each V) throws -> [R] {
        try withStatement(sql, repeat each values) { statement in
            var rows: [R] = []
            while try step(statement) { rows.append(try readRow(statement)) }
            return rows
        }
    }

    /// The first row of a `SELECT` made by `StoredRow`.
    func row<R: StoredRow, each V: ColumnValue>(_: R.Type, _ sql: String, _ values: repeat each V) throws -> R? {
        try withStatement(sql, repeat each values) { statement in
            guard try step(statement) else { return nil }
            let row: R = try readRow(statement)
            try finish(statement)
            return row
        }
    }

    /// One column of all rows, the first one by default.
    func values<T: ColumnValue, each V: ColumnValue>(
        _: T.Type, column: CInt = 0, _ sql: String, _ values: repeat each V
    ) throws -> [T] {
        try withStatement(sql, repeat each values) { statement in
            var found: [T] = []
            while try step(statement) {
                guard let value = T(column: column, of: statement) else { throw StackError(.store, .invalidData) }
                found.append(value)
            }
            return found
        }
    }

    /// The first column of the first row.
    func value<T: ColumnValue, each V: ColumnValue>(_: T.Type, _ sql: String, _ values: repeat each V) throws -> T? {
        try withStatement(sql, repeat each values) { statement in
            guard try step(statement) else { return nil }
            guard let value = T(column: 0, of: statement) else { throw StackError(.store, .invalidData) }
            try finish(statement)
            return value
        }
    }

    /// Finishes a change that returns its rows: it is done only when the last of them was read.
    private func finish(_ statement: SQLiteStatement) throws {
        guard sqlite3_stmt_readonly(statement) == 0 else { return }
        while try step(statement) {}
    }

    private func readRow<R: StoredRow>(_ statement: SQLiteStatement) throws -> R {
        var reader = ColumnReader(statement)
        var row = R()
        row.walk(&reader)
        guard reader.failure == nil else { throw StackError(.store, .invalidData) }
        return row
    }

    private func withStatement<T, each V: ColumnValue>(
        _ sql: String, _ values: repeat each V, body: (SQLiteStatement) throws -> T
    ) throws -> T {
        let statement = try statement(sql)
        defer { sqlite3_reset(statement) }
        var binder = ColumnBinder(statement)
        repeat binder.bind(each values)
        try check(binder.code)
        return try body(statement)
    }

    /// Steps the statement, and returns whether it stands on a row.
    @discardableResult
    private func step(_ statement: SQLiteStatement) throws -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        try check(code)
        return false
    }
}
