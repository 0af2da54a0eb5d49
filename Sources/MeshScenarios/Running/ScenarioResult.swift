public import MeshReports
public import MeshSimulator
public import MeshTime

/// What became of one run of a scenario.
public struct ScenarioResult: Sendable {
    public enum Verdict: Hashable, Sendable {
        case kept
        case broken(EventLog.Failure)
        /// The target lacks something; never counted as kept.
        case notRun(String)
        /// The run itself broke: the radio vanished, the world is impossible.
        case couldNotRun(String)
    }

    public let scenario: Scenario
    public let target: ScenarioTarget
    public let seed: Seed
    public var verdict: Verdict
    /// What the run had of its own, which its seed does not fix; `nil` on virtual time.
    public var mark: RunMark?
    /// The program that `repeatCommand` names.
    public var program = ProgramName.meshbed
    /// Time that passed on the stage.
    public var elapsed = Duration.zero
    /// A fingerprint of schedule and world: equal for equal runs, in any process. 0 where time is real.
    public var digest: UInt64 = 0
    /// What the world emitted, folded; `nil` where there is none to look at.
    public var worldDigest: Digest?
    /// Where the world's random streams stood at the end; `nil` where there is none to look at.
    public var unseed: Digest?
    public var entries: [EventLog.Entry] = []
    public var air: [TraceRecord] = []
    /// The `sometimes` sentences that became true.
    public var reached: Set<String> = []

    public var isKept: Bool { verdict == .kept }
    public var isBroken: Bool { if case .broken = verdict { true } else { false } }

    /// One line that repeats the run.
    public var repeatCommand: String {
        let items = scenario.leftOut.map(\.description).joined(separator: ",")
        return program.playing(scenario.name, seed: seed.value) + target.arguments
            + (items.isEmpty ? "" : " --without \(items)")
    }

    /// Where in the source the line stands that is broken; the scenario itself where no line is.
    public var place: SourcePlace {
        if case .broken(let failure) = verdict { scenario.place(of: failure.sentence) } else { scenario.place }
    }

    /// What the seed does not fix, in one line; `nil` where it fixes everything.
    public var provenance: String? {
        mark.map { "run \($0) from \($0.start) s: timestamps and identifiers of its own, which the seed does not fix" }
    }
}
