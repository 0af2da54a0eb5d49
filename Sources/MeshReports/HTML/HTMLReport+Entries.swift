import MeshWire

// All entries by group, the matrix, and the states that a soak reached.
extension HTMLReport {
    var entries: Part? {
        guard !report.entries.isEmpty else { return nil }
        let numbered = report.entries.enumerated().map { (index: $0.offset, entry: $0.element) }
        let groups = report.groups.map { group in
            self.group(group, numbered.filter { $0.entry.group == group })
        }
        return Self.section("entries", "Everything", [filter] + without + groups)
    }

    /// Controls that only a script can serve; it shows them.
    private var filter: String {
        let boxes = Verdict.counts(of: report.entries).filter { $0.count > 0 }.map { verdict, _ in
            """
            <label><input type="checkbox" value="\(verdict.style)" checked> \(verdict.words)</label>
            """
        }
        return """
            <form class="filter" id="filter" role="search" hidden>
            <label class="words">Find <input type="search" id="words" placeholder="name, title or tag"></label>
            <fieldset><legend>Show</legend>\(boxes.joined())</fieldset>
            <p class="quiet" id="found" role="status"></p>
            </form>
            """
    }

    /// The reasons why some have no verdict, each once.
    private var without: [String] {
        let reasons = TestReport.byReason(report.entries) { verdict in
            switch verdict {
            case .differs(let reason, _): "Differs from a quirk: " + reason
            case .lacks(let reason, _): "Lacks an optional command: " + reason
            case .notApplicable(let reason): "Not applicable: " + reason
            case .notRun(let reason): "Not run: " + reason
            case .kept, .broken, .couldNotRun, .invalid: nil
            }
        }
        guard !reasons.isEmpty else { return [] }
        let items = reasons.map { reason, ids in
            """
            <li><strong>\(ids.count)</strong> <span>\(reason.xmlEscaped)</span>
            <p class="quiet ids">\(ids.joined(separator: " ").xmlEscaped)</p></li>
            """
        }
        let count = report.different + report.lacking + report.notRun + report.notApplicable
        return [
            """
            <details class="card without"><summary><span class="name">Why \(count) \(count == 1 ? "is" : "are") neither \
            kept nor broken</span></summary><ul>\(items.joined(separator: "\n"))</ul></details>
            """
        ]
    }

    private func group(_ name: String, _ entries: [(index: Int, entry: TestReport.Entry)]) -> String {
        let all = entries.map(\.entry)
        let counts = Verdict.counts(of: all).filter { $0.count > 0 }.map { verdict, count in
            #"<span class="count \#(verdict.style)">\#(count) \#(verdict.words)</span>"#
        }
        let isOpen = report.groups.count == 1 || all.contains(where: \.isFailure)
        return """
            <details class="card group"\(isOpen ? " open" : "")><summary><span class="name">\(name.xmlEscaped)</span>\
            \(Self.bar(all))<span class="counts">\(counts.joined(separator: " "))</span></summary>
            <ul class="entries">
            \(entries.map(line).joined(separator: "\n"))
            </ul></details>
            """
    }

