public import MeshCompliance
public import MeshReports
public import MeshSimulator
public import MeshTime

/// What became of one run of a scenario.
public struct ScenarioResult: Sendable {
    /// Whether everything held.
    public enum Verdict: Hashable, Sendable {
        case kept
        /// Something did not hold, or could not be done.
        case broken(EventLog.Failure)
        /// The target lacks something; never counted as kept.
        case notRun(String)
        /// The run itself broke: the radio vanished, the world is impossible.
        case couldNotRun(String)
    }

    /// What was played.
    public let scenario: Scenario
    /// Where it was played.
    public let target: Target
    /// What the run can be repeated from.
    public let seed: Seed
    /// What came of it.
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
    /// What happened on the stage; frames only where the run was recorded.
    public var entries: [EventLog.Entry] = []
    /// What happened on the air, where the run was recorded and the mesh is ours.
    public var air: [TraceRecord] = []
    /// The `sometimes` sentences that became true.
    public var reached: Set<String> = []

    /// Whether everything held.
    public var isKept: Bool { verdict == .kept }
    /// Whether something did not hold.
    public var isBroken: Bool { if case .broken = verdict { true } else { false } }

    /// One line that repeats the run.
    public var repeatCommand: String {
        let items = scenario.leftOut.map(\.description).joined(separator: ",")
        return program.playing(scenario.name, seed: seed.value) + target.stageArguments
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
