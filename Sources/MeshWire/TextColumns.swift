extension String {
    /// The text at the left of a column, which is never narrower than the text.
    package func padded(to width: Int, gap: Int = 0) -> String {
        self + String(repeating: " ", count: max(gap, width - count))
    }

    /// The text at the right of a column, which is never narrower than the text.
    package func alignedRight(to width: Int, gap: Int = 0) -> String {
        String(repeating: " ", count: max(gap, width - count)) + self
    }
}

/// The cells of a table's row, whose texts end at the right of their columns.
package enum RightColumns {
    /// Joins texts, each with the width of its column.
    package static func row(_ cells: (text: String, width: Int)...) -> String {
        cells.map { $0.text.alignedRight(to: $0.width) }.joined()
    }
}
