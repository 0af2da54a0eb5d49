import MeshWire

/// Rows under a heading, in columns as wide as their widest cell.
enum TextTable {
    static func lines(_ heading: [String], _ rows: [[String]], indent: String = "  ") -> [String] {
        // Before the columns are measured: what is made visible is longer than it was.
        let all = ([heading] + rows).map { $0.map(\.visibleLine) }
        let widths = heading.indices.map { column in
            all.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
        }
        return all.map { row in
            let cells = row.enumerated().map { column, cell in
                let isLast = column == row.count - 1
                return isLast ? cell : cell.padded(to: widths[column])
            }
            return indent + cells.joined(separator: "  ")
        }
    }
}
