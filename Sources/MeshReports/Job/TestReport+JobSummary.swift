import MeshWire

extension TestReport {
    /// The failures that a summary shows in full: GitHub refuses summaries of more than a megabyte.
    private static let mostFailures = 30
    private static let longestDetail = 4_000

    /// The summary of a job in Markdown: the answer, counts, what broke with its statement, and the origin of the run.
    ///
    /// A build server appends it to a page of its own, so the headings begin with the second level. Nothing that came
    /// from outside can act as Markdown or HTML.
    package var jobSummary: String {
        var lines = ["## \(exitCode == 0 ? "✓" : "✗") \(title.markdownEscaped): \(headline.lowercased())", ""]
        lines += countTable
        lines += ["", "Target \(target.markdownEscaped)" + (seed.map { ", seed \($0)" } ?? "") + "."]
        if let abortedBecause { lines += ["", "**The run ended early:** \(abortedBecause.markdownEscaped)"] }
        lines += failureLines
        lines += reasonLines("Differs from a quirk of the reference") { verdict in
            if case .differs(let reason, _) = verdict { reason } else { nil }
        }
        lines += reasonLines("Lacks an optional command of its level") { verdict in
            if case .lacks(let reason, _) = verdict { reason } else { nil }
        }
        lines += reasonLines("Not run") { if case .notRun(let reason) = $0 { reason } else { nil } }
        lines += reasonLines("Not applicable") { if case .notApplicable(let reason) = $0 { reason } else { nil } }
        if let provenance {
            let origin = (provenance.lines + [provenance.date]).filter { !$0.isEmpty }
            lines += ["", origin.map(\.markdownEscaped).joined(separator: " · ")]
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    private var countTable: [String] {
        let all = [
            ("kept", kept), ("broken", broken), ("differs", different), ("lacks", lacking),
            ("could not run", couldNotRun), ("invalid", invalid), ("not run", notRun),
            ("not applicable", notApplicable),
        ]
        let columns = all.filter { $0.1 > 0 || $0.0 == "kept" || $0.0 == "broken" }
        return [
            "| " + columns.map(\.0).joined(separator: " | ") + " |",
            "|" + columns.map { _ in "--:|" }.joined(),
            "| " + columns.map { "\($0.1)" }.joined(separator: " | ") + " |",
        ]
    }

    private var failureLines: [String] {
        let failures = entries.filter(\.isFailure)
        if failures.isEmpty { return [] }
        var lines = ["", "### What broke"]
        for entry in failures.prefix(Self.mostFailures) { lines += failure(entry) }
        let rest = failures.dropFirst(Self.mostFailures)
        if !rest.isEmpty { lines += ["", "And \(rest.count) more: " + rest.map(name(of:)).joined(separator: ", ")] }
        return lines
    }

    private func failure(_ entry: Entry) -> [String] {
        var lines = ["", "#### \(name(of: entry)) \(entry.title.markdownEscaped)"]
        let sentence = entry.rationale?.sentence ?? entry.explanation
        if !sentence.isEmpty { lines += ["", sentence.markdownEscaped] }
        let details: [String] =
            switch entry.verdict {
            case .broken(let details): details
            case .couldNotRun(let reason): [reason]
            case .invalid(let reasons): ["invalid: the run proves nothing"] + reasons
            case .kept, .differs, .lacks, .notRun, .notApplicable: []
            }
        lines += ["", details.joined(separator: "\n").clipped(Self.longestDetail).markdownBlock]
        if !entry.repeatCommand.isEmpty { lines += ["", "Repeat:", "", entry.repeatCommand.markdownBlock] }
        return lines
    }

    /// The name of an entry; that of a statement leads to its text where the address of the article is known.
    private func name(of entry: Entry) -> String {
        let name = entry.id.markdownEscaped
        guard let statements, entry.kind == .statement else { return name }
        // An address in angle brackets may hold all but these.
        let address = "\(statements)#\(entry.id.lowercased())".visibleLine
            .replacing("<", with: "%3C").replacing(">", with: "%3E").replacing("\\", with: "%5C")
            .replacing(" ", with: "%20")
        return "[\(name)](<\(address)>)"
    }

    /// The entries without a verdict, for each reason, in a part that can be opened.
    private func reasonLines(_ title: String, _ reason: (Verdict) -> String?) -> [String] {
        let parts = Self.byReason(entries, reason)
        if parts.isEmpty { return [] }
        let count = parts.reduce(0) { $0 + $1.ids.count }
        let names = Dictionary(entries.map { ($0.id, name(of: $0)) }, uniquingKeysWith: { first, _ in first })
        return ["", "<details><summary>\(title): \(count)</summary>", ""]
            + parts.map { part in
                let ids = part.ids.map { names[$0] ?? $0.markdownEscaped }.joined(separator: ", ")
                return "- \(part.reason.clipped(400).markdownEscaped): \(ids)"
            } + ["", "</details>"]
    }
}
