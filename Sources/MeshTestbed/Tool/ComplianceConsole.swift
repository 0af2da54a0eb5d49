import ArgumentParser
import Glibc
import MeshBoards
public import MeshCompliance
import MeshReports

/// Carries a run of the compliance suite out on the terminal: progress, report, files, exit status.
public struct ComplianceConsole {
    /// The files to write.
    public var reports: ReportOptions
    /// Tells whether every statement gets a line.
    public var isVerbose = false
    /// Tells whether the matrix of commands and replies is printed.
    public var showsMatrix = false
    /// The address of the article that has the statements; `nil` where none is known.
    package var statements: String?
    /// The name that the user gave the implementation; `nil` for what it says of itself.
    package var name: String?

    public init(reports: ReportOptions) {
        self.reports = reports
    }

    /// Runs and reports; throws the exit status when it is not 0.
    public func perform(_ run: ComplianceRun) throws {
        try perform(by: run.program, on: run.target) { isInterrupted, progress in
            try run.perform(isInterrupted: isInterrupted, progress: progress)
        }
    }

    /// Reports on any suite that judges a node of `target`; throws the exit status when it is not 0.
    package func perform(
        by program: ProgramName, on target: Target,
        judge: (() -> Bool, (ComplianceReport.Entry, Int) -> Void) throws -> ComplianceReport
    ) throws {
        let report: ComplianceReport
        let bar = ProgressLine("comply", "checks")
        do {
            Interruption.isAwaited()
            var done = 0
            report = try judge({ Interruption.hasCome }) { entry, count in
                done += 1
                bar.show(done, of: count, note: entry.id)
            }
        } catch {
            bar.clear()
            StandardError.line("\(program.call) comply: \(error)")
            throw ExitCode(2)
        }
        bar.clear()
        var file = TestReport(report)
        var origin = Provenance.Run(checking: target, seed: file.seed)
        origin.firmware = report.firmware
        reports.say(origin)
        reports.say(report.text(isVerbose: isVerbose))
        if showsMatrix { reports.say("\n" + report.matrix.text) }
        file.program = program
        file.provenance = .of(origin)
        file.statements = statements
        if let name { file.node?.name = name }
        try reports.write(file)
        try reports.job.end(report.exitCode)
    }
}
