// What the words of a command line mean on a bench: labels, and addresses of radios that are not on it.
extension Bench {
    /// A run of the compliance suite against the radio that a word means, which may do to it what its owner allows.
    ///
    /// - Parameters:
    ///   - word: a label, or a word as `Target` reads it.
    ///   - peer: the same for a second real radio within radio range, if there is one.
    /// - Throws: a ``Problem`` for a word that is neither, or for a radio that cannot be a peer.
    public func complianceRun(
        target word: String, peer: String? = nil, only selection: Selection = .all
    ) throws(Problem) -> ComplianceRun {
        var run = ComplianceRun(target: try target(word), only: selection)
        guard let peer else { return run }
        let other = try target(peer)
        guard run.target.isReal else { throw .lacks(word, reason: "hears no other radio: it is in a world of its own") }
        guard other.isReal else { throw .lacks(peer, reason: "is heard by nobody: it is in a world of its own") }
        guard !other.isSame(as: run.target) else {
            throw .lacks(peer, reason: "is the target itself, not another radio")
        }
        if labels.contains(word), labels.contains(peer), !areNear(word, peer) {
            throw .lacks(word, reason: "is not said to be near \"\(peer)\"; say so with near:")
        }
        run.peer = other
        return run
    }

    /// Returns the target of a scenario, from labels and words as `Target` reads them. Several must all be real radios,
    /// one for each person in order.
    public func target(words: [String]) throws(Problem) -> Target {
        var targets: [Target] = []
        for word in words { targets.append(try target(word)) }
        for target in targets {
            guard let board = target.board, !board.allows(.transmit) else { continue }
            throw .lacks(board.label, reason: "may not transmit, and scenarios do; its bench file can allow it")
        }
        if let target = Target(joining: targets) { return target }
        let word = zip(words, targets).first { !$1.isReal }?.0 ?? ""
        throw .lacks(word, reason: "is in a world of its own: several targets are real radios")
    }

    /// A label means the radio of the bench, whatever else the word could mean.
    package func target(_ word: String) throws(Problem) -> Target {
        if !labels.contains(word), let target = try? Target(word) { return target }
        return try self[word]
    }
}

extension Target {
    /// Tells whether both mean one radio, as far as that is known before it is used.
    fileprivate func isSame(as other: Target) -> Bool {
        isSomewhere && other.isSomewhere ? board == other.board : place == other.place
    }
}
