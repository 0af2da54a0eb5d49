import MeshStudy
import MeshWire

extension FirmwareComparisonReport {
    /// Details of a finding that a text shows; files have all.
    private static let mostDetails = 6
    /// Names of statements in one line.
    private static let mostNames = 8

    /// The report for people: the answer, the differences by weight, the table, the state, the method and the caveats.
    ///
    /// Every detail has a line when `isVerbose` is set.
    package func text(isVerbose: Bool = false) -> String {
        var lines = [answer]
        for weight in FindingWeight.allCases {
            let found = findings.filter { $0.weight == weight }
            guard !found.isEmpty else { continue }
            lines += ["", "\(weight.title) (\(found.count))"]
            for finding in found {
                lines.append("  \(finding.id)  \(finding.title)")
                let most = isVerbose ? finding.details.count : Self.mostDetails
                lines += finding.details.prefix(most).map { "      " + $0 }
                let rest = finding.details.count - most
                if rest > 0 { lines.append("      and \(rest) more; --verbose shows them") }
            }
        }
        if !tableLines.isEmpty {
            lines += ["", "By the table of versions (\(tableLines.count))"] + tableLines.map { "  " + $0 }
        }
        if !fates.isEmpty { lines += ["", "Stored values"] + Self.columns([Self.stateColumns] + stateRows) }
        if let mesh {
            lines += ["", "Mesh on the way: \(mesh.plan.world)"]
            lines += Self.columns(
                [["stage", "metric", "old → stage", "difference", "verdict"]]
                    + mesh.comparisons.map { [$0.arm, $0.metric.name, $0.means, $0.interval, Self.words($0.verdict)] })
        }
        let uncompared = uncomparedLines(most: isVerbose ? .max : Self.mostNames)
        if !uncompared.isEmpty {
            lines += ["", "Not compared (\(uncompared.count))"] + uncompared.map { "  " + $0 }
        }
        if !unaskedLines.isEmpty { lines += ["", "Not asked of a report"] + unaskedLines.map { "  " + $0 } }
        lines += ["", "Method"] + method.map { "  " + $0 }
        lines += ["", "Caveats (\(caveats.count))"] + caveats.map { "  " + $0 }
        return lines.joinedVisibleLines + "\n"
    }

    /// Cells in columns as wide as their longest cell.
    private static func columns(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(\.visibleLine) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(to: $1) }
            return "  " + cells.joined(separator: "  ").trimmed
        }
    }
}
