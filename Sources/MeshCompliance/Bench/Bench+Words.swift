// What the words of a command line mean on a bench: labels, and addresses of radios that are not on it.
extension Bench {
    /// A run of the compliance suite against the radio that a word means, which may do to it what its owner allows.
    ///
    /// - Parameters:
    ///   - word: a label, or an address as `ComplianceTargetName` reads it.
    ///   - peer: the same for a second real radio within radio range, if there is one.
    /// - Throws: a ``Problem`` for a word that is neither, or for a radio that cannot be a peer.
    public func complianceRun(
        target word: String, peer: String? = nil, only selection: Selection = .all
    ) throws(Problem) -> ComplianceRun {
        var run: ComplianceRun
        if let name = address(word) {
            run = ComplianceRun(target: name, only: selection)
        } else {
            run = ComplianceRun(target: try radio(word), only: selection)
        }
        guard let peer else { return run }
        let name: ComplianceTargetName = if let name = address(peer) { name } else { .init(try radio(peer)) }
        guard run.target.isReal else { throw .lacks(word, reason: "hears no other radio: it is in a world of its own") }
        guard name.isReal else { throw .lacks(peer, reason: "is heard by nobody: it is in a world of its own") }
        guard name.kind != run.target.kind else {
            throw .lacks(peer, reason: "is the target itself, not another radio")
        }
        if let reason = earshotProblem(word, peer) { throw .lacks(word, reason: reason) }
        run.peer = name
        return run
    }

    /// A label means the radio of the bench, whatever else the word could mean.
    private func address(_ word: String) -> ComplianceTargetName? {
        labels.contains(word) ? nil : ComplianceTargetName(word)
    }

    private func radio(_ label: String) throws(Problem) -> Radio { try radio(label, able: []) }

    /// Two radios of the bench are in radio range where one of them says so.
    private func earshotProblem(_ label: String, _ other: String) -> String? {
        let pair = radios.filter { $0.label == label || $0.label == other }
        guard pair.count == 2, !pair[0].near.contains(pair[1].label), !pair[1].near.contains(pair[0].label) else {
            return nil
        }
        return "is not said to be near \"\(other)\"; say so with near:"
    }
}
