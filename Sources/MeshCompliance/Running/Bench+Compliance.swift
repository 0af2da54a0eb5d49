public import MeshBoards

// Runs of the suite on the radios of a bench.
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
}

extension Target {
    /// Tells whether both mean one radio, as far as that is known before it is used.
    fileprivate func isSame(as other: Target) -> Bool {
        isSomewhere && other.isSomewhere ? board == other.board : place == other.place
    }
}
