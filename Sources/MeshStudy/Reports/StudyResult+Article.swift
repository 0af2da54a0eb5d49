import MeshWire

extension StudyResult {
    /// The study as an article for a documentation catalog, in Markdown, in the order of ``text``.
    package func article(command: String, provenance: [String]) -> String {
        var lines = ["# \(plan.question.isEmpty ? plan.name : plan.question)", "", answer[0], ""]
        lines += ["## Overview", ""] + answer.dropFirst().flatMap { [$0, ""] }
        for arm in plan.others {
            lines += ["### \(arm.name) against \(first)", ""] + table(comparisons(of: arm.name)) + [""]
        }
        lines += ["The \(StudyBar.legend).", "", "## Control", "", "The arm \(first) on other random numbers.", ""]
        lines += table(control)
        lines += ["", "## Method", ""] + method + [""] + plan.threads.map { "- <\($0)>" }
        lines += ["", "```", command, "```", "", "```"] + provenance + ["```"]
        lines += ["", "## \(Self.caveatsTitle) (\(caveats.count))", ""] + caveats.map { "- \($0)" }
        return lines.map(\.visibleLine).joined(separator: "\n") + "\n"
    }

    private func table(_ rows: [Comparison]) -> [String] {
        ["| Metric | Difference | Interval | Verdict | \(first) | Arm | Margin |", "|---|---|---|---|---|---|---|"]
            + rows.map { row in
                let cells = [
                    row.metric.summary, "`\(StudyBar(comparison: row).text)`", row.interval, row.words(first: first),
                    Self.short(row.firstMean), Self.short(row.armMean), Self.short(row.margin),
                ]
                return "| " + cells.joined(separator: " | ") + " |"
            }
    }
}
