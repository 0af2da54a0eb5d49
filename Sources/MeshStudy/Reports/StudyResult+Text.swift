import MeshWire

extension StudyResult {
    /// The report for people: the answer, the intervals, the method and the caveats.
    package var text: String {
        var lines = ["Study \(plan.name): \(plan.question)"]
        lines += answer.map { (isValid ? "" : "ALARM: ") + $0 }
        for arm in plan.others {
            lines += ["", "\(arm.name) against \(first)"]
            lines += comparisons(of: arm.name).map(row)
        }
        lines += ["", "control: \(first) on other random numbers"] + control.map(row)
        lines += [""] + settings
        lines += ["", StudyBar.legend] + method + plan.threads.map { "  \($0)" }
        lines += ["", "\(Self.caveatsTitle) (\(caveats.count)):"] + caveats.map { "  \($0)" }
        return lines.joinedVisibleLines + "\n"
    }

    private func row(_ each: Comparison) -> String {
        let cells = [
            "  \(each.metric.name)".padded(to: 16, gap: 1), "\(StudyBar(comparison: each).text)  ",
            each.interval.padded(to: 30, gap: 1), each.means.padded(to: 18, gap: 1),
            "margin \(Self.short(each.margin))".padded(to: 13, gap: 1),
        ]
        return cells.joined() + each.words(first: first) + (each.decidedAt.map { ", since seed \($0)" } ?? "")
    }
}
