import MeshReports
import MeshStatistics
import MeshTime
import MeshWire

extension StudyResult {
    /// The report as one file, which needs neither network nor script; texts of the study are escaped.
    package func html(_ provenance: [String]) -> String {
        let first = plan.arms[0].name
        let threads = plan.threads.map { "<li><code>\($0.xmlEscaped)</code></li>" }.joined(separator: "\n")
        let alarm = isValid ? "" : #"<p class="alarm">The control differs from its equal: no verdict counts.</p>"#
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\("Study \(plan.name)".xmlEscaped)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
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
            </body>
            </html>

            """
    }

    private func section(_ title: String, _ rows: [Comparison], _ first: String) -> String {
        let cards = rows.map { row in
            """
            <figure class="\(row.verdict.rawValue)"><figcaption><b>\(row.metric.rawValue)</b> \
            <span>\(row.words(first: first).xmlEscaped)</span><br>\(row.metric.summary.xmlEscaped)<br>\
            \(Self.short(row.firstMean)) → \(Self.short(row.armMean)), difference \(Self.signed(row.last.effect)) \
            [\(Self.signed(row.last.low)), \(Self.signed(row.last.high))], margin \(Self.short(row.margin))</figcaption>
            \(StudyDrawing(comparison: row).svg)</figure>
            """
        }
        return "<h2>\(title.xmlEscaped)</h2>\n<div class=\"cards\">\(cards.joined(separator: "\n"))</div>"
    }

    private static let style = """
        :root{--paper:#fbfaf7;--text:#1f2933;--quiet:#57626e;--line:#c9d1d9;--mark:#1f5f9e;--good:#2f7138;--bad:#b3303f}
        @media (prefers-color-scheme:dark){:root{--paper:#161b22;--text:#e6edf3;--quiet:#9aa6b2;--line:#3d444d;
        --mark:#6cb0f5;--good:#6ec27a;--bad:#ff8b91}}
        body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;
        background:var(--paper);color:var(--text)}
        pre{white-space:pre-wrap;color:var(--quiet)}
        .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem}
        figure{margin:0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
        figcaption span{font-weight:600}
        figure.firstBetter span{color:var(--good)}
        figure.secondBetter span,.alarm{color:var(--bad)}
        svg{width:100%;height:auto}
        svg text{font-size:10px;fill:var(--quiet)}
        .end{text-anchor:end}
        .band{fill:var(--line);opacity:.5}
        .zero{stroke:var(--quiet)}
        .interval{fill:var(--mark);opacity:.25}
        .effect{fill:none;stroke:var(--mark);stroke-width:1.5}
        """
}
