extension ComplianceReport {
    /// The report for people: what is broken in detail, what was not run, and a table of totals.
    ///
    /// Every statement has a line when `isVerbose` is set, and then broken ones show what went before; or when there
    /// are few.
    public func text(isVerbose: Bool = false) -> String {
        var lines: [String] = []
        for entry in entries { lines += self.lines(of: entry, isVerbose, isListed: isVerbose || entries.count <= 20) }
        if !lines.isEmpty { lines.append("") }
        lines += table
        lines += reasons
        lines.append("")
        lines.append(summary)
        return lines.joined(separator: "\n")
    }

    private func lines(of entry: Entry, _ isVerbose: Bool, isListed: Bool) -> [String] {
        switch entry.verdict {
        case .kept: return isListed ? ["kept     \(entry.id)  \(entry.title)"] : []
        case .notRun(let reason):
            return isListed ? ["not run  \(entry.id)  \(entry.title)", "           \(reason)"] : []
        case .notApplicable(let reason):
            return isListed ? ["n/a      \(entry.id)  \(entry.title)", "           \(reason)"] : []
        case .broken(let details, let transcript):
            var lines = ["BROKEN   \(entry.id)  \(entry.title)"]
            lines += details.map { "           " + $0.replacing("\n", with: "\n           ") }
            if isVerbose, !transcript.isEmpty {
                lines.append("           before that:")
                lines += transcript.map { "             " + $0 }
            }
            return lines
        }
    }

    /// A row for each section.
    private var table: [String] {
        var groups: [String] = []
        for entry in entries where !groups.contains(entry.group) { groups.append(entry.group) }
        let width = max(groups.map(\.count).max() ?? 0, 5)
        var rows = [row("", ["kept", "broken", "not run", "n/a"], width)]
        for group in groups { rows.append(row(group, counts(entries.filter { $0.group == group }), width)) }
        rows.append(row("Total", counts(entries), width))
        return rows
    }

    private func counts(_ entries: [Entry]) -> [Int] {
        [
            entries.count(where: \.isKept), entries.count(where: \.isBroken), entries.count(where: \.isNotRun),
            entries.count(where: \.isNotApplicable),
        ]
    }

    private func row(_ name: String, _ cells: [some CustomStringConvertible], _ width: Int) -> String {
        let padded = cells.map { cell in
            String(repeating: " ", count: max(0, 8 - "\(cell)".count)) + "\(cell)"
        }
        return name + String(repeating: " ", count: max(0, width - name.count)) + padded.joined()
    }

    /// Which were not run and which do not apply, for each reason.
    private var reasons: [String] {
        reasons("Not run:") { if case .notRun(let reason) = $0 { reason } else { nil } }
            + reasons("Not applicable (no such hardware):") {
                if case .notApplicable(let reason) = $0 { reason } else { nil }
            }
    }

    private func reasons(_ heading: String, _ reason: (Verdict) -> String?) -> [String] {
        var parts: [(reason: String, ids: [String])] = []
        for entry in entries {
            guard let reason = reason(entry.verdict) else { continue }
            if let index = parts.firstIndex(where: { $0.reason == reason }) {
                parts[index].ids.append(entry.id)
            } else {
                parts.append((reason, [entry.id]))
            }
        }
        if parts.isEmpty { return [] }
        return ["", heading] + parts.flatMap { ["  \($0.ids.count) × \($0.reason)"] + wrapped($0.ids) }
    }

    /// The names, as many in a line as fit.
    private func wrapped(_ ids: [String]) -> [String] {
        var lines: [String] = []
        for id in ids {
            if let last = lines.last, last.count + id.count < 98 {
                lines[lines.count - 1] = last + " " + id
            } else {
                lines.append("      " + id)
            }
        }
        return lines
    }

    /// One line: target, kept, broken, not run, not applicable.
    public var summary: String {
        let (statements, conversations) = (count { !$0.isConversation }, count { $0.isConversation })
        var line = "\(target): kept \(statements) statements and \(conversations) conversations, "
        line += "broken \(broken), not run \(notRun), not applicable \(notApplicable)"
        if let abortedBecause { line += "; the run ended early: \(abortedBecause)" }
        return line
    }

    private func count(_ isMeant: (Entry) -> Bool) -> Int {
        entries.count { $0.isKept && isMeant($0) }
    }
}

extension ComplianceReport.Entry {
    var isConversation: Bool { id.hasPrefix("conversation/") }
}
