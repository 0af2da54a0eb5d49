import MeshWire

// What an implementation does otherwise: why, the exchange that shows it, and how to repeat it.
extension ImplementationPage {
    var departures: [HTMLReport.Part] {
        matrix.sections.enumerated().flatMap { place, section in
            section.columns.enumerated().compactMap { number, column in
                column.departures.isEmpty ? nil : part(column, section.role, at: "\(place)-\(number)")
            }
        }
    }

    private func part(
        _ column: ImplementationMatrix.Column, _ role: TestedNode.Role, at place: String
    ) -> HTMLReport.Part {
        let items = column.departures.enumerated().map { index, entry in
            Self.item(entry, at: "departure-\(place)-\(index)")
        }
        return HTMLReport.section(
            "departures-\(place)", "What \(column.name.clipped(60)) does otherwise, as a \(role.rawValue)", items)
    }

    private static func item(_ entry: TestReport.Entry, at id: String) -> String {
        let verdict = HTMLReport.Verdict(entry.verdict)
        var parts: [String] = []
        if let reason = entry.reason { parts.append("<p>\(reason.xmlEscaped)</p>") }
        if !entry.details.isEmpty { parts.append(HTMLReport.reasons(entry.details)) }
        if !entry.exchange.isEmpty {
            let text = entry.exchange.joined(separator: "\n").xmlEscaped
            parts += ["<h4>The exchange that shows it</h4>", "<pre>\(text)</pre>"]
        }
        if !entry.repeatCommand.isEmpty {
            parts += ["<h4>How to repeat</h4>", HTMLReport.command(entry.repeatCommand)]
        }
        return """
            <details class="card departure" id="\(id)"><summary><span class="name">\(verdict.badge) \
            <code class="id">\(entry.id.xmlEscaped)</code> \(entry.title.xmlEscaped)</span></summary>
            \(parts.joined(separator: "\n"))</details>
            """
    }

    static let style = """
        .overview{width:100%;font-size:.9rem}
        .overview caption,.verdicts caption{text-align:left;color:var(--quiet);padding:.4rem .75rem;font-size:.85rem}
        .overview th,.overview td{text-align:left;vertical-align:top;padding:.35rem .75rem;\
        border-bottom:1px solid var(--line)}
        .overview thead th{color:var(--quiet);font-weight:400}
        .overview .number{font-variant-numeric:tabular-nums;text-align:right}
        .overview svg{display:block}
        .verdicts td{color:var(--ink,var(--text));white-space:nowrap}
        .verdicts td a{color:inherit}
        .verdicts .broken,.verdicts .failed{background:var(--broken-tint);font-weight:700}
        .verdicts .lacks,.verdicts .differs{background:var(--na-tint)}
        .verdicts tbody th{white-space:normal;min-width:16rem;max-width:26rem;overflow-wrap:anywhere}
        .verdicts .title{font-weight:400}
        .verdicts .group th{background:var(--code);position:static}
        .verdicts thead th:first-child{left:0;z-index:2;text-align:left}
        .verdicts [hidden]{display:none}
        @media (max-width:48rem){.verdicts tbody th{min-width:9rem;max-width:9rem}}
        .departure{padding:.6rem 1rem;margin-bottom:.5rem}
        .departure:target{outline:3px solid var(--accent)}

        """

    /// The filters of the tables, and details that open when a link leads to them.
    static let filtering = """
        (() => {
          for (const form of document.querySelectorAll("form.filter")) {
            const table = form.parentElement.querySelector("table.verdicts"), found = form.querySelector("[role=status]");
            const rows = [...table.querySelectorAll("tr.statement")];
            const chosen = name => new Set([...form.querySelectorAll(`[name=${name}]:checked`)].map(box => box.value));
            const apply = () => {
              const text = form.elements.words.value.trim().toLowerCase();
              const verdicts = chosen("verdict"), columns = chosen("column");
              let count = 0;
              for (const row of rows) {
                const cells = [...row.cells].filter((cell, index) => index && columns.has(String(index)));
                const seen = new Set(cells.map(cell => cell.dataset.verdict).filter(Boolean));
                row.hidden = ![...seen].some(one => verdicts.has(one))
                  || form.elements.uneven.checked && seen.size < 2
                  || !row.cells[0].textContent.toLowerCase().includes(text);
                if (!row.hidden) count += 1;
              }
              for (const line of table.querySelectorAll("thead tr, tr.statement"))
                [...line.cells].forEach((cell, index) => { if (index) cell.hidden = !columns.has(String(index)); });
              for (const body of table.tBodies) body.hidden = !body.querySelector("tr.statement:not([hidden])");
              found.textContent = count === rows.length ? "" : `${count} of ${rows.length}`;
            };
            form.hidden = false;
            form.addEventListener("input", apply);
            form.addEventListener("submit", event => event.preventDefault());
          }
          const open = () => {
            const part = location.hash.startsWith("#departure-") && document.getElementById(location.hash.slice(1));
            if (part) part.open = true;
          };
          addEventListener("hashchange", open);
          open();
        })();

        """
}
