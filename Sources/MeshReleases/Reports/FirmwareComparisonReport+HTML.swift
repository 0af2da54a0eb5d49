import MeshReports
import MeshStudy
import MeshWire

extension FirmwareComparisonReport {
    /// The report as one file, which needs neither network nor script; all values are escaped.
    ///
    /// - Parameter provenance: the lines that say by what the report was made.
    package func html(_ provenance: [String]) -> String {
        var parts = [
            "<h1>From \(old.name.xmlEscaped) to \(new.name.xmlEscaped)</h1>",
            #"<p class="\#(counting.isEmpty ? "answer" : "alarm")">\#(answer.xmlEscaped)</p>"#,
        ]
        for weight in FindingWeight.allCases {
            let found = findings.filter { $0.weight == weight }
            guard !found.isEmpty else { continue }
            parts += ["<h2>\(weight.title.xmlEscaped) (\(found.count))</h2>"] + found.map(Self.item)
        }
        if !tableLines.isEmpty { parts += ["<h2>By the table of versions</h2>", Self.list(tableLines)] }
        if !fates.isEmpty {
            parts += ["<h2>Stored values</h2>", Self.table(Self.stateColumns, stateRows)]
            let rows = fates.map { fate in
                [
                    fate.node, fate.step.rawValue, fate.value.group, fate.value.name, fate.outcome.rawValue,
                    fate.value.value, fate.after ?? "",
                ]
            }
            parts.append(
                "<details><summary>Each of the \(fates.count) values</summary>"
                    + Self.table(["node", "step", "kind", "value", "fate", "before", "after"], rows) + "</details>")
        }
        if let mesh { parts += [Self.mesh(mesh)] }
        let uncompared = uncomparedLines()
        if !uncompared.isEmpty { parts += ["<h2>Not compared (\(uncompared.count))</h2>", Self.list(uncompared)] }
        if !unaskedLines.isEmpty { parts += ["<h2>Not asked of a report</h2>", Self.list(unaskedLines)] }
        parts += ["<h2>Method</h2>"] + method.map { "<p>\($0.xmlEscaped)</p>" }
        parts.append("<pre>\(provenance.joinedVisibleLines.xmlEscaped)</pre>")
        parts += ["<h2>Caveats (\(caveats.count))</h2>", Self.list(caveats)]
        return FigurePage.html(title: "From \(old.name) to \(new.name)", body: parts.joined(separator: "\n"))
    }

    private static func item(_ finding: ReleaseFinding) -> String {
        """
        <details><summary><code>\(finding.id.xmlEscaped)</code> \(finding.title.xmlEscaped)</summary>
        \(list(finding.details))</details>
        """
    }

    private static func list(_ lines: [String]) -> String {
        "<ul>" + lines.map { "<li>\($0.xmlEscaped)</li>" }.joined(separator: "\n") + "</ul>"
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let heads = head.map { "<th scope=\"col\">\($0.xmlEscaped)</th>" }.joined()
        let body = rows.map { row in "<tr>" + row.map { "<td>\($0.xmlEscaped)</td>" }.joined() + "</tr>" }
        return """
            <div class="wide" tabindex="0" role="region" aria-label="\(head.joined(separator: ", ").xmlEscaped)"><table>
            <thead><tr>\(heads)</tr></thead>
            <tbody>\(body.joined(separator: "\n"))</tbody></table></div>
            """
    }

    private static func mesh(_ mesh: StudyResult) -> String {
        let rows = mesh.comparisons.map { each in
            [each.arm, each.metric.summary, each.means, each.interval, words(each.verdict)]
        }
        return "<h2>Mesh on the way: \(mesh.plan.world.xmlEscaped)</h2>\n"
            + table(["stage", "metric", "old → stage", "difference", "verdict"], rows)
    }

    /// A verdict on a stage, in words.
    static func words(_ verdict: Verdict) -> String {
        switch verdict {
        case .firstBetter: "better"
        case .secondBetter: "worse"
        case .equivalent: "equivalent"
        case .inconclusive: "undecided"
        }
    }
}
