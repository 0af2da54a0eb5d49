extension ComplianceRun {
    /// What the chosen checks are about: sentence, bytes, reason, source, article and what a radio must be spared.
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
        if let grounds = Grounds.of(id) {
            lines.append("  states    " + grounds.sentence)
            if !grounds.given.isEmpty { lines.append("  given     " + grounds.given) }
            if !grounds.expected.isEmpty { lines.append("  expected  " + grounds.expected) }
            lines += [
                "  reason    " + grounds.reason, "  source    " + grounds.source, "  basis     " + grounds.basis,
            ]
        }
        if case .notApplicable(let reason) = proof { lines.append("  shown     nowhere: it " + reason) }
        let needed = Capabilities.reasons.filter { needs.contains($0.capability) }.map(\.reason)
        lines += needed.map { "  shown     not everywhere: it " + $0 }
        if let grounds = Grounds.of(id) { lines.append("  article   " + grounds.article) }
        return lines.joined(separator: "\n")
    }
}
