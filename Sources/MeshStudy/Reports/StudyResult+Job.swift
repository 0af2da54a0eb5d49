package import MeshReports
import MeshTime

/// A study for the pages of a build server, with the origin of the run.
package struct StudyJobResult: JobResult {
    private let result: StudyResult
    private let provenance: [String]

    package init(_ result: StudyResult, provenance: [String]) {
        self.result = result
        self.provenance = provenance
    }

    private var first: String { result.first }

    /// The comparisons without a verdict.
    private var open: [StudyResult.Comparison] { result.comparisons.filter { $0.verdict == .inconclusive } }

    /// The answer in a few words.
    private var headline: String {
        guard result.isValid else { return "no verdict counts" }
        let count = result.comparisons.count
        return "\(count - open.count) of \(count) decided"
    }

    package var jobSummary: String {
        let plan = result.plan
        var lines = ["## \(result.isValid ? "✓" : "✗") Study \(plan.name.markdownEscaped): \(headline)", ""]
        if !plan.question.isEmpty { lines += [plan.question.markdownEscaped, ""] }
        lines += result.answer.flatMap { ["**\($0.markdownEscaped)**", ""] }
        lines += ["| arm | metric | difference | interval | margin | verdict |", "|---|---|---|---|--:|---|"]
        lines += result.comparisons.map(row)
        lines += ["", StudyBar.legend.markdownEscaped, ""] + result.method.map(\.markdownEscaped)
        lines += ["", provenance.map(\.markdownEscaped).joined(separator: " · "), ""]
        lines += ["<details><summary>\(StudyResult.caveatsTitle) (\(result.caveats.count))</summary>", ""]
        lines += result.caveats.map { "- \($0.markdownEscaped)" } + ["", "</details>"]
        return lines.joined(separator: "\n") + "\n\n"
    }

    private func row(_ each: StudyResult.Comparison) -> String {
        let cells = [
            each.arm.markdownEscaped, each.metric.name.markdownEscaped, "`\(StudyBar(comparison: each).text)`",
            each.interval.markdownEscaped, StudyResult.short(each.margin), each.words(first: first).markdownEscaped,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// Required is a quiet control; a comparison without a verdict is something else that the study was to show.
    package var badge: StatusBadge {
        StatusBadge(
            label: "study \(result.plan.name)", message: headline,
            !result.isValid ? .bad : open.isEmpty ? .good : .partly)
    }

    package func annotations(_ policy: ExitPolicy) -> [WorkflowCommand] {
        let title = "Study \(result.plan.name)"
        return WorkflowCommand.shown(
            (result.isValid ? [] : result.answer).map { WorkflowCommand(policy.level, title: title, [$0]) }
                + open.map { WorkflowCommand(.notice, title: title, ["\($0.arm), \($0.metric.name): inconclusive"]) })
    }
}
