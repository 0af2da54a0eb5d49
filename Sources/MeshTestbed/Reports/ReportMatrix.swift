/// A table of counts: how often each combination of two things was seen.
///
/// Cells that can be are there, with 0 when they were not seen; combinations that cannot be have no cell.
public struct ReportMatrix: Hashable, Sendable {
    public struct Cell: Hashable, Sendable {
        /// An index of `rows`.
        public var row: Int
        /// An index of `columns`.
        public var column: Int
        public var count: Int

        public init(row: Int, column: Int, count: Int) {
            self.row = row
            self.column = column
            self.count = count
        }
    }

    public var title: String
    /// A sentence on what is counted.
    public var caption: String
    public var rows: [String]
    public var columns: [String]
    /// At most one for each row and column, in any order.
    public var cells: [Cell]

    public init(title: String, caption: String = "", rows: [String], columns: [String], cells: [Cell] = []) {
        self.title = title
        self.caption = caption
        self.rows = rows
        self.columns = columns
        self.cells = cells
    }

    /// The cells that were never seen, row by row.
    public var empty: [Cell] {
        cells.filter { $0.count == 0 }.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    }

    /// Cells that were seen at least once.
    public var seen: Int { cells.count { $0.count > 0 } }

    /// `SET_RADIO_PARAMS × illegalArg`.
    func name(of cell: Cell) -> String {
        (rows.indices ~= cell.row ? rows[cell.row] : "?") + " × "
            + (columns.indices ~= cell.column ? columns[cell.column] : "?")
    }
}
