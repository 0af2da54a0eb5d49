import Foundation

extension BenchComparison {
    /// A table for people.
    var text: String {
        var lines: [String] = []
        if isOfAnotherMachine { lines.append("The old figures are of another machine: only counts compare.") }
        let width = max(6, rows.map(\.figure.label.count).max() ?? 0) + 2
        lines.append(
            "figure".padding(toLength: width, withPad: " ", startingAt: 0)
                + "         old         new   ratio  95 %             verdict")
        lines += rows.map { row in
            row.figure.label.padding(toLength: width, withPad: " ", startingAt: 0)
                + Self.right(row.old.map(row.figure.text) ?? "-", 12)
                + Self.right(row.new.map(row.figure.text) ?? "-", 12)
                + Self.right(row.ratio.map { String(format: "%.3f", $0) } ?? "n/a", 8)
                + "  " + Self.interval(row).padding(toLength: 17, withPad: " ", startingAt: 0) + row.verdict.rawValue
        }
        lines += changedDigests.map { "The digest of \($0) has changed." }
        return lines.joined(separator: "\n")
    }

    private static func interval(_ row: Row) -> String {
        if row.figure.kind == .count { return "exact" }
        return row.interval.map { String(format: "%.3f…%.3f", $0.lowerBound, $0.upperBound) } ?? "n/a"
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}

extension BenchFigure {
    fileprivate var label: String { unit.isEmpty ? name : "\(name), \(unit)" }

    fileprivate func text(_ value: Double) -> String {
        kind == .count ? String(format: "%.0f", value) : String(format: "%.4g", value)
    }
}
