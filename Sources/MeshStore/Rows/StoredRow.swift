import CSQLite
import FoundationEssentials

/// A value that is one row of a table.
///
/// It walks its columns once. Reader, binder and the SQL are made from that walk, so that they cannot disagree.
protocol StoredRow: Sendable {
    static var table: String { get }
    /// The columns in the order of the walk.
    static var columns: [String] { get }
    /// Makes a row whose values are about to be read.
    init()
    mutating func walk<W: ColumnWalker>(_ w: inout W)
}

/// A visitor of the columns of a row.
protocol ColumnWalker {
    mutating func column<V: ColumnValue>(_ name: StaticString, _ value: inout V)
    /// Visits a column whose value the database gives to a new row.
    mutating func assigned(_ name: StaticString, _ value: inout Int64)
}

extension ColumnWalker {
    mutating func assigned(_ name: StaticString, _ value: inout Int64) { column(name, &value) }
}

extension StoredRow {
    /// The names of the columns, for the `columns` of a row type.
    static func walkedColumns() -> [String] {
        var namer = ColumnNamer()
        var row = Self()
        row.walk(&namer)
        return namer.names
    }

    private static var columnList: String { columns.joined(separator: ", ") }

    /// `SELECT` of all columns, followed by `rest`.
    static func select(_ rest: String) -> String { "SELECT \(columnList) FROM \(table) \(rest)" }

    /// `INSERT` of all columns, followed by `rest`.
    static func insert(_ rest: String = "") -> String {
        let marks = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(columnList)) VALUES (\(marks)) \(rest)"
    }

    /// `INSERT`, or an `UPDATE` of all but the `kept` columns where a row with these keys is there.
    static func upsert(on keys: [String], keeping kept: Set<String>) -> String {
        let changed = columns.filter { !keys.contains($0) && !kept.contains($0) }
            .map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return insert("ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET \(changed)")
    }
}

private struct ColumnNamer: ColumnWalker {
    var names: [String] = []

    mutating func column<V: ColumnValue>(_ name: StaticString, _ value: inout V) {
        names.append("\(name)")
    }
}

/// Binds the columns of a row to the parameters of a statement.
struct ColumnBinder: ColumnWalker {
    let statement: SQLiteStatement
    private var index: CInt = 0
    /// The first result code that was not `SQLITE_OK`.
    private(set) var code = SQLITE_OK

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    mutating func column<V: ColumnValue>(_ name: StaticString, _ value: inout V) {
        bind(value)
    }

    mutating func assigned(_ name: StaticString, _ value: inout Int64) {
        bind(Int64?.none)
    }

    mutating func bind(_ value: some ColumnValue) {
        index += 1
        guard code == SQLITE_OK else { return }
        code = value.bind(to: statement, at: index)
    }
}

/// Reads the columns of a row from a statement that stands on one.
struct ColumnReader: ColumnWalker {
    let statement: SQLiteStatement
    private var index: CInt = 0
    /// The first column whose value this version does not understand.
    private(set) var failure: StaticString?

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    mutating func column<V: ColumnValue>(_ name: StaticString, _ value: inout V) {
        if let read = V(column: index, of: statement) {
            value = read
        } else if failure == nil {
            failure = name
        }
        index += 1
    }
}
