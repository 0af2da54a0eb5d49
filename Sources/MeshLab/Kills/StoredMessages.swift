import GRDBSQLite
import PocketMeshServices

/// What a store holds, read behind the back of the stack.
struct StoredMessages {
    struct Row: Hashable {
        var text: String
        /// How often it is there.
        var count: Int
        /// Whether the radio had taken it, for one of ours.
        var isSent: Bool
        var isDelivered: Bool
    }

    var rows: [Row] = []
    /// What SQLite and the store's own rules find wrong.
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

    /// What conversations count, and what is there to be counted.
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
