import ArgumentParser
import MeshReports
import MeshStudy

/// `study report`.
struct ReportStudy<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "report",
            abstract: "Print the verdicts that rows give.",
            discussion: """
                Example:
                  \(Program.program.name) study report \(StudyCommand<Program>.example) rows.csv --html report.html

                Exit status: 0 when the control is quiet; 1 when it raised an alarm; 2 when the rows are not of this study.
                """)
    }

    @OptionGroup var argument: StudyArgument<Program>

    @Argument(help: ArgumentHelp("Its rows, as units and merges write them.", valueName: "rows"))
    var rows: String

    @OptionGroup var report: StudyReportOptions

    func run() throws {
        try report.check(for: "report", of: Program.self)
        let plan = try argument.plan()
        let kept = try StudyCommand<Program>.rows(rows)
        let result: StudyResult
        do {
            result = try StudyResult(plan, kept)
        } catch {
            throw StudyCommand<Program>.failed("report", error)
        }
        try report.show(result, "report \(argument.study) \(rows)", of: Program.self)
    }
}
