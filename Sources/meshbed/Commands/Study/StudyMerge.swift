import ArgumentParser
import MeshStudy

/// `meshbed study merge`.
struct StudyMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Put the files of units together: the same bytes in whatever order.",
        discussion: """
            Each seed counts once. Files of two builds or two studies are refused, and so is a seed with two results.

            Example:
              meshbed study merge unit-*.csv --output rows.csv

            Exit status: 0 when the file was written; 2 when the files do not fit together.
            """)

    @Argument(help: ArgumentHelp("Files of units, or merged files.", valueName: "files"))
    var files: [String]

    @Option(help: ArgumentHelp("Write the rows to this file; - is standard output.", valueName: "file"))
    var output: String

    func run() throws {
        var rows: StudyRows?
        for file in files {
            let more = try Study.rows(file)
            do {
                if rows == nil { rows = StudyRows(more.origin) }
                try rows?.merge(more)
            } catch {
                throw Console.failed("study merge", "\(file): \(error)")
            }
        }
        guard let rows else { throw Console.failed("study merge", "no file is named") }
        if rows.missing > 0 { Console.note("\(rows.missing) of \(rows.origin.seeds) seeds are missing") }
        try write(rows.csv, to: output)
    }
}

/// `meshbed study report`.
struct StudyReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print the verdicts that rows give.",
        discussion: """
            Example:
              meshbed study report study.json rows.csv --html report.html

            Exit status: 0 when the control is quiet; 1 when it raised an alarm; 2 when the rows are not of this study.
            """)

    @Argument(help: ArgumentHelp("The study, a JSON file.", valueName: "study"))
    var file: String

    @Argument(help: ArgumentHelp("Its rows, as units and merges write them.", valueName: "rows"))
    var rows: String

    @OptionGroup var report: StudyReportOptions

    func run() throws {
        let plan = try Study.plan(file)
        let rows = try Study.rows(rows)
        let result: StudyResult
        do {
            result = try StudyResult(plan, rows)
        } catch {
            throw Console.failed("study report", error)
        }
        try report.show(result, command: "meshbed study report \(file) \(self.rows)", by: self)
    }
}
