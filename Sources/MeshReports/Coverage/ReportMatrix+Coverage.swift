extension ReportMatrix {
    /// The matrix of a compliance run for reports: a row for each command and frame, and a column for each aspect.
    /// Every cell has its name.
    package init(_ matrix: CoverageMatrix) {
        let sources = matrix.commands + matrix.frames
        let aspects = CoverageMatrix.Aspect.allCases
        self.init(
            title: "Matrix", caption: "How often each part of the protocol's table went over the link.",
            rows: sources.map(\.name), columns: aspects.map(\.rawValue))
        for (row, source) in sources.enumerated() {
            for (column, aspect) in aspects.enumerated() {
                cells += source.cells(aspect).map { Cell(row: row, column: column, name: $0.name, count: $0.seen) }
            }
        }
    }
}
