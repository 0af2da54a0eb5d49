import MeshWire

extension BenchComparison {
    /// A table for people.
    package var text: String {
        var lines: [String] = []
        if isOfAnotherMachine { lines.append("The old figures are of another machine: only counts compare.") }
        let width = max(6, rows.map(\.figure.label.count).max() ?? 0) + 2
        lines.append(
            "figure".padded(to: width)
                + "         old         new   ratio  95 %             verdict")
        lines += rows.map { row in
            row.figure.label.padded(to: width)
                + (row.old.map(row.figure.text) ?? "-").alignedRight(to: 12, gap: 1)
                + (row.new.map(row.figure.text) ?? "-").alignedRight(to: 12, gap: 1)
                + (row.ratio.map { $0.fixed(3) } ?? "n/a").alignedRight(to: 8, gap: 1)
                + "  " + Self.interval(row).padded(to: 17) + row.verdict.rawValue
        }
        lines += changedDigests.map { "The digest of \($0) has changed." }
        return lines.joined(separator: "\n")
    }

    private static func interval(_ row: Row) -> String {
        if row.figure.kind == .count { return "exact" }
        return row.interval.map { "\($0.lowerBound.fixed(3))…\($0.upperBound.fixed(3))" } ?? "n/a"
    }
}

extension BenchFigure {
    fileprivate var label: String { unit.isEmpty ? name : "\(name), \(unit)" }

    fileprivate func text(_ value: Double) -> String {
        kind == .count ? value.fixed(0) : value.significant(4)
    }
}
