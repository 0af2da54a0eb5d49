import MeshEmulator
import MeshReports
import MeshScenarios
import MeshTransports

/// The result of replaying one recording.
struct ReplayResult {
    /// The lines that are printed of it when it is alone.
    var lines: [String] = []
    /// The problems, a line each.
    var problems: [String] = []
    /// The result in one line.
    var summary = ""
    /// The reason why there was no replay.
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

    /// The verdict in the words of `comply`.
    var verdict: String {
        switch report.exitCode {
        case 0: "kept     "
        case 1: "BROKEN   "
        default: "FAILED   "
        }
    }
}

/// The radio that a replayed client connects to.
enum ReplayTarget: Sendable, CustomStringConvertible {
    case emulator
    case radio(RadioWord)

    init(_ text: String) throws {
        self = text == "emulator" ? .emulator : .radio(try RadioWord.read(text))
    }

    var description: String {
        switch self {
        case .emulator: "emulator"
        case .radio(let word): word.text
        }
    }
}
