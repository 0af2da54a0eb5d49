import ArgumentParser
import MeshFiles
package import MeshReports
import MeshWire

/// Outputs for the pages of a build server: `--summary`, `--annotations`, `--badge`; and what findings do,
/// `--exit-policy`.
package struct JobOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Append a summary in Markdown to this file, such as $GITHUB_STEP_SUMMARY; '-' is standard output.",
            valueName: "file"))
    var summary: String?

    @Flag(
        help:
            "Print what broke as annotations of GitHub Actions, at most 10 of a kind; the last says how many there are."
    )
    package var annotations = false

    @Option(
        help: ArgumentHelp(
            "Write the result as a badge, JSON for the endpoint badge of shields.io; '-' is standard output.",
            valueName: "file"))
    var badge: String?

    @Option(
        help: ArgumentHelp(
            "Whether something broken fails the command (exit status 1) or is only flagged in the reports (0).",
            valueName: "policy"))
    package var exitPolicy = ExitPolicy.fail

    package init() {}

    /// The files that were asked for.
    package var paths: [String] { [summary, badge].compactMap(\.self) }

    /// Tells whether any output was asked for.
    var isWanted: Bool { annotations || !paths.isEmpty }

    /// The text for people: with annotations, no line of it may be taken for one.
    package func shown(_ text: String) -> String { annotations ? WorkflowCommand.inert(text) : text }

    /// Writes and prints what was asked for; exit status 2 when a file cannot be written.
    ///
    /// - Parameter isTaken: whether standard output is for a report; annotations are on standard error then.
    package func write(_ result: some JobResult, isTaken: Bool, by voice: CommandVoice) throws {
        if let summary { try voice.write(result.jobSummary, to: summary, over: .continued) }
        if let badge { try voice.write(result.badge.json, to: badge) }
        guard annotations else { return }
        for command in result.annotations(exitPolicy) {
            isTaken ? StandardError.line(command.line) : StandardOutput.line(command.line)
        }
    }

    /// Throws what the exit status of a report is under the policy, unless it is 0.
    package func end(_ code: Int32) throws {
        let code = exitPolicy.exitCode(of: code)
        if code != 0 { throw ExitCode(code) }
    }

    /// Throws when two outputs go to one place, or a path is empty.
    package static func validate(_ paths: [String]) throws {
        for (index, path) in paths.enumerated() {
            if path == "-", paths[..<index].contains(path) {
                throw ValidationError("one report at most goes to standard output")
            }
            if path.isEmpty { throw ValidationError("a report needs the path of a file") }
            // Devices take what one gives them.
            if !path.hasPrefix("/dev/"), paths[..<index].contains(path) {
                throw ValidationError("two reports cannot be the same file: \(path)")
            }
        }
    }

    /// Fails with exit status 2 when a file cannot be written, before a run that may take minutes.
    package static func check(_ paths: [String], by voice: CommandVoice) throws {
        for path in paths where path != "-" {
            // What is in it stays until there is something new.
            do { try OutputFile.check(path) } catch { throw voice.failed(writing: path, error) }
        }
    }
}

extension ExitPolicy: ExpressibleByArgument {}
