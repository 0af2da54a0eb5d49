import MeshWire

/// A page of figures beside each other: one file, without network and script.
package enum FigurePage {
    /// - Parameters:
    ///   - title: is escaped here.
    ///   - body: what stands in the body, escaped already.
    package static func html(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title.xmlEscaped)</title>
        <style>\(style)</style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    private static let style = """
        :root{--paper:#fbfaf7;--text:#1f2933;--quiet:#57626e;--line:#c9d1d9;--mark:#1f5f9e;--good:#2f7138;--bad:#b3303f}
        @media screen and (prefers-color-scheme:dark){:root{--paper:#161b22;--text:#e6edf3;--quiet:#9aa6b2;--line:#3d444d;
        --mark:#6cb0f5;--good:#6ec27a;--bad:#ff8b91}}
        @media print{:root{color-scheme:light}figure{break-inside:avoid}}
        body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;
        background:var(--paper);color:var(--text);overflow-wrap:break-word}
        pre{white-space:pre-wrap;color:var(--quiet)}
        .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:1rem}
        figure{margin:0;min-width:0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
        figcaption{margin-bottom:.5rem}
        figcaption span{font-weight:600}
        figure.firstBetter span{color:var(--good)}
        figure.secondBetter span{color:var(--bad)}
        .answer{font-size:1.15rem;font-weight:600;margin:.4rem 0}
        .alarm{color:var(--bad);font-weight:600}
        .quiet,small{color:var(--quiet)}
        small{display:block;font-weight:400}
        .wide{overflow-x:auto}
        table{border-collapse:collapse;width:100%}
        th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line)}
        th[scope=row]{min-width:9rem}
        .verdict{font-weight:600}
        .firstBetter .verdict{color:var(--good)}
        .secondBetter .verdict{color:var(--bad)}
        svg{width:100%;height:auto}
        svg.bar{min-width:12rem}
        .point{fill:var(--mark)}
        svg text{font-size:10px;fill:var(--quiet)}
        .end{text-anchor:end}
        .band{fill:var(--line);opacity:.5}
        .zero{stroke:var(--quiet)}
        .interval{fill:var(--mark);opacity:.25}
        .effect{fill:none;stroke:var(--mark);stroke-width:1.5}
        """
}
