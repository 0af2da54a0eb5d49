public import MeshCompliance
import MeshLinks

// Where a scenario plays on a bench: labels, and addresses of radios that are not on it.
extension Bench {
    /// Where a scenario plays, from labels and addresses: several must all be real radios, one for each person in order.
    public func scenarioTarget(_ words: [String]) throws(Problem) -> ScenarioTarget {
        var places: [ScenarioTarget] = []
        for word in words { places.append(try place(word)) }
        guard places.count != 1 else { return places[0] }
        var radios: [LinkAddress] = []
        for (word, place) in zip(words, places) {
            guard case .radios(let addresses) = place else {
                throw .lacks(word, reason: "is in a world of its own: several targets are real radios")
            }
            radios += addresses
        }
        return .radios(radios)
    }

    private func place(_ word: String) throws(Problem) -> ScenarioTarget {
        if !labels.contains(word), let target = ScenarioTarget(word) { return target }
        return ScenarioTarget(try radio(word, able: [])) ?? .emulator
    }
}

extension ScenarioTarget {
    /// Where a radio of a bench is; `nil` when its address makes no sense.
    init?(_ radio: Radio) {
        switch radio.endpoint {
        case .emulator: self = .emulator
        case .emulatorOverTCP: self = .wired(.tcp)
        case .emulatorOverTerminal: self = .wired(.pty)
        case .link(let address): self = .radios([address])
        case .unreadable: return nil
        }
    }
}
