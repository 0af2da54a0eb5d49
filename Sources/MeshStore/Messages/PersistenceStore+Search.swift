public import Foundation
import GRDB

extension PersistenceStore {
    /// The newest messages of a radio whose text has these characters in it, oldest first; letters of ASCII match in
    /// either case. With a thread, of that thread alone; with an anchor (a `receivedOrder`), of those before it alone.
    public func searchMessages(
        deviceID: UUID, for text: String, in thread: MessageThread? = nil, limit: Int = 50, before anchor: Int64? = nil
    ) throws(StackError) -> [MessageDTO] {
        let matches =
            "AND receivedOrder < ?5 AND instr(lower(text), lower(?3)) > 0 ORDER BY receivedOrder DESC LIMIT ?4"
        return try read { db in
            let newestFirst =
                if let thread {
                    try db.rows(
                        MessageDTO.self, MessageDTO.select("WHERE \(thread.condition) \(matches)"), deviceID,
                        thread.value, text, max(0, limit), anchor ?? .max)
                } else {
                    try db.rows(
                        MessageDTO.self, MessageDTO.select("WHERE deviceID = ?1 AND ?2 \(matches)"), deviceID, true,
                        text, max(0, limit), anchor ?? .max)
                }
            return newestFirst.reversed()
        }
    }

    /// Contacts of a radio whose name or nickname has these characters in it, or whose key begins with them in hex, by
    /// name; letters of ASCII match in either case.
    public func searchContacts(
        deviceID: UUID, for text: String, limit: Int = 100
    ) throws(StackError) -> [ContactDTO] {
        let condition = """
            WHERE deviceID = ?1 AND NOT isDiscovered AND (instr(lower(name), lower(?2)) > 0
            OR instr(lower(coalesce(nickname, '')), lower(?2)) > 0 OR instr(lower(hex(publicKey)), lower(?2)) = 1)
            ORDER BY lower(coalesce(nickname, name)), id LIMIT ?3
            """
        return try read { db in
            try db.rows(ContactDTO.self, ContactDTO.select(condition), deviceID, text, max(0, limit))
        }
    }
}
