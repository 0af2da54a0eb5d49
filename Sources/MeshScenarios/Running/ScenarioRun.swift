public import MeshBoards
import MeshCompanion
import MeshCore
public import MeshReports
import MeshSimulator
public import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import PocketMeshServices

/// Plays one scenario from one seed.
///
/// ```swift
/// let result = ScenarioRun(overTheHill, seed: Seed(7)).onVirtualTime()
/// print(result.verdict)
/// ```
public struct ScenarioRun: Sendable {
    /// The scenario to play.
    public let scenario: Scenario
    /// The seed that repeats the run.
    public let seed: Seed
    /// Tells whether frames and the air are kept, for traces and drawings.
    public var isRecording = false
    /// Tells whether a run that breaks on virtual time is played once more with everything kept. Its report then says
    /// where texts were lost.
    public var explainsFailures = false
    /// The program that the line names which repeats the run.
    public var program = ProgramName.meshbed
    /// The speed of emulated radios and their apps behind real links, as a multiple of the wall clock. A machine that
    /// is busy with other things needs less: an app waits five of its own seconds for an answer.
    public var speed = 20.0
    /// Expectations that must hold beside the scenario's own rules.
    public var invariants: [any Expectation] = Invariants.standard
    /// The seed for the order of tasks that are ready at the same moment on virtual time. When `nil`, they keep the
    /// order in which they became ready.
    public var order: Seed?
    /// A fault in the stacks of all people, for tests of the harness.
    package var defect: StackDefect?
    /// The mark of the run; `on(_:)` draws it where time is real.
    var mark: RunMark?

    /// The time between two looks at a rule.
    static let watchInterval = Duration.seconds(1)
    /// The same for a scenario whose tag is `long`.
    static let longWatchInterval = Duration.seconds(30)
    /// The time between two looks at an expectation.
    static let lookInterval = Duration.milliseconds(100)

    /// The seed of everything random in the run.
    private var random: Seed { scenario.random == 0 ? seed : seed.part("luck", String(scenario.random)) }

    public init(_ scenario: Scenario, seed: Seed = Seed(1)) {
        self.scenario = scenario
        self.seed = seed
    }

    /// On virtual time in this thread, against an emulated mesh; hours take seconds.
    public func onVirtualTime() -> ScenarioResult { onVirtualTime(.emulator) }

    /// The same over the link of a target whose time is virtual.
    private func onVirtualTime(_ target: Target) -> ScenarioResult {
        let result = playedOnVirtualTime(target)
        guard explainsFailures, !isRecording, result.isBroken else { return result }
        var run = self
        run.isRecording = true
        let recorded = run.playedOnVirtualTime(target)
        return recorded.verdict == result.verdict ? recorded : result
    }

    private func playedOnVirtualTime(_ target: Target) -> ScenarioResult {
        let run = self
        do {
            let outcome = try VirtualTime.measure(order: order.map(VirtualTime.Order.drawn) ?? .arrival) { clock in
                try await run.play(clock: clock, target: target) { clock in
                    try EmulatedMesh(
                        run.scenario, on: target.place, clock: clock, seed: run.random,
                        traceCapacity: run.isRecording ? .max : 0)
                }
            }
            var result = outcome.value
            result.digest = result.digest &* 0x100_0000_01B3 ^ outcome.digest
            return result
        } catch {
            return self.result(.couldNotRun("\(error)"), on: target)
        }
    }

    private func result(_ verdict: ScenarioResult.Verdict, on target: Target) -> ScenarioResult {
        ScenarioResult(
            scenario: scenario, target: target, seed: seed, verdict: verdict, mark: mark, program: program)
    }

    /// On a target. A run on real time lasts as long as the scenario, and has a mark of its own.
    public func on(_ target: Target) async -> ScenarioResult {
        var marked = self
        if marked.mark == nil { marked.mark = .drawn(for: target) }
        return await marked.played(on: target)
    }

    private func played(on target: Target) async -> ScenarioResult {
        let run = self
        do {
            switch target.place {
            case .emulator, .modelled: return onVirtualTime(target)
            case .wired(let wire):
                let clock = ScaledClock(speed: speed)
                return try await play(clock: clock, target: target) { _ in
                    try await WiredMesh(
                        run.scenario, wire: wire, seed: run.random, speed: run.speed,
                        traceCapacity: run.isRecording ? .max : 0)
                }
            case .radios:
                return try await play(clock: ContinuousClock(), target: target) { _ in
                    DeskMesh(run.scenario, on: target)
                }
            }
        } catch {
            return result(.couldNotRun("\(error)"), on: target)
        }
    }

    /// On any clock and mesh. What cannot be done there is a verdict, not an error.
    func play(
        clock: any Clock<Duration>, target: Target,
        mesh make: (any Clock<Duration>) async throws -> any StageMesh
    ) async throws -> ScenarioResult {
        var result = result(.kept, on: target)
        if let reason = target.reasonAgainst(scenario) {
            result.verdict = .notRun(reason)
            return result
        }
        let mesh: any StageMesh
        do {
            mesh = try await make(clock)
        } catch {
            result.verdict = .couldNotRun("\(error)")
            return result
        }
        let stage = Stage(
            scenario, mesh: mesh, clock: clock, seed: mark.map { random.part("run", String($0.number)) } ?? random,
            start: mark?.start ?? Stage.startOfTime, eventLog: EventLog(isRecording: isRecording))
        do {
            try await StageBuilder(stage: stage, defect: defect).build()
            try await Playwright(stage: stage, run: self).perform()
            if let failure = stage.eventLog.failure { result.verdict = .broken(failure) }
        } catch {
            result.verdict = stage.eventLog.failure.map(ScenarioResult.Verdict.broken) ?? .couldNotRun("\(error)")
        }
        await collect(stage, into: &result)
        await stage.close()
        // A radio that was not put back is a failure, too.
        if case .kept = result.verdict, let failure = stage.eventLog.failure { result.verdict = .broken(failure) }
        if case .kept = result.verdict {
            let reasons = stage.idleParts(result.faults)
            if !reasons.isEmpty { result.verdict = .invalid(reasons) }
        }
        return result
    }

    private func collect(_ stage: Stage, into result: inout ScenarioResult) async {
        result.elapsed = stage.time
        let last = try? await stage.withWorld { world in
            (world.takeTrace(), world.digest, world.unseed, stage.proofs.outcomes(in: world))
        }
        result.faults = last?.3 ?? stage.proofs.outcomes(in: nil)
        if let last {
            stage.eventLog.add(last.0)
            (result.worldDigest, result.unseed) = (last.1, last.2)
            result.digest = last.1.value &* 31 &+ last.2.value
        }
        result.entries = stage.eventLog.entries
        result.air = stage.eventLog.air
        result.reached = stage.eventLog.reached
    }
}
