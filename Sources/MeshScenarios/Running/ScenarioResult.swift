public import MeshBoards
public import MeshReports
public import MeshSimulator
public import MeshTime

/// The outcome of one run of a scenario.
public struct ScenarioResult: Sendable {
    /// The verdict: everything held, or something did not.
    public enum Verdict: Hashable, Sendable {
        case kept
        /// An expectation did not hold, or an action could not be done.
        case broken(EventLog.Failure)
        /// The target lacks something; never counted as kept.
        case notRun(String)
        /// The run itself broke: the radio vanished, the world is impossible.
        case couldNotRun(String)
        /// Everything held, and the run proves nothing: a fault never took effect, or a rule could not be broken. With
        /// a reason for each; never counted as kept.
        case invalid([String])
    }

    /// The scenario that was played.
    public let scenario: Scenario
    /// The target that it was played on.
    public let target: Target
    /// The seed that repeats the run.
    public let seed: Seed
    /// The verdict of the run.
    public var verdict: Verdict
    /// The mark that the run had of its own, which its seed does not fix; `nil` on virtual time.
    public var mark: RunMark?
    /// The program that `repeatCommand` names.
    public var program = ProgramName.meshbed
    /// Time that passed on the stage.
    public var elapsed = Duration.zero
    /// A fingerprint of schedule and world: equal for equal runs, in any process. 0 where time is real.
    public var digest: UInt64 = 0
    /// The digest of all that the world emitted; `nil` where no world can be looked at.
    public var worldDigest: Digest?
    /// The state of the world's random streams at the end; `nil` where no world can be looked at.
    public var unseed: Digest?
    /// Events of the stage; frames only where the run was recorded.
    public var entries: [EventLog.Entry] = []
    /// Events on the air, where the run was recorded and the mesh is ours.
    public var air: [TraceRecord] = []
    /// The `sometimes` sentences that became true.
    public var reached: Set<String> = []
    /// The faults that began, in their order, with what each of them did.
    public var faults: [FaultOutcome] = []

    /// Tells whether everything held.
    public var isKept: Bool { verdict == .kept }
    /// Tells whether the run proves nothing, although everything held.
    public var isInvalid: Bool { if case .invalid = verdict { true } else { false } }
    /// Tells whether something did not hold.
    public var isBroken: Bool { if case .broken = verdict { true } else { false } }

    /// One line that repeats the run.
    public var repeatCommand: String {
        let items = scenario.leftOut.map(\.description).joined(separator: ",")
        return program.playing(scenario.name, seed: seed.value) + target.stageArguments
            + (items.isEmpty ? "" : " --without \(items)")
    }

    /// The source place of the broken line; that of the scenario where no line is broken.
    public var place: SourcePlace {
        if case .broken(let failure) = verdict { scenario.place(of: failure.sentence) } else { scenario.place }
    }

    /// A line about what the seed does not fix; `nil` where it fixes everything.
    public var provenance: String? {
        mark.map { "run \($0) from \($0.start) s: timestamps and identifiers of its own, which the seed does not fix" }
    }
}
