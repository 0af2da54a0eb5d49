public import FoundationEssentials
import MeshWire

// Searching reads every text, newest first, and stops at the end of a page. Measured with 100,000 messages of 60 bytes:
// a page that is found nowhere costs 0.06 s, with letters beyond ASCII 0.5 s (debug build), one that is found often
// less than 1 ms. An index of trigrams (FTS5) would answer in 1 ms, but it makes an insert three to five times as
// expensive and the file half as large again, and needs three letters. So there is none.
extension PersistenceStore {
    /// Returns the contacts of a radio with these characters in their name or nickname, by shown name.
    ///
    /// Upper and lower case are equal, and every character stands for itself. From two hexadecimal digits on, `text`
    /// may be the beginning of a key. An empty text finds nothing.
    ///
    /// - Parameter includingDiscovered: Whether contacts that were heard and not added are found as well.
    public func searchContacts(
        deviceID: UUID, for text: String, includingDiscovered: Bool = false, limit: Int = 50
    ) throws(StackError) -> [ContactDTO] {
        guard !text.isEmpty else { return [] }
        let term = SearchTerm(text)
        let matches = "(\(term.isIn("name")) OR \(term.isIn("nickname")) OR ?4 <> '' AND instr(hex(publicKey), ?4) = 1)"
        let sql = ContactDTO.select(
            """
            WHERE deviceID = ?1 AND (?2 OR NOT isDiscovered) AND \(matches)
            ORDER BY coalesce(nullif(nickname, ''), name), id LIMIT ?5
            """)
        return try read { db in
            try db.rows(
                ContactDTO.self, sql, deviceID, includingDiscovered, term.value, SearchTerm.keyPrefix(text) ?? "",
                max(0, limit))
        }
    }

    /// The newest messages of a radio with these characters in their text, direct or on channels, oldest first.
    ///
    /// Upper and lower case are equal, and every character stands for itself. An empty text finds nothing. Without a
    /// thread nothing of blocked contacts is found.
    ///
    /// - Parameters:
    ///   - thread: The conversation; `nil` for all.
    ///   - anchor: Only what arrived before (a `receivedOrder`): that of the first message of the page before.
    public func searchMessages(
        deviceID: UUID, for text: String, in thread: MessageThread? = nil, limit: Int = 50, before anchor: Int64? = nil
    ) throws(StackError) -> [MessageDTO] {
        guard !text.isEmpty else { return [] }
        let term = SearchTerm(text)
        let matches = "AND \(term.isIn("text")) AND receivedOrder < ?4 ORDER BY receivedOrder DESC LIMIT ?5"
        // The sign keeps the radio's index out: the rows are read in the order of the page, and no more than needed.
        let unblocked = """
            +deviceID = ?1 AND ?2 AND NOT EXISTS (
                SELECT 1 FROM contact c WHERE c.deviceID = ?1 AND c.isBlocked
                AND (c.id = message.contactID OR c.name = message.senderNodeName))
            """
        return try read { db in
            let (anchor, limit) = (anchor ?? .max, max(0, limit))
            let newestFirst =
                if let thread {
                    try db.rows(
                        MessageDTO.self, MessageDTO.select("WHERE \(thread.condition) \(matches)"), deviceID,
                        thread.value, term.value, anchor, limit)
                } else {
                    try db.rows(
                        MessageDTO.self, MessageDTO.select("WHERE \(unblocked) \(matches)"), deviceID, true,
                        term.value, anchor, limit)
                }
            return newestFirst.reversed()
        }
    }

    /// The newest posts in the rooms of a radio with these characters in their text, by arrival, oldest first.
    ///
    /// Upper and lower case are equal, and every character stands for itself. An empty text finds nothing.
    ///
    /// - Parameters:
    ///   - sessionID: The session with the room; `nil` for all of the radio.
    ///   - anchor: Only what arrived before (a `receivedOrder`): that of the first post of the page before.
    public func searchRoomMessages(
        deviceID: UUID, for text: String, sessionID: UUID? = nil, limit: Int = 50, before anchor: Int64? = nil
    ) throws(StackError) -> [RoomMessageDTO] {
        guard !text.isEmpty else { return [] }
        let term = SearchTerm(text)
        let sql = RoomMessageDTO.select(
            """
            WHERE +sessionID IN (SELECT id FROM remoteNodeSession WHERE deviceID = ?1 AND (?2 IS NULL OR id = ?2))
            AND \(term.isIn("text")) AND receivedOrder < ?4 ORDER BY receivedOrder DESC LIMIT ?5
            """)
        return try read { db in
            try db.rows(RoomMessageDTO.self, sql, deviceID, sessionID, term.value, anchor ?? .max, max(0, limit))
                .reversed()
        }
    }
}

/// A text that a row must contain, in lower case; parameter 3 of a statement.
struct SearchTerm {
    private let text: String
    private let isASCII: Bool

    init(_ text: String) {
        self.text = text.lowercased()
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Bytes: a text may have a NUL anywhere.
    var value: Data { Data(text.utf8) }

    /// Returns the condition that a column has the text in it. SQLite's own `lower` folds ASCII alone.
    ///
    /// A column of ASCII alone holds no text with other characters, so it is not folded for one.
    func isIn(_ column: String) -> String {
        let bytes = "CAST(\(column) AS BLOB)"
        return isASCII
            ? "instr(lower(\(column)), CAST(?3 AS TEXT)) > 0"
            : "length(\(bytes)) <> length(\(column)) AND instr(\(Self.fold.name)(\(bytes)), ?3) > 0"
    }

    /// Folds a text of any script to lower case, as bytes.
    static let fold = DatabaseFunction(name: "meshFold") { bytes in
        Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
    }

    /// The beginning of a key as SQLite's `hex` writes it, where a text is one.
    static func keyPrefix(_ text: String) -> String? {
        2...64 ~= text.utf8.count && text.utf8.allSatisfy(\.isHexDigit) ? text.uppercased() : nil
    }
}
