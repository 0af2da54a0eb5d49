// What the words of a command line mean on a bench: labels, and addresses of radios that are not on it.
extension Bench {
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
