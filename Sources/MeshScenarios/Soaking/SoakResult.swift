public import MeshReports
import MeshTime

/// The outcome of a soak.
public struct SoakResult: Sendable {
    /// The outcome of one seed.
    struct Outcome: Sendable {
        var verdict: ScenarioResult.Verdict
        var reached: Set<String>
        var scenario: Scenario
        var faults: [FaultOutcome] = []
    }

    /// A seed whose scenario is broken.
    public struct Failure: Sendable {
        /// The seed that broke it.
        public var seed: UInt64
        /// The scenario as that seed has it.
        public var scenario: Scenario
        /// The failure of the scenario.
        public var failure: EventLog.Failure
    }

    /// A state that the scenario asks for with `sometimes`.
    public struct State: Hashable, Sendable {
        /// The state's sentence in the scenario.
        public var name: String
        /// Seeds in which it was reached.
        public var count = 0
    }

    /// The name of the scenario.
    public let name: String
    /// The path of the scenario in its library, as messages print it.
    public let path: String
    /// The program that the lines name which repeat a seed.
    public var program = ProgramName.meshbed
    /// Seeds that were played to their end.
    public private(set) var played = 0
    /// Seeds in which everything held.
    public private(set) var kept = 0
    /// Seeds whose target lacked something.
    public private(set) var notRun = 0
    /// The seeds in which something broke, in order.
    public private(set) var failures: [Failure] = []
    /// Those of `failures` that the caller has made small.
    public var shrunk: [ShrunkFailure] = []
    /// Seeds whose run itself broke, and why.
    public private(set) var problems: [(seed: UInt64, reason: String)] = []
    /// Seeds whose run proves nothing, and why.
    public private(set) var invalid: [(seed: UInt64, reasons: [String])] = []
    /// The faults that began in all seeds, and those of them that took effect.
    public private(set) var faults: (begun: Int, fired: Int) = (0, 0)
    /// In the order in which the scenario asks for them.
    public private(set) var states: [State]
    /// On the clock of the wall.
    public internal(set) var elapsed = Duration.zero

    init(name: String, path: String, states: [String]) {
        self.name = name
        self.path = path
        self.states = states.map { State(name: $0) }
    }

    /// The share of the seeds in which a state was reached, 0…1.
    public func share(of state: State) -> Double { played == 0 ? 0 : Double(state.count) / Double(played) }

    /// The states that no seed reached.
    public var neverReached: [String] { states.filter { $0.count == 0 }.map(\.name) }

    /// The speed of the soak, in seeds a second of real time.
    public var seedsPerSecond: Double { elapsed == .zero ? 0 : Double(played) / (elapsed / .seconds(1)) }

    mutating func add(_ outcome: Outcome, seed: UInt64) {
        played += 1
        faults.begun += outcome.faults.count
        faults.fired += outcome.faults.count { $0.count.hasFired }
        switch outcome.verdict {
        case .kept: kept += 1
        case .broken(let failure):
            failures.append(Failure(seed: seed, scenario: outcome.scenario, failure: failure))
        case .notRun: notRun += 1
        case .couldNotRun(let reason): problems.append((seed, reason))
        case .invalid(let reasons): invalid.append((seed, reasons))
        }
        for name in outcome.scenario.states {
            let isReached = outcome.reached.contains(name) ? 1 : 0
            if let index = states.firstIndex(where: { $0.name == name }) {
                states[index].count += isReached
            } else {
                states.append(State(name: name, count: isReached))
            }
        }
    }
}
