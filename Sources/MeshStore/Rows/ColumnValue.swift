import CSQLite
import FoundationEssentials
import MeshFiles

/// A value of one column.
///
/// The library's own conversions end a text at its first NUL; received texts may hold one anywhere.
protocol ColumnValue {
    /// Binds the value to a parameter, counted from 1; the library's result code.
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt
    /// The value of a column, counted from 0; `nil` when something else stands there.
    init?(column index: CInt, of statement: SQLiteStatement)
}

/// Binds bytes of which the library makes its own copy.
private nonisolated func bindCopy(
    _ memory: UnsafeRawBufferPointer, to statement: SQLiteStatement, at index: CInt, isText: Bool
) -> CInt {
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // A nil pointer would mean NULL, and the memory of an empty value may have none.
    guard let start = memory.baseAddress, !memory.isEmpty else {
        return isText ? sqlite3_bind_text(statement, index, "", 0, nil) : sqlite3_bind_zeroblob(statement, index, 0)
    }
    let count = UInt64(memory.count)
    guard isText else { return sqlite3_bind_blob64(statement, index, start, count, copies) }
    let characters = start.assumingMemoryBound(to: CChar.self)
    return sqlite3_bind_text64(statement, index, characters, count, copies, UInt8(SQLITE_UTF8))
}

/// The bytes of a text or blob column.
private func columnBytes(_ statement: SQLiteStatement, _ index: CInt) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(statement, index)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index)))
}

extension ColumnValue where Self: FixedWidthInteger {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        sqlite3_bind_int64(statement, index, Int64(clamping: self))
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
        self.init(exactly: sqlite3_column_int64(statement, index))
    }
}

extension Int: ColumnValue {}
extension Int64: ColumnValue {}
extension Int16: ColumnValue {}
extension Int8: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt8: ColumnValue {}

extension Bool: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard let number = Int(column: index, of: statement), 0...1 ~= number else { return nil }
        self = number == 1
    }
}

extension Double: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        sqlite3_bind_double(statement, index, self)
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard sqlite3_column_type(statement, index) == SQLITE_FLOAT else { return nil }
        self = sqlite3_column_double(statement, index)
    }
}

extension String: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        var text = self
        return text.withUTF8 { bindCopy(UnsafeRawBufferPointer($0), to: statement, at: index, isText: true) }
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT else { return nil }
        self.init(decoding: columnBytes(statement, index), as: UTF8.self)
    }
}

extension Data: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        withUnsafeBytes { bindCopy($0, to: statement, at: index, isText: false) }
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { return nil }
        self.init(columnBytes(statement, index))
    }
}

extension UUID: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        withUnsafeBytes(of: uuid) { bindCopy($0, to: statement, at: index, isText: false) }
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        let bytes = columnBytes(statement, index)
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB, bytes.count == 16 else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

/// Dates are stored as whole UTC seconds since 1970.
extension Date: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        wholeSecondsSince1970.bind(to: statement, at: index)
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard let seconds = Int64(column: index, of: statement) else { return nil }
        self.init(timeIntervalSince1970: Double(seconds))
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        if sqlite3_column_type(statement, index) == SQLITE_NULL {
            // Not `return nil`: the column holds what it should.
            self = Wrapped?.none
        } else if let value = Wrapped(column: index, of: statement) {
            self = value
        } else {
            return nil
        }
    }
}

/// Enumerations are stored by their raw value; one that this version does not know is refused.
extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        rawValue.bind(to: statement, at: index)
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard let raw = RawValue(column: index, of: statement) else { return nil }
        self.init(rawValue: raw)
    }
}

/// A list of names is stored as a JSON array.
extension [String]: ColumnValue {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        guard let json = try? JSONEncoder().encode(self) else { return SQLITE_MISMATCH }
        return String(decoding: json, as: UTF8.self).bind(to: statement, at: index)
    }

    init?(column index: CInt, of statement: SQLiteStatement) {
        guard let json = String(column: index, of: statement),
            let names = try? [String](json: [UInt8](json.utf8))
        else { return nil }
        self = names
    }
}
