import MeshTime
import MeshWire

extension StudyResult {
    /// The study as an article for a documentation catalog, in Markdown.
    package func article(command: String, provenance: [String]) -> String {
        let first = plan.arms[0].name
        var lines = ["# \(plan.question.isEmpty ? plan.name : plan.question)", "", summary(first), ""]
        lines += ["## Overview", ""]
        lines += plan.threads.map { "- <\($0)>" }
        lines +=
            ["", "```", command, "```", "", "```"] + provenance + [
                "world \(plan.world), \(plan.span.milliseconds / 1000) s of each seed, \(seeds) of \(plan.seeds) seeds",
                "```",
            ]
        for arm in plan.others {
            lines += ["", "## \(arm.name)", ""] + Self.table(comparisons.filter { $0.arm == arm.name }, first)
        }
        lines += ["", "## Control", "", "The arm \(first) against itself on other random numbers.", ""]
        lines += Self.table(control, first)
        lines += ["", "## Kinder than air", ""] + assumptions.map { "- \($0)" }
        return lines.map(\.visibleLine).joined(separator: "\n") + "\n"
    }

    private func summary(_ first: String) -> String {
        guard isValid else { return "The control differs from its equal: no verdict of this study counts." }
        return plan.others.map { arm in
            let findings = comparisons.filter { $0.arm == arm.name }.map { row in
                "\(row.metric.name) \(row.words(first: first))"
            }
            return "\(arm.name) against \(first): \(findings.joined(separator: ", "))."
        }
        .joined(separator: " ")
    }

    private static func table(_ rows: [Comparison], _ first: String) -> [String] {
        let head = "| Metric | \(first) | Arm | Difference | Interval | Margin | Verdict |"
        return [head, "|---|---|---|---|---|---|---|"]
            + rows.map { row in
                let cells = [
                    row.metric.summary, short(row.firstMean), short(row.armMean), signed(row.last.effect),
                    "\(signed(row.last.low)) to \(signed(row.last.high))", short(row.margin), row.words(first: first),
                ]
                return "| " + cells.joined(separator: " | ") + " |"
            }
    }
}
