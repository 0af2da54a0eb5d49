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
    ///
    /// - Parameter left: what was not put back on real radios, a line each.
    func write(target: String, seed: Seed, notPutBack left: [String] = []) throws {
        var report = TestReport(scenarios: results, target: target, seed: seed)
        if !left.isEmpty {
            report.abortedBecause = "not everything could be put back on the radios"
            report.notes += left.map { "Not put back on \($0)" }
        }
        try options.write(report)
    }
}
