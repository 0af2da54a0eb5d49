public import MeshLinks

/// Where a scenario plays.
///
/// | text | radios | time |
/// |---|---|---|
/// | `emulator` | emulated, in this process | virtual |
/// | `emulator+tcp` | emulated, at TCP ports of this machine | real, twenty times as fast |
/// | `emulator+pty` | emulated, at pseudo-terminals | real, twenty times as fast |
/// | `tcp://HOST:PORT`, `serial:PATH` | real ones, one for each person in order | real |
public enum ScenarioTarget: Hashable, Sendable, CustomStringConvertible {
    /// How an emulated radio is reached.
    public enum Wire: String, Hashable, Sendable, CaseIterable {
        case tcp, pty
    }

    case emulator
    /// Emulated, behind a link of this machine.
    case wired(Wire)
    /// Radios on a desk: the first person of a scenario has the first, and so on.
    case radios([LinkAddress])

    /// How much faster than the clock on the wall emulated radios run behind real links.
    public static let speed = 20.0

    /// Reads one word of a user; several addresses of radios make one target: see `init(words:)`.
    public init?(_ text: String) {
        switch text {
        case "emulator": self = .emulator
        case "emulator+tcp": self = .wired(.tcp)
        case "emulator+pty": self = .wired(.pty)
        default:
            guard let address = try? LinkAddress(radio: text) else { return nil }
            self = .radios([address])
        }
    }

    /// One target of several words, which must all be addresses of radios when there are more than one.
    public init?(words: [String]) {
        let targets = words.compactMap { ScenarioTarget($0) }
        guard targets.count == words.count, let first = targets.first else { return nil }
        if targets.count == 1 {
            self = first
            return
        }
        var radios: [LinkAddress] = []
        for target in targets {
            guard case .radios(let addresses) = target else { return nil }
            radios += addresses
        }
        self = .radios(radios)
    }

    /// Whether runs would be in each other's way: there is one of each real radio.
    public var isShared: Bool { if case .radios = self { true } else { false } }

    /// What it can do.
    public var abilities: Abilities {
        switch self {
        case .emulator: .all
        case .wired: .all.subtracting(.time)
        case .radios(let addresses): addresses.count > 1 ? [.link, .secondRadio] : [.link]
        }
    }

    /// Why a scenario cannot play here; `nil` when it can be tried.
    public func reasonAgainst(_ scenario: Scenario) -> String? {
        if let missing = abilities.missing(for: scenario.needs) { return "needs \(missing)" }
        let people = scenario.cast.count(where: \.isPerson)
        guard case .radios(let addresses) = self, people > addresses.count else { return nil }
        return "needs \(people) radios; name a --target for each"
    }

    /// The arguments that choose it on a command line; none for the emulator, which needs none.
    public var arguments: String {
        switch self {
        case .emulator: ""
        case .wired: " --target \(self)"
        case .radios(let addresses): addresses.map { " --target '\($0)'" }.joined()
        }
    }

    public var description: String {
        switch self {
        case .emulator: "emulator"
        case .wired(let wire): "emulator+\(wire.rawValue)"
        case .radios(let addresses): addresses.map(\.description).joined(separator: " ")
        }
    }
}
