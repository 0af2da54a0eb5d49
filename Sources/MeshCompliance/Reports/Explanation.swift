extension ComplianceRun {
    /// What the chosen checks are about: bytes, reason, source, and what a radio must be spared; nothing is run.
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
            if !grounds.given.isEmpty { lines.append("  given     " + grounds.given) }
            if !grounds.expected.isEmpty { lines.append("  expected  " + grounds.expected) }
            lines += [
                "  reason    " + grounds.reason, "  source    " + grounds.source, "  basis     " + grounds.basis,
            ]
        }
        if case .notApplicable(let reason) = proof { lines.append("  shown     nowhere: it " + reason) }
        let needed = Capabilities.reasons.filter { needs.contains($0.capability) }.map(\.reason)
        lines += needed.map { "  shown     not everywhere: it " + $0 }
        return lines.joined(separator: "\n")
    }
}
