/// Small values by name: preferences, intents, trusted contacts. Their meaning is up to the code that stores them.
public protocol SettingsStore: Sendable {
    /// The value under a name; `nil` where none is stored.
    func setting(forKey key: String) async throws(StackError) -> String?
    /// Stores a value; `nil` forgets it.
    func setSetting(_ value: String?, forKey key: String) async throws(StackError)
}

extension PersistenceStore: SettingsStore {
    public func setting(forKey key: String) throws(StackError) -> String? {
        try read { db in try db.value(String.self, "SELECT value FROM setting WHERE key = ?1", key) }
    }

    public func setSetting(_ value: String?, forKey key: String) throws(StackError) {
        try write { db in
            guard let value else {
                try db.run("DELETE FROM setting WHERE key = ?1", key)
                return
            }
            try db.run(
                """
                INSERT INTO setting (key, value) VALUES (?1, ?2)
                ON CONFLICT (key) DO UPDATE SET value = excluded.value
                """, key, value)
        }
    }
}
