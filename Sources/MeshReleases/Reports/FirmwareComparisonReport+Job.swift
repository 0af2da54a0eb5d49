package import MeshReports
import MeshWire

extension FirmwareComparisonReport: JobResult {
    /// The summary in Markdown: the answer, then the differences by weight.
    package var jobSummary: String {
        let sign = counting.isEmpty ? "✓" : "✗"
        var lines = [
            "## \(sign) From \(old.name.markdownEscaped) to \(new.name.markdownEscaped)", "",
            "**\(answer.markdownEscaped)**", "",
        ]
        if !findings.isEmpty {
            lines += ["| weight | difference | details |", "|---|---|--:|"]
            lines += findings.map { finding in
                "| \(finding.weight.rawValue) | \(finding.id.markdownEscaped) \(finding.title.markdownEscaped) "
                    + "| \(finding.details.count) |"
            }
            lines.append("")
        }
        lines += ["<details><summary>Caveats (\(caveats.count))</summary>", ""]
        lines += caveats.map { "- \($0.markdownEscaped)" } + ["", "</details>"]
        return lines.joined(separator: "\n") + "\n\n"
    }

    package var badge: StatusBadge {
        StatusBadge(
            label: "\(old.name) to \(new.name)",
            message: counting.isEmpty ? "no difference" : counting.count.counted("difference"),
            counting.isEmpty ? .good : .bad)
    }

    package func annotations(_ policy: ExitPolicy) -> [WorkflowCommand] {
        WorkflowCommand.shown(
            counting.map { finding in
                WorkflowCommand(
                    policy.level, title: "\(finding.weight.title): \(finding.id)",
                    [finding.title] + finding.details)
            })
    }
}
