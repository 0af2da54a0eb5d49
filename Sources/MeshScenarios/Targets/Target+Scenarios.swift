public import MeshBoards
import MeshReports

// What scenarios take from a target.
extension Target {
    /// Abilities that a scenario can use. Emulated worlds have as many nodes as it wants; behind real links their time
    /// is real.
    var stageAbilities: Abilities {
        switch place {
        case .emulator: .all
        case .wired: .all.subtracting([.time, .secondInterface])
        // A radio takes one central.
        case .modelled: .all.subtracting([.secondClient, .secondInterface])
        case .radios(let addresses): Target(.radios(addresses), allowing: allowed).abilities
        }
    }

    /// Returns the reason why a scenario cannot play here; `nil` when it can be tried.
    public func reasonAgainst(_ scenario: Scenario) -> String? {
        if let lack = stageAbilities.lack(for: scenario.needs) { return lack }
        let people = scenario.cast.count(where: \.isPerson)
        guard isReal, people > addresses.count else { return nil }
        return "needs \(people) radios; name a --target for each"
    }

    /// The end of a command line that chooses it; empty for the emulator, which need not be chosen.
    var stageArguments: String {
        place == .emulator ? "" : arguments.map { " " + $0.shellQuoted }.joined()
    }
}
