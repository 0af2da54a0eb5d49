extension ReportMatrix {
    /// The matrix of a compliance run as reports draw it: a row for each command and frame, a column for each thing that
    /// several rows share.
    ///
    /// Where a row has several cells of a column (two optional fields, two shortest lengths), the one seen least counts.
    init(_ matrix: CoverageMatrix) {
        let sources = matrix.commands + matrix.frames
        var columns: [String] = []
        for aspect in CoverageMatrix.Aspect.allCases {
            for cell in sources.flatMap({ $0.cells(aspect) }) where !columns.contains(cell.column) {
                columns.append(cell.column)
            }
        }
        self.init(
            title: "Matrix", caption: "How often each part of the protocol's table went over the link.",
            rows: sources.map(\.name), columns: columns)
        for (row, source) in sources.enumerated() {
            for (column, name) in columns.enumerated() {
                let counts = source.cells.filter { $0.column == name }.map(\.seen)
                if let least = counts.min() { cells.append(Cell(row: row, column: column, count: least)) }
            }
        }
    }
}

extension CoverageMatrix.Cell {
    /// The name without what belongs to its row alone: lengths in bytes, names of fields.
    fileprivate var column: String {
        switch aspect {
        case .length: String(name.split(separator: " ", maxSplits: 1).last ?? "")
        case .tail: name.hasPrefix("without") ? "without tail" : "with tail"
        case .push: "push " + name
        case .reply, .error: name
        }
    }
}
