import MeshWire

extension TestReport {
    /// The report for people: what is broken, why, and how to repeat it; what was not run; and a table of totals.
    ///
    /// Every entry has a line when `isVerbose` is set, and then broken ones show what went before; or when there
    /// are few.
    public func text(isVerbose: Bool = false) -> String {
        var lines: [String] = []
        for entry in entries { lines += self.lines(of: entry, isVerbose, isListed: isVerbose || entries.count <= 20) }
        if !lines.isEmpty { lines.append("") }
        lines += table
        lines += reasons("Differs from a quirk of the reference:") { verdict in
            if case .differs(let reason, _) = verdict { reason } else { nil }
        }
        lines += reasons("Lacks an optional command of its level:") { verdict in
            if case .lacks(let reason, _) = verdict { reason } else { nil }
        }
        lines += reasons("Not run:") { if case .notRun(let reason) = $0 { reason } else { nil } }
        lines += reasons("Not applicable:") { if case .notApplicable(let reason) = $0 { reason } else { nil } }
        lines += coverageLines
        if !notes.isEmpty { lines += [""] + notes }
        lines.append("")
        lines.append(summary)
        return lines.joinedVisibleLines
    }

    private func lines(of entry: Entry, _ isVerbose: Bool, isListed: Bool) -> [String] {
        let name = "\(entry.id)  \(entry.title)"
        switch entry.verdict {
        case .kept: return isListed ? ["kept     " + name] : []
        case .notApplicable(let reason): return isListed ? ["n/a      " + name, "           " + reason] : []
        case .notRun(let reason): return isListed ? ["not run  " + name, "           " + reason] : []
        case .couldNotRun(let reason):
            let again = entry.repeatCommand.isEmpty ? [] : ["           repeat    " + entry.repeatCommand]
            return ["FAILED   " + name, "           " + reason] + again
        case .differs(let reason, let details):
            return failure("differs  " + name, [reason] + (isVerbose ? details : []), entry, isVerbose: isVerbose)
        case .lacks(let reason, let details):
            return failure("lacks    " + name, [reason] + (isVerbose ? details : []), entry, isVerbose: isVerbose)
        case .invalid(let reasons): return failure("INVALID  " + name, reasons, entry, isVerbose: isVerbose)
        case .broken(let details): return failure("BROKEN   " + name, details, entry, isVerbose: isVerbose)
        }
    }

    private func failure(_ name: String, _ details: [String], _ entry: Entry, isVerbose: Bool) -> [String] {
        var lines = [name]
        lines += details.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
            .map { "           " + $0 }
        if entry.isBroken, let first = entry.exchange.first {
            lines.append("           exchange  " + first)
            lines += entry.exchange.dropFirst().map { "                     " + $0 }
        }
        if !entry.repeatCommand.isEmpty { lines.append("           repeat    " + entry.repeatCommand) }
        if isVerbose, !entry.transcript.isEmpty {
            lines.append("           before that:")
            lines += entry.transcript.map { "             " + $0 }
        }
        return lines
    }

    /// A row for each group.
    private var table: [String] {
        let all: [(name: String, isIn: (Entry) -> Bool)] = [
            ("kept", \.isKept), ("broken", \.isBroken), ("differs", \.isDifferent),
            ("lacks", \.isLacking), ("not run", \.isNotRun),
            ("n/a", \.isNotApplicable), ("failed", \.isImpossible), ("invalid", \.isInvalid),
        ]
        // What is rare has a column where there is some.
        let rare: Set = ["differs", "lacks", "failed", "invalid"]
        let columns = all.filter { column in !rare.contains(column.name) || entries.contains(where: column.isIn) }
        let width = max(groups.map(\.count).max() ?? 0, 5)
        let rows = groups.map { group in
            let part = entries.filter { $0.group == group }
            return row(group, columns.map { part.count(where: $0.isIn) }, width)
        }
        return [row("", columns.map(\.name), width)] + rows
            + [row("Total", columns.map { entries.count(where: $0.isIn) }, width)]
    }

    private func row(_ name: String, _ cells: [some CustomStringConvertible], _ width: Int) -> String {
        name.padded(to: width) + cells.map { "\($0)".alignedRight(to: 8) }.joined()
    }

    /// The entries without a verdict, for each reason.
    private func reasons(_ title: String, _ reason: (Verdict) -> String?) -> [String] {
        let parts = Self.byReason(entries, reason)
        if parts.isEmpty { return [] }
        return ["", title] + parts.flatMap { ["  \($0.ids.count) × \($0.reason)"] + wrapped($0.ids) }
    }

    /// The names of entries for each reason, in the order in which the reasons first occur.
    static func byReason(_ entries: [Entry], _ reason: (Verdict) -> String?) -> [(reason: String, ids: [String])] {
        var parts: [(reason: String, ids: [String])] = []
        for entry in entries {
            guard let reason = reason(entry.verdict) else { continue }
            if let index = parts.firstIndex(where: { $0.reason == reason }) {
                parts[index].ids.append(entry.id)
            } else {
                parts.append((reason, [entry.id]))
            }
        }
        return parts
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

    private var coverageLines: [String] {
        if coverage.isEmpty { return [] }
        let reached = coverage.count { $0.count > 0 }
        return ["", "States reached: \(reached) of \(coverage.count)"]
            + coverage.map { state in
                let count = state.count == 0 ? "never" : "\(state.count)"
                return count.alignedRight(to: 8) + "  " + state.name
            }
    }

    /// The answer of the run in a few words.
    package var headline: String {
        if abortedBecause != nil { return "Broke off" }
        if broken > 0 { return "\(broken) broken" }
        if couldNotRun > 0 { return "\(couldNotRun) could not run" }
        if invalid > 0 { return "\(invalid) invalid" }
        return kept > 0 ? "All kept" : "Nothing kept"
    }

    /// One line: target, kept, broken, what differs from quirks or lacks, not run, not applicable.
    public var summary: String {
        let kinds = Kind.allCases.filter { kind in entries.contains { $0.kind == kind } }
        let counts = kinds.map { kind in entries.count { $0.kind == kind && $0.isKept }.counted(kind.rawValue) }
        var line = "\(target): kept " + (counts.isEmpty ? "nothing" : counts.joined(separator: " and "))
        line += ", broken \(broken)"
        if different > 0 { line += ", differs from quirks \(different)" }
        if lacking > 0 { line += ", lacks optional commands \(lacking)" }
        line += ", not run \(notRun), not applicable \(notApplicable)"
        if couldNotRun > 0 { line += ", could not run \(couldNotRun)" }
        if invalid > 0 { line += ", invalid \(invalid)" }
        if let seed { line += ", seed \(seed)" }
        if let abortedBecause { line += "; the run ended early: \(abortedBecause)" }
        return line
    }
}
