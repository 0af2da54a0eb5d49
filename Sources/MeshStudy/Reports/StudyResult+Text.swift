import MeshTime
import MeshWire
import MeshWorlds

extension StudyResult.Comparison {
    /// The verdict in words that name the arms.
    func words(first: String) -> String {
        switch verdict {
        case .firstBetter: "\(arm) is better"
        case .secondBetter: "\(first) is better"
        case .equivalent: "equivalent"
        case .inconclusive: "inconclusive"
        }
    }
}

extension StudyResult {
    /// The points in which the simulator is kinder than air; part of every report.
    package var assumptions: [String] {
        var lines = plan.air.kinderThanAir
        if plan.arms.contains(where: { $0.habits.walk != nil }) {
            lines.append("Walkers go straight at one speed, and what houses take from a pair is the same all the way.")
        }
        if plan.arms.contains(where: { !$0.faults.isEmpty }) {
            lines.append("Spoiled frames have 1 to 4 wrong bytes at any place, drawn evenly.")
        }
        lines.append("A message of the last seconds counts as lost where it arrives after the end of the run.")
        return lines
    }

    /// For people.
    package var text: String {
        let first = plan.arms[0].name
        var lines = ["Study \(plan.name): \(plan.question)"] + plan.threads.map { "  \($0)" }
        lines += [
            "world \(plan.world), \(plan.span.milliseconds / 1000) s of each seed; \(seeds) of \(plan.seeds) seeds; compared with \(first)",
            "false verdicts in at most \(Self.short(plan.error * 100)) % of such studies, over \(plan.comparisons) comparisons",
        ]
        for arm in plan.others {
            lines += ["", arm.name]
            lines += comparisons.filter { $0.arm == arm.name }.map { row($0, first) }
        }
        lines += ["", "control: \(first) on other random numbers"] + control.map { row($0, first) }
        lines.append("")
        for alarm in alarms {
            lines.append(
                "ALARM: \(alarm.metric.name) of \(first) differs from itself. No verdict of this study counts.")
        }
        let clipped = comparisons.filter { $0.clipped > 0 }
        for each in clipped {
            lines.append(
                "\(each.arm), \(each.metric.name): \(each.clipped) seeds count as \(Self.short(each.most)), the greatest value"
            )
        }
        lines += ["Kinder than air:"] + assumptions.map { "  \($0)" }
        return lines.joinedVisibleLines + "\n"
    }

    private func row(_ each: Comparison, _ first: String) -> String {
        let last = each.last
        let cells = [
            "  \(each.metric.name)".padded(to: 16, gap: 1),
            "\(Self.short(each.firstMean)) → \(Self.short(each.armMean))".padded(to: 20, gap: 1),
            "\(Self.signed(last.effect)) [\(Self.signed(last.low)), \(Self.signed(last.high))]".padded(to: 32, gap: 1),
            "margin \(Self.short(each.margin))".padded(to: 16, gap: 1),
        ]
        return cells.joined() + each.words(first: first) + (each.decidedAt.map { ", since seed \($0)" } ?? "")
    }

    /// Four digits after the point at most.
    static func short(_ number: Double) -> String {
        let rounded = (number * 10_000).rounded() / 10_000
        return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    static func signed(_ number: Double) -> String { (number >= 0 ? "+" : "") + short(number) }
}