    private func line(_ index: Int, _ entry: TestReport.Entry) -> String {
        let verdict = Verdict(entry.verdict)
        let title = entry.title.xmlEscaped
        let name = entry.isFailure ? ##"<a href="#failure-\##(index)">\##(title)</a>"## : title
        let paragraph = entry.explanation.isEmpty ? "" : #"<p class="quiet">\#(entry.explanation.xmlEscaped)</p>"#
        let reason = entry.reason.map { #"<p class="quiet">\#($0.xmlEscaped)</p>"# } ?? ""
        let effects = entry.effects.map { #"<p class="quiet">\#($0.xmlEscaped)</p>"# }.joined()
        let rationale = Self.rationale(entry.rationale)
        return """
            <li class="entry" data-verdict="\(verdict.style)">\(verdict.badge)<code class="id">\(entry.id.xmlEscaped)</code>\
            <div class="said">\(name)\(Self.tags(entry.tags))\(paragraph)\(reason)\(effects)\(rationale)</div></li>
            """
    }

    /// The content and basis of a statement, for readers who ask; its reason is printed above.
    static func rationale(_ rationale: TestReport.Rationale?) -> String {
        guard let rationale else { return "" }
        let rows = [
            ("states", rationale.sentence), ("given", rationale.given), ("expected", rationale.expected),
            ("source", rationale.source), ("basis", rationale.basis), ("article", rationale.article),
        ].filter { !$0.1.isEmpty }.map { "<div><dt>\($0.0)</dt><dd>\($0.1.xmlEscaped)</dd></div>" }
        return """
            <details class="grounds"><summary>statement, bytes and source</summary>\
            <dl class="reasons">\(rows.joined())</dl></details>
            """
    }

    // MARK: Matrix

    var matrix: Part? {
        guard let matrix = report.matrix, !matrix.rows.isEmpty else { return nil }
        var found: [[Int]: [ReportMatrix.Cell]] = [:]
        for cell in matrix.cells { found[[cell.row, cell.column], default: []].append(cell) }
        let isNamed = matrix.cells.contains { !$0.name.isEmpty }
        let heads = matrix.columns.map { #"<th scope="col"><span>\#($0.xmlEscaped)</span></th>"# }.joined()
        let rows = matrix.rows.enumerated().map { row, name in
            let cells = matrix.columns.indices.map { Self.cell(found[[row, $0]] ?? [], isNamed) }.joined()
            return #"<tr><th scope="row">\#(name.xmlEscaped)</th>\#(cells)</tr>"#
        }
        let caption = [matrix.caption, "\(matrix.seen) of \(matrix.cells.count) cells were seen."]
            .filter { !$0.isEmpty }.joined(separator: " ")
        return Self.section(
            "matrix", matrix.title,
            [
                "<p>\(caption.xmlEscaped)</p>",
                """
                <div class="scroll tall card" tabindex="0" role="region" aria-label="\(matrix.title.xmlEscaped)">
                <table class="matrix\(isNamed ? " named" : "")"><thead><tr><td></td>\(heads)</tr></thead>
                <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
                """,
                emptyCells(matrix),
            ])
    }

    /// A cell with its count, in four shades; a cell of an impossible combination has no count.
    private static func cell(_ cells: [ReportMatrix.Cell], _ isNamed: Bool) -> String {
        guard let first = cells.first else { return #"<td class="none"></td>"# }
        guard isNamed else { return #"<td class="\#(shade(first.count))">\#(first.count)</td>"# }
        let chips = cells.map { cell in
            #"<span class="chip \#(shade(cell.count))">\#(cell.name.xmlEscaped) <b>\#(cell.count)</b></span>"#
        }
        return "<td>\(chips.joined(separator: " "))</td>"
    }

    private static func shade(_ count: Int) -> String {
        if count == 0 { return "never" }
        return count < 3 ? "seen1" : count < 10 ? "seen2" : "seen3"
    }

    private func emptyCells(_ matrix: ReportMatrix) -> String {
        let empty = matrix.empty
        guard !empty.isEmpty else { return "" }
        let items = empty.map { "<li>\(matrix.name(of: $0).xmlEscaped)</li>" }.joined()
        return """
            <details class="card"><summary><span class="name">\(empty.count) never seen</span></summary>\
            <ul class="ids">\(items)</ul></details>
            """
    }

    // MARK: States

    var states: Part? {
        guard !report.coverage.isEmpty else { return nil }
        let most = max(1, report.coverage.map(\.count).max() ?? 1)
        let rows = report.coverage.map { state in
            let share = state.count == 0 ? 0 : max(1, state.count * 100 / most)
            let count = state.count == 0 ? Verdict.broken.sign + " never" : "\(state.count)"
            return """
                <tr\(state.count == 0 ? " class=\"never\"" : "")><th scope="row">\(state.name.xmlEscaped)</th>\
                <td class="number">\(count)</td>\
                <td class="share"><span style="width:\(share)%"></span></td></tr>
                """
        }
        let reached = report.coverage.count { $0.count > 0 }
        return Self.section(
            "states", "States reached",
            [
                "<p>\(reached) of \(report.coverage.count) states were reached at least once.</p>",
                """
                <div class="scroll card"><table class="states"><thead><tr><th scope="col">state</th>\
                <th scope="col">runs</th><td></td></tr></thead>
                <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
                """,
            ])
    }
}
