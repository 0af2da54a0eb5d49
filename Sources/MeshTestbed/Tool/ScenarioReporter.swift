import ArgumentParser
import MeshReports
import MeshScenarios
import MeshTime

/// Keeps what becomes of scenarios for the reports that were asked for.
struct ScenarioReporter {
    private let options: ReportOptions
    private var results: [ScenarioResult] = []

    init(_ options: ReportOptions) { self.options = options }

    /// Adds a result; frames of a kept one are left out.
    mutating func take(_ result: ScenarioResult) {
        guard options.isWanted else { return }
        var result = result
        if result.isKept { (result.entries, result.air) = ([], []) }
        results.append(result)
    }

    /// Writes the files; exit status 2 when one cannot be written.
    func write(target: String, seed: Seed) throws {
        try options.write(TestReport(scenarios: results, target: target, seed: seed))
    }
}
