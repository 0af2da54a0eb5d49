public import MeshReports
import MeshTime

/// A broken seed of a soak after its scenario was made small, played once more with frames and the air kept.
public struct ShrunkFailure: Sendable {
    /// The seed that broke it.
    public let seed: UInt64
    /// The smallest scenario that breaks the same way.
    public let outcome: Shrinker.Outcome
    /// Of the whole scenario.
    public let nodes: Int
    /// The number of lines and rules of the whole scenario.
    public let events: Int
    /// The small scenario's run.
    public let result: ScenarioResult
    /// One line that repeats it, for a build of the same commit.
    public let repeatCommand: String

    /// Shrinks; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - effort: runs that it may take at most.
    ///   - commit: what the program was built of, where that is known.
    ///   - program: what the line that repeats it names.
    ///   - prepare: how a run is played, as the soak did.
    public init(
        _ found: SoakResult.Failure, name: String, effort: Int, commit: String? = nil,
        program: ProgramName = .meshbed,
        prepare: @escaping @Sendable (inout ScenarioRun) -> Void = { _ in }
    ) {
        seed = found.seed
        (nodes, events) = (found.scenario.cast.count, found.scenario.events.count)
        var shrinker = Shrinker(found.scenario, seed: Seed(found.seed), failure: found.failure)
        shrinker.effort = effort
        shrinker.prepare = prepare
        outcome = shrinker.perform()
        var command = program.playing(name, seed: found.seed)
        if let commit { command += " --at \(commit)" }
        let items = outcome.items.map(\.description).joined(separator: ",")
        if !items.isEmpty { command += " --without \(items)" }
        repeatCommand = command
        var run = ScenarioRun(outcome.scenario, seed: Seed(found.seed))
        prepare(&run)
        run.program = program
        run.isRecording = true
        result = run.onVirtualTime()
    }

    /// A line for each fate, in apps and radios, of the texts that the failure is about.
    public var account: [String] { outcome.failure.details + TextFates(result).lines }

    /// `shrunk from 7 nodes and 18 events to 3 and 4 in 212 runs`.
    public var summary: String {
        "shrunk from \(nodes) nodes and \(events) events to \(outcome.scenario.cast.count) and "
            + "\(outcome.scenario.events.count) in \(outcome.runs) runs"
    }
}
