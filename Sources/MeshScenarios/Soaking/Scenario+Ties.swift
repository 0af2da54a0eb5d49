extension Scenario {
    /// Contacts and routes among some nodes: who knows whom, and who reaches whom, directly or over repeaters.
    struct Ties: Hashable, Sendable {
        /// From one node to another, by their names.
        struct Pair: Hashable, Sendable {
            let from: String
            let to: String
        }

        var knownContacts: Set<Pair> = []
        var ways: Set<Pair> = []

        func isAbout(_ name: String) -> Bool {
            knownContacts.contains { $0.from == name || $0.to == name }
                || ways.contains { $0.from == name || $0.to == name }
        }
    }

    /// The ties among these nodes when the scenario begins.
    func ties(among names: [String]) -> Ties {
        var ties = Ties()
        for knownContact in knownContacts {
            let pair = Ties.Pair(from: knownContact.who.name, to: knownContact.whom.name)
            if names.contains(pair.from), names.contains(pair.to) { ties.knownContacts.insert(pair) }
        }
        for name in names {
            let reached = reached(from: name)
            for other in names where other != name && reached.contains(other) {
                ties.ways.insert(Ties.Pair(from: name, to: other))
            }
        }
        return ties
    }

    /// Tells whether it has all of these ties, as far as both of their nodes are there.
    func has(_ ties: Ties) -> Bool {
        let names = cast.map(\.name).filter(ties.isAbout)
        let mine = self.ties(among: names)
        func isMissing(_ pair: Ties.Pair, _ present: Set<Ties.Pair>) -> Bool {
            names.contains(pair.from) && names.contains(pair.to) && !present.contains(pair)
        }
        return !ties.knownContacts.contains { isMissing($0, mine.knownContacts) }
            && !ties.ways.contains { isMissing($0, mine.ways) }
    }

    /// The nodes that hear one, directly or over others that relay. People's radios do not relay.
    private func reached(from name: String) -> Set<String> {
        let relays = Set(cast.filter { !$0.isPerson }.map(\.name))
        var reached: Set = [name]
        var open = [name]
        while let node = open.popLast() {
            for link in links {
                var next: [String] = []
                if link.one.name == node { next.append(link.other.name) }
                if link.other.name == node, !link.isOneWay { next.append(link.one.name) }
                for other in next where reached.insert(other).inserted && relays.contains(other) { open.append(other) }
            }
        }
        return reached
    }
}
