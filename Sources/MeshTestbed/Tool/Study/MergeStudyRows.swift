import ArgumentParser
import MeshReports
import MeshStudy

/// `study merge`.
struct MergeStudyRows<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "merge",
            abstract: "Merge the files of units; their order does not change the bytes.",
            discussion: """
                Each seed counts once. Files of two builds or two studies are refused, and so is a seed with two results.

                Example:
                  \(Program.program.name) study merge unit-*.csv --output rows.csv

                Exit status: 0 when the file was written; 2 when the files do not fit together.
                """)
    }

    @Argument(help: ArgumentHelp("Files of units, or merged files.", valueName: "files"))
    var files: [String]

    @Option(help: ArgumentHelp("Write the rows to this file; - is standard output.", valueName: "file"))
    var output: String

    func run() throws {
        var rows: StudyRows?
        for file in files {
            let more = try StudyCommand<Program>.rows(file)
            do {
                if rows == nil { rows = StudyRows(more.origin) }
                try rows?.merge(more)
            } catch {
                throw StudyCommand<Program>.failed("merge", "\(file): \(error)")
            }
        }
        guard let rows else { throw StudyCommand<Program>.failed("merge", "no file is named") }
        if rows.missing > 0 { StandardError.line("\(rows.missing) of \(rows.origin.seeds) seeds are missing") }
        try StudyCommand<Program>.write(rows.csv, to: output, by: "merge")
    }
}
