import MeshWire

/// A matrix of implementations as one HTML file for people: the implementations, the verdicts, and what departs.
///
/// Like a report it needs no network; its script only filters. All text in it is escaped, whatever a file has.
package struct ImplementationPage: Sendable {
    let matrix: ImplementationMatrix
    private let version: MeshbedVersion?

    /// - Parameter version: the build that writes the file.
    package init(_ matrix: ImplementationMatrix, by version: MeshbedVersion? = nil) {
        (self.matrix, self.version) = (matrix, version)
    }

    /// The file, UTF-8.
    package var html: String {
        let parts = [overview] + matrix.sections.map(table) + departures
        let links = parts.map { ##"<li><a href="#\##($0.id)">\##($0.title.xmlEscaped)</a></li>"## }.joined()
        let date = matrix.date.map { "<div><dt>Newest report</dt><dd>\($0.xmlEscaped)</dd></div>" } ?? ""
        let body = """
            <a class="skip" href="#main">Skip to the results</a>
            <header class="top">
            <div class="heading"><p class="overline">Compliance</p>
            <h1>\(matrix.count.counted("implementation"))</h1></div>
            <dl class="facts">\(date)<div><dt>Statements</dt><dd>\(statementCount)</dd></div></dl>
            <nav aria-label="Parts of this page"><ul>\(links)</ul></nav>
            </header>
            <main id="main">
            \(parts.map(\.html).joined(separator: "\n"))
            </main>
            <footer><p>Written by <code>meshbed comply --matrix-of</code>. A part that a node may leave out, or a quirk \
            that it lacks, is no break of the protocol.</p></footer>
            """
        return HTMLReport.page(
            title: "Implementations: \(matrix.count) beside each other", by: version,
            style: HTMLReport.style + Self.style, body: body, script: HTMLReport.copying + Self.filtering)
    }

    private var statementCount: Int {
        matrix.sections.reduce(0) { $0 + $1.groups.reduce(0) { $0 + $1.rows.count } }
    }

    // MARK: Implementations

    private var overview: HTMLReport.Part {
        let verdicts = ["kept", "broken", "differs", "lacks", "not run", "not applicable"]
        let heads = (["implementation", "role", "says of itself", "checked against", "date", "badge"] + verdicts)
            .map { #"<th scope="col">\#($0)</th>"# }.joined()
        let rows = matrix.sections.enumerated().flatMap { place, section in
            section.columns.enumerated().map { Self.row($0.element, section.role, at: "\(place)-\($0.offset)") }
        }
        return HTMLReport.section(
            "implementations", "Implementations",
            [
                """
                <div class="scroll card" tabindex="0" role="region" aria-label="Implementations">
                <table class="overview"><caption>Numbers of statements by verdict, for each implementation.</caption>\
                <thead><tr>\(heads)</tr></thead>
                <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
                """
            ])
    }

    private static func row(_ column: ImplementationMatrix.Column, _ role: TestedNode.Role, at place: String) -> String
    {
        let report = column.report
        let name = column.name.xmlEscaped
        let link = !column.departures.isEmpty ? ##"<a href="#departures-\##(place)">\##(name)</a>"## : name
        let ended = report.abortedBecause.map { #"<p class="remark">The run ended early: \#($0.xmlEscaped)</p>"# } ?? ""
        let provenance = report.provenance
        let tool = provenance.map { #"<p class="quiet">meshbed \#("\($0.version)".xmlEscaped)</p>"# } ?? ""
        let cells = [
            role.rawValue, column.words.xmlEscaped, column.node.reference.xmlEscaped,
            (provenance?.date ?? "").xmlEscaped + tool, column.badge.svg.trimmed { $0 == "\n" },
        ]
        return #"<tr><th scope="row">\#(link)\#(ended)</th>"# + cells.map { "<td>\($0)</td>" }.joined()
            + column.counts.map { #"<td class="number">\#($0.count)</td>"# }.joined() + "</tr>"
    }

    // MARK: Verdicts

    private func table(_ section: ImplementationMatrix.Section) -> HTMLReport.Part {
        let place = matrix.sections.firstIndex { $0.role == section.role } ?? 0
        let heads = section.columns.map { #"<th scope="col"><span>\#($0.name.xmlEscaped)</span></th>"# }.joined()
        let bodies = section.groups.map { group in
            let rows = group.rows.map { row(of: $0, section, place) }
            return """
                <tbody><tr class="group"><th scope="rowgroup" colspan="\(section.columns.count + 1)">\
                \(group.title.xmlEscaped)</th></tr>
                \(rows.joined(separator: "\n"))</tbody>
                """
        }
        let title = section.role.plural
        return HTMLReport.section(
            section.role.rawValue, title.prefix(1).uppercased() + title.dropFirst(),
            [
                Self.filter(section),
                """
                <div class="scroll tall card" tabindex="0" role="region" aria-label="Verdicts on \(title)">
                <table class="matrix verdicts"><caption>The verdict on each statement, for each of the \(title).\
                </caption><thead><tr><th scope="col">statement</th>\(heads)</tr></thead>
                \(bodies.joined(separator: "\n"))</table></div>
                """,
            ])
    }

    /// Controls that only a script can serve; it shows them.
    private static func filter(_ section: ImplementationMatrix.Section) -> String {
        let verdicts = HTMLReport.Verdict.counts(of: section.columns.flatMap { $0.report.entries })
            .filter { $0.count > 0 }.map { verdict, _ in
                #"<label><input type="checkbox" name="verdict" value="\#(verdict.style)" checked> \#(verdict.words)</label>"#
            }
        let names = section.columns.enumerated().map { number, column in
            """
            <label><input type="checkbox" name="column" value="\(number + 1)" checked> \(column.name.xmlEscaped)</label>
            """
        }
        return """
            <form class="filter" role="search" aria-label="Filter of \(section.role.plural)" hidden>
            <label class="words">Find <input type="search" name="words" placeholder="statement or title"></label>
            <fieldset><legend>Statements with</legend>\(verdicts.joined())</fieldset>
            <fieldset><legend>Implementations</legend>\(names.joined())</fieldset>
            <label><input type="checkbox" name="uneven"> only where they differ</label>
            <p class="quiet" role="status"></p>
            </form>
            """
    }

    private func row(
        of row: ImplementationMatrix.Row, _ section: ImplementationMatrix.Section, _ place: Int
    ) -> String {
        let cells = section.columns.enumerated().map { number, column -> String in
            guard let entry = column.entry(row) else { return #"<td><span class="quiet">not asked</span></td>"# }
            let verdict = HTMLReport.Verdict(entry.verdict)
            let words = #"<span aria-hidden="true">\#(verdict.sign) </span>\#(entry.verdict.words)"#
            guard let index = column.departure(row) else {
                return #"<td class="\#(verdict.style)" data-verdict="\#(verdict.style)">\#(words)</td>"#
            }
            return """
                <td class="\(verdict.style)" data-verdict="\(verdict.style)">\
                <a href="#departure-\(place)-\(number)-\(index)">\(words)</a></td>
                """
        }
        return """
            <tr class="statement"><th scope="row"><code class="id">\(row.id.xmlEscaped)</code> \
            <span class="title">\(row.title.xmlEscaped)</span></th>\(cells.joined())</tr>
            """
    }
}
