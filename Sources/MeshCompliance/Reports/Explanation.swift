import MeshBoards

extension ComplianceRun {
    /// Explains the chosen checks: sentence, bytes, reason, source, article and what a radio must be spared.
    ///
    /// Nothing is run.
    ///
    /// ```swift
    /// print(try ComplianceRun.explanation(of: Selection("CMP-034")))
    /// ```
    public static func explanation(of selection: Selection) throws(Problem) -> String {
        if let part = selection.parts(withoutAny: Check.all).first { throw Problem(unknown: part) }
        return Check.all.filter(selection.chooses).map(\.explanation).joined(separator: "\n\n")
    }
}

extension Check {
    fileprivate var explanation: String {
        var lines = ["\(id)  \(title)", "  section   \(group)"]
        if let rationale = Rationale.of(id) {
            lines.append("  states    " + rationale.sentence)
            if !rationale.given.isEmpty { lines.append("  given     " + rationale.given) }
            if !rationale.expected.isEmpty { lines.append("  expected  " + rationale.expected) }
            lines += [
                "  reason    " + rationale.reason, "  source    " + rationale.source, "  basis     " + rationale.basis,
            ]
        }
        let needed = Abilities.rows.filter { needs.contains($0.ability) }.map(\.reason)
        lines += needed.map { "  shown     not everywhere: it " + $0 }
        if let paragraph = versions.paragraph { lines.append("  versions  " + paragraph) }
        if let rationale = Rationale.of(id) { lines.append("  article   " + rationale.article) }
        return lines.joined(separator: "\n")
    }
}
