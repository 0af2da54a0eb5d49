// What the database is asked, for those who count it. Nothing of it runs in an app.
extension PersistenceStore {
    /// Calls `note` with the SQL of each statement at its start; `nil` ends that.
    ///
    /// Statements that begin and end transactions are among them.
    package nonisolated func traceStatements(_ note: (@Sendable (String) -> Void)?) throws(StackError) {
        try read { db in db.trace(note) }
    }

    /// Returns SQLite's plan of a statement: the lines of `EXPLAIN QUERY PLAN`, such as `SEARCH message USING INDEX …`.
    package nonisolated func queryPlan(of sql: String) throws(StackError) -> [String] {
        try read { db in try db.values(String.self, column: 3, "EXPLAIN QUERY PLAN " + sql) }
    }
}
