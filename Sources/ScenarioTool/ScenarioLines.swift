import Foundation
import MeshTestbed

/// How many scenarios ended how.
struct ScenarioTally {
    private(set) var kept = 0, broken = 0, notRun = 0, failed = 0

    mutating func take(_ result: ScenarioResult) {
        switch result.verdict {
        case .kept: kept += 1
        case .broken: broken += 1
        case .notRun: notRun += 1
        case .couldNotRun: failed += 1
        }
    }

    var line: String {
        "\(kept) kept, \(broken) broken" + (notRun > 0 ? ", \(notRun) not run" : "")
            + (failed > 0 ? ", \(failed) could not be run" : "")
    }

    /// 0 all kept, 1 something broken, 2 a run was not possible or nothing could run.
    var exitCode: Int32 {
        if failed > 0 || kept + broken == 0 { return 2 }
        return broken > 0 ? 1 : 0
    }
}

extension ScenarioResult {
    /// The lines of a report on a terminal.
    func lines(isVerbose: Bool) -> [String] {
        let indent = "          "
        var lines: [String]
        switch verdict {
        case .kept: lines = ["kept      \(scenario.path)"]
        case .broken(let failure):
            lines = [
                "BROKEN    \(scenario.path)", indent + "\(failure.sentence): \(failure.reason)",
                indent + "again: \(repeatCommand)",
            ]
        case .notRun(let reason): lines = ["not run   \(scenario.path): \(reason)"]
        case .couldNotRun(let reason): lines = ["FAILED    \(scenario.path): \(reason)"]
        }
        if isVerbose { lines += entries.map { indent + $0.line } }
        return lines
    }
}

extension Diary.Entry {
    /// One line for people.
    var line: String {
        let seconds = String(format: "%9.3f s  ", time / .seconds(1))
        let who = who.map { $0 + " " } ?? ""
        switch kind {
        case .step(let sentence): return seconds + sentence
        case .toRadio(let frame): return seconds + who + "> " + frame.hexText
        case .toApp(let frame): return seconds + who + "< " + frame.hexText
        case .connected: return seconds + who + "connected"
        case .disconnected: return seconds + who + "disconnected"
        case .trouble(let sentence, let begins): return seconds + (begins ? "trouble: " : "over: ") + sentence
        case .reached(let sentence): return seconds + "reached: " + sentence
        case .failed(let sentence, let reason): return seconds + "FAILED \(sentence): \(reason)"
        }
    }
}

extension [UInt8] {
    fileprivate var hexText: String { map { String(format: "%02X", $0) }.joined(separator: " ") }
}
