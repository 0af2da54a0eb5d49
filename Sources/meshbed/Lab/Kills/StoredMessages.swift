import CSQLite
import PocketMeshServices

/// The contents of a store, read without the stack.
struct StoredMessages {
    struct Row: Hashable {
        var text: String
        /// The number of rows with that text.
        var count: Int
        /// Tells whether the radio had accepted it, for one of ours.
        var isSent: Bool
        var isDelivered: Bool
    }

    var rows: [Row] = []
    /// Problems that SQLite and the store's own rules find.
    var problems: [String] = []

    init() {}

    /// Opens the store as the app would, then reads it. Throws when it does not open.
    init(_ path: String) async throws {
        let store = try PersistenceStore(path: path)
        problems = try await store.integrityProblems()
        try await store.close()
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            throw StackError(.store, .cannotOpen(path: path, reason: "SQLite does not open it"))
        }
        Self.each(
            "SELECT text, count(*), max(status NOT IN (0, 1)), max(status = 3) FROM message GROUP BY text", connection
        ) {
            rows.append(
                Row(
                    text: String(cString: sqlite3_column_text($0, 0)), count: Int(sqlite3_column_int64($0, 1)),
                    isSent: sqlite3_column_int64($0, 2) != 0, isDelivered: sqlite3_column_int64($0, 3) != 0))
        }
        Self.each(Self.unread, connection) {
            let counted = sqlite3_column_int64($0, 0)
            let unread = sqlite3_column_int64($0, 1)
            if counted != unread { problems.append("\(counted) messages are counted as unread, \(unread) are") }
        }
    }

    /// Selects the unread counts of conversations, and the number of unread messages.
    private static let unread = """
        SELECT (SELECT coalesce(sum(unreadCount), 0) FROM contact) + (SELECT coalesce(sum(unreadCount), 0) FROM channel),
        (SELECT count(*) FROM message
            WHERE direction = 0 AND NOT isRead AND (contactID IS NOT NULL OR channelID IS NOT NULL))
        """

    private static func each(_ sql: String, _ connection: OpaquePointer?, _ body: (OpaquePointer?) -> Void) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return }
        while sqlite3_step(statement) == SQLITE_ROW { body(statement) }
    }
}
