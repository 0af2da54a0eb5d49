import ArgumentParser
import MeshTestbed
import MeshTime

/// Keeps what becomes of scenarios for the reports that were asked for.
struct ScenarioReporter {
    private let options: ReportOptions
    private var results: [ScenarioResult] = []

    init(_ options: ReportOptions) { self.options = options }

    /// Takes a result; one that is broken on virtual time is played once more, with everything written down.
    mutating func take(_ result: ScenarioResult) {
        guard options.isWanted else { return }
        results.append(result.isBroken ? recorded(result) : result)
    }

    private func recorded(_ result: ScenarioResult) -> ScenarioResult {
        // Where time is real a second run is another one, and would only be a guess.
        guard result.target == .emulator, result.air.isEmpty else { return result }
        var run = ScenarioRun(result.scenario, seed: result.seed)
        run.isRecording = true
        let again = run.onVirtualTime()
        return again.verdict == result.verdict ? again : result
    }

    /// Writes the files; exit status 2 when one cannot be written.
    func write(target: String, seed: Seed) throws {
        try options.write(TestReport(scenarios: results, target: target, seed: seed), for: "scenario run")
    }
}
