import MeshEmulator
import MeshReports
import MeshScenarios
import MeshTransports

/// What became of one recording.
struct ReplayResult {
    /// All that is said of it when it is alone.
    var lines: [String] = []
    /// What is wrong, a line each.
    var problems: [String] = []
    /// One line.
    var summary = ""
    /// Why there was no replay.
    var failure: String?
    var report: TestReport

    init(
        lines: [String] = [], problems: [String] = [], summary: String = "", report: TestReport
    ) {
        self.lines = lines
        self.problems = problems
        self.summary = summary
        self.report = report
    }

    /// A replay that was not possible.
    init(impossible reason: String, command: String, target: String) {
        failure = reason
        report = TestReport(impossibleReplay: reason, command: command, target: target)
    }

    /// As in the reports of `comply`.
    var verdict: String {
        switch report.exitCode {
        case 0: "kept     "
        case 1: "BROKEN   "
        default: "FAILED   "
        }
    }
}

/// What a replayed client talks to.
enum ReplayTarget: Sendable, CustomStringConvertible {
    case emulator
    case radio(RadioAddress)

    init(_ text: String) throws {
        self = text == "emulator" ? .emulator : .radio(try RadioAddress(text))
    }

    var description: String {
        switch self {
        case .emulator: "emulator"
        case .radio(let address): "\(address)"
        }
    }
}
