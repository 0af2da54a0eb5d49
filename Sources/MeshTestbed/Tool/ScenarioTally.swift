import MeshReports
import MeshScenarios

/// The numbers of scenarios by outcome.
struct ScenarioTally {
    private(set) var kept = 0, broken = 0, notRun = 0, failed = 0, invalid = 0

    mutating func take(_ result: ScenarioResult) {
        switch result.verdict {
        case .kept: kept += 1
        case .broken: broken += 1
        case .notRun: notRun += 1
        case .couldNotRun: failed += 1
        case .invalid: invalid += 1
        }
    }

    /// The number of scenarios that have ended.
    var count: Int { kept + broken + notRun + failed + invalid }

    var line: String {
        "\(kept) kept, \(broken) broken" + (notRun > 0 ? ", \(notRun) not run" : "")
            + (invalid > 0 ? ", \(invalid) invalid" : "")
            + (failed > 0 ? ", \(failed) could not be run" : "")
    }

    /// 0 all kept, 1 something broken, 2 a run was not possible or nothing could run, 3 a run proves nothing.
    var exitCode: Int32 {
        if failed > 0 || kept + broken + invalid == 0 { return 2 }
        if broken > 0 { return 1 }
        return invalid > 0 ? TestReport.invalidExitCode : 0
    }
}
