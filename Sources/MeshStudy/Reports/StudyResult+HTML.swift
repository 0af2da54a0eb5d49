import MeshReports
import MeshWire

extension StudyResult {
    /// The report as one file, which needs neither network nor script; texts of the study are escaped.
    package func html(_ provenance: [String]) -> String {
        let threads = plan.threads.map { "<li><code>\($0.xmlEscaped)</code></li>" }.joined(separator: "\n")
        let body = """
            <h1>\(plan.question.isEmpty ? plan.name.xmlEscaped : plan.question.xmlEscaped)</h1>
            \(answer.map { #"<p class="\#(isValid ? "answer" : "alarm")">\#($0.xmlEscaped)</p>"# }.joined(separator: "\n"))
            \(plan.others.map { bars("\($0.name) against \(first)", comparisons(of: $0.name)) }.joined(separator: "\n"))
            <p class="quiet">A dot is the difference, the dark bar its interval, the light band the margin within which \
            differences are of no interest; the line is no difference.</p>
            \(plan.others.map { plots("\($0.name): intervals by seeds", comparisons(of: $0.name)) }.joined(separator: "\n"))
            <h2>Settings</h2>
            <ul>\(settings.map { "<li>\($0.xmlEscaped)</li>" }.joined(separator: "\n"))</ul>
            <h2>Method</h2>
            \(method.map { "<p>\($0.xmlEscaped)</p>" }.joined(separator: "\n"))
            <ul>\(threads)</ul>
            <pre>\(provenance.joinedVisibleLines.xmlEscaped)</pre>
            \(bars("Control: \(first) on other random numbers", control))
            <details><summary>\(Self.caveatsTitle) (\(caveats.count))</summary>
            <ul>\(caveats.map { "<li>\($0.xmlEscaped)</li>" }.joined(separator: "\n"))</ul></details>
            """
        return FigurePage.html(title: "Study \(plan.name)", body: body)
    }

    /// A row for each metric: the verdict, the interval, the values.
    private func bars(_ title: String, _ rows: [Comparison]) -> String {
        let cells = rows.map { row in
            """
            <tr class="\(row.verdict.rawValue)"><th scope="row">\(row.metric.name.xmlEscaped)\
            <small>\(row.metric.summary.xmlEscaped)</small></th>
            <td class="verdict">\(row.words(first: first).xmlEscaped)</td><td>\(StudyBar(comparison: row).svg)</td>
            <td>\(row.interval.xmlEscaped)<small>\(row.means), margin \(Self.short(row.margin))</small></td></tr>
            """
        }
        return """
            <h2>\(title.xmlEscaped)</h2>
            <div class="wide" tabindex="0" role="region" aria-label="\(title.xmlEscaped)"><table>
            <thead><tr><th>Metric</th><th>Verdict</th><th>Difference</th><th>Values</th></tr></thead>
            <tbody>\(cells.joined(separator: "\n"))</tbody></table></div>
            """
    }

    private func plots(_ title: String, _ rows: [Comparison]) -> String {
        let cards = rows.map { row in
            "<figure><figcaption>\(row.metric.summary.xmlEscaped)</figcaption>\n\(StudyDrawing(comparison: row).svg)</figure>"
        }
        return "<h2>\(title.xmlEscaped)</h2>\n<div class=\"cards\">\(cards.joined(separator: "\n"))</div>"
    }
}
