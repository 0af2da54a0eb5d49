import ArgumentParser
import Foundation
import ScenarioTool

/// Lines for people and programs; each is out when the call returns, also into a pipe.
enum Console {
    static func out(_ line: String) {
        StandardOutput.line(line)
    }

    static func note(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Says why the command cannot go on; exit status 2.
    static func failed(_ command: String, _ reason: some Any) -> ExitCode {
        note("meshbed \(command): \(reason)")
        return ExitCode(2)
    }
}
