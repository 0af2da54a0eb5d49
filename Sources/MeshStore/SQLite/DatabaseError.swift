import CSQLite

/// A failure that SQLite reports.
///
/// It has neither the statement nor the values bound to it: an error is logged, and a message is private.
struct DatabaseError: Error, Hashable {
    /// SQLite's extended result code, such as `SQLITE_CONSTRAINT_FOREIGNKEY`.
    let code: CInt
    /// SQLite's own words, in English.
    let message: String

    /// The kind of failure, such as `SQLITE_CONSTRAINT`: the low byte of the extended code.
    var primaryCode: CInt { code & 0xFF }

    /// Makes an error with SQLite's general words for a code.
    init(code: CInt) {
        self.code = code
        message = String(cString: sqlite3_errstr(code))
    }

    /// Makes an error with words of one's own.
    init(code: CInt, message: String) {
        self.code = code
        self.message = message
    }
}
