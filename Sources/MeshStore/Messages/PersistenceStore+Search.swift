public import Foundation
import GRDB

extension PersistenceStore {
    /// The newest messages of a radio whose text has these characters in it, oldest first; letters of ASCII match in
    /// either case. With a thread, of that thread alone.
    public func searchMessages(
        deviceID: UUID, for text: String, in thread: MessageThread? = nil, limit: Int = 50
    ) throws(StackError) -> [MessageDTO] {
        let matches = "AND instr(lower(text), lower(?3)) > 0 ORDER BY receivedOrder DESC LIMIT ?4"
        return try read { db in
            let newestFirst =
                if let thread {
                    try db.rows(
                        MessageDTO.self, MessageDTO.select("WHERE \(thread.condition) \(matches)"), deviceID,
                        thread.value, text, max(0, limit))
                } else {
                    try db.rows(
                        MessageDTO.self, MessageDTO.select("WHERE deviceID = ?1 AND ?2 \(matches)"), deviceID, true,
                        text, max(0, limit))
                }
            return newestFirst.reversed()
        }
    }
}
