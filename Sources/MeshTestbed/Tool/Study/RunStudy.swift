import ArgumentParser
import FoundationEssentials
import MeshReports
import MeshStudy

/// `study run`.
struct RunStudy<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let call = "\(Program.program.name) study run \(StudyCommand<Program>.example)"
        return CommandConfiguration(
            commandName: "run",
            abstract: "Run a study until each comparison has a verdict, and print the verdicts.",
            discussion: """
                With --rows the measured values are kept in a file. A later run with the same file goes on where the \
                first one ended.

                Examples:
                  \(call) --jobs 2
                  \(call) --rows rows.csv --all-seeds

                Exit status: 0 when the study was run, whatever it found; 1 when its control raised an alarm; 2 when it \
                could not be run.
                """)
    }

    @OptionGroup var argument: StudyArgument<Program>

    @OptionGroup var jobs: JobsOption

    @Option(help: ArgumentHelp("Read rows from this file if it exists, and keep them in it.", valueName: "file"))
    var rows: String?

    @Flag(name: .customLong("all-seeds"), help: "Run all seeds, also when each comparison has a verdict.")
    var allSeeds = false

    @OptionGroup var report: StudyReportOptions

    func run() throws {
        try report.check(for: "run", of: Program.self)
        let plan = try argument.plan()
        var run = StudyRun(plan)
        run.jobs = jobs.jobs
        run.stopsEarly = !allSeeds
        var kept = StudyRows(StudyUnit(plan).origin(version: StudyCommand<Program>.version))
        do {
            if let rows, FileManager.default.fileExists(atPath: rows) { try kept.merge(try StudyRows(file: rows)) }
            let bar = ProgressLine("study", of: plan.seeds, "seeds")
            let result = try run.perform(&kept) { seeds, open in bar.show(seeds, note: "\(open) comparisons open") }
            bar.clear()
            if let rows { try StudyCommand<Program>.write(kept.csv, to: rows, by: "run") }
            try report.show(result, "run \(argument.study)", of: Program.self)
        } catch let problem as StudyProblem {
            throw StudyCommand<Program>.failed("run", problem)
        }
    }
}
