import MeshReports
import MeshTime
import MeshWire

extension StudyResult {
    /// The report as one file, which needs neither network nor script; texts of the study are escaped.
    package func html(_ provenance: [String]) -> String {
        let first = plan.arms[0].name
        let threads = plan.threads.map { "<li><code>\($0.xmlEscaped)</code></li>" }.joined(separator: "\n")
        let alarm = isValid ? "" : #"<p class="alarm">The control differs from its equal: no verdict counts.</p>"#
        let body = """
            <h1>\(plan.question.isEmpty ? plan.name.xmlEscaped : plan.question.xmlEscaped)</h1>
            <pre>\(provenance.joinedVisibleLines.xmlEscaped)</pre>
            <p>World <code>\(plan.world.xmlEscaped)</code>, \(plan.span.milliseconds / 1000) s of each seed, \
            \(seeds) of \(plan.seeds) seeds. At most \(Self.short(plan.error * 100)) % of such studies have a false \
            verdict, over all \(plan.comparisons) comparisons together.</p>
            <ul>\(threads)</ul>
            \(alarm)
            <h2>Kinder than air</h2>
            <ul>\(assumptions.map { "<li>\($0.xmlEscaped)</li>" }.joined(separator: "\n"))</ul>
            \(plan.others.map { section($0.name, comparisons.filter { [name = $0.name] in $0.arm == name }, first) }
                .joined(separator: "\n"))
            \(section("Control: \(first) on other random numbers", control, first))
            """
        return FigurePage.html(title: "Study \(plan.name)", body: body)
    }

    private func section(_ title: String, _ rows: [Comparison], _ first: String) -> String {
        let cards = rows.map { row in
            """
            <figure class="\(row.verdict.rawValue)"><figcaption><b>\(row.metric.name)</b> \
            <span>\(row.words(first: first).xmlEscaped)</span><br>\(row.metric.summary.xmlEscaped)<br>\
            \(Self.short(row.firstMean)) → \(Self.short(row.armMean)), difference \(Self.signed(row.last.effect)) \
            [\(Self.signed(row.last.low)), \(Self.signed(row.last.high))], margin \(Self.short(row.margin))</figcaption>
            \(StudyDrawing(comparison: row).svg)</figure>
            """
        }
        return "<h2>\(title.xmlEscaped)</h2>\n<div class=\"cards\">\(cards.joined(separator: "\n"))</div>"
    }
}
