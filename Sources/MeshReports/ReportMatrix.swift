/// A table of counts: how often each combination of two things was seen.
///
/// Cells that can be are there, with 0 when they were not seen; combinations that cannot be have no cell. Where a row
/// and a column have several things to see, each has a cell with its name.
public struct ReportMatrix: Hashable, Sendable {
    /// A count in one row and one column.
    public struct Cell: Hashable, Sendable {
        /// An index of `rows`.
        public var row: Int
        /// An index of `columns`.
        public var column: Int
        /// The name of the count, where row and column do not say it: `ILLEGAL_ARG`, `36 shortest`.
        public var name: String
        /// The number of times that it was seen.
        public var count: Int

        public init(row: Int, column: Int, name: String = "", count: Int) {
            self.row = row
            self.column = column
            self.name = name
            self.count = count
        }
    }

    /// The title: the thing that is counted.
    public var title: String
    /// A sentence on what is counted.
    public var caption: String
    /// The names of the rows, from top to bottom.
    public var rows: [String]
    /// The names of the columns, from left to right.
    public var columns: [String]
    /// At most one for each row, column and name; those of a row and a column in the order in which they are shown.
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
        cells.enumerated().filter { $0.element.count == 0 }
            .sorted { ($0.element.row, $0.element.column, $0.offset) < ($1.element.row, $1.element.column, $1.offset) }
            .map(\.element)
    }

    /// Cells that were seen at least once.
    public var seen: Int { cells.count { $0.count > 0 } }

    /// `SET_RADIO_PARAMS × error: ILLEGAL_ARG`.
    func name(of cell: Cell) -> String {
        (rows.indices ~= cell.row ? rows[cell.row] : "?") + " × "
            + (columns.indices ~= cell.column ? columns[cell.column] : "?")
            + (cell.name.isEmpty ? "" : ": " + cell.name)
    }
}
