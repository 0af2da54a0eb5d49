import MeshReports
import MeshWire

extension TwinComparison {
    /// The limits of a twin; part of every report.
    package static let limits = [
        "Origins are drawn for each seed; the observed floods have few origins, which nobody knows.",
        "Observed counts come of longest copies, so detours weigh more in the links than in the traffic.",
        "A link that is not listed is not known to be absent; pairs with places get one by their distance.",
        "All nodes have the same firmware, the factory's settings but for the fitted ones, and are always up.",
        "Talkers stand beside drawn repeaters, and three of four observed packets count as floods.",
        "Observed times are those of a server: 0.1 to 1 s of noise, whole seconds in most of them.",
    ]

    /// For people.
    package var text: String {
        let background = "\(Self.short(backgroundPerHour)) background floods an hour"
        var lines = [
            "World \(world) against \(observation): \(seeds) seeds, \(background)",
            "complete floods: \(Self.short(completeShare * 100)) % of those measured; the others count for nothing",
            "goals met: \(goalsMet) of \(goals)", "",
        ]
        for row in rows { lines += self.lines(row) }
        lines += ["", "Bars on \(barMetric):"]
        for bar in bars {
            let distance = bar.distance.map { ", W1 \(Self.short($0))" } ?? ", not observed"
            lines.append("  \(bar.name): median \(Self.short(bar.median))\(distance)")
        }
        lines += ["", "Missing:"] + missing.map { "  \($0)" }
        if brokenSeeds > 0 { lines.append("ALARM: \(brokenSeeds) seeds broke a rule of the simulator.") }
        lines += ["", "What it is not:"] + Self.limits.map { "  \($0)" }
        return lines.joinedVisibleLines + "\n"
    }

    private func lines(_ row: Row) -> [String] {
        let noise = row.noise.map { ", noise \(Self.short($0))" } ?? ""
        let distance = row.distance.map { "  W1 \(Self.short($0))\(noise)" } ?? ""
        let name = row.observedAs == row.metric ? row.metric : "\(row.metric) (observed: \(row.observedAs))"
        return ["\(row.isGoal ? "* " : "  ")\(name), \(row.count) values\(distance)"]
            + row.figures.map { figure in
                let error = figure.relativeError.map { ", \($0 >= 0 ? "+" : "")\(Self.short($0 * 100)) %" } ?? ""
                let seeds = "seeds \(Self.short(figure.seedSpread[0])) to \(Self.short(figure.seedSpread[1]))"
                return "      \(figure.kind.rawValue): \(Self.short(figure.simulated)) simulated, "
                    + "\(Self.short(figure.observed)) observed\(error); \(seeds); \(words(row, figure))"
            }
    }

    /// Three digits after the point at most.
    static func short(_ number: Double) -> String {
        guard number.magnitude < 1e12 else { return "\(number)" }
        let rounded = (number * 1000).rounded() / 1000
        return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    /// The comparison as part of an article, in Markdown.
    package func section() -> [String] {
        var lines = [
            "| Metric | Figure | Simulated | Observed | Error | Seeds | Verdict |", "|---|---|---|---|---|---|---|",
        ]
        for row in rows {
            for figure in row.figures {
                let error = figure.relativeError.map { "\($0 >= 0 ? "+" : "")\(Self.short($0 * 100)) %" } ?? ""
                let seeds = "\(Self.short(figure.seedSpread[0])) to \(Self.short(figure.seedSpread[1]))"
                let cells = [
                    row.isGoal ? "**\(row.metric)**" : row.metric, figure.kind.rawValue, Self.short(figure.simulated),
                    Self.short(figure.observed), error, seeds, words(row, figure),
                ]
                lines.append("| " + cells.joined(separator: " | ") + " |")
            }
        }
        let complete = "Complete floods: \(Self.short(completeShare * 100)) %."
        lines += [
            "", "Goals, in bold, met: \(goalsMet) of \(goals). \(complete)", "",
            "Figures with `fitted` were fitted and are no evidence.", "", "Parameters: `\(parameters)`", "",
        ]
        lines += bars.map { bar in
            "- \(bar.name): median \(Self.short(bar.median))" + (bar.distance.map { ", W1 \(Self.short($0))" } ?? "")
        }
        if !missing.isEmpty { lines += ["", "Missing:", ""] + missing.map { "- \($0)" } }
        return lines
    }

    /// The comparison as an article, in Markdown; statistics alone, no node and no link.
    package func article(command: String, provenance: [String]) -> String {
        var lines = ["# The twin of \(observation)", "", "A simulated network beside the observed one.", ""]
        lines += ["## Overview", "", "```", command, "```", "", "```"] + provenance + ["```", "", "## Figures", ""]
        lines += section() + ["", "## Where the model fails", ""]
        lines += failures.isEmpty ? ["Nowhere in these figures."] : failures.map { "- \($0)" }
        lines += ["", "## What it is not", ""] + Self.limits.map { "- \($0)" }
        return lines.map(\.visibleLine).joined(separator: "\n") + "\n"
    }
}
