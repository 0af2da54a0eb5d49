import ArgumentParser
import MeshFiles
import MeshReports
import MeshStudy

/// The files and streams for the result of a study.
struct StudyReportOptions: ParsableArguments {
    @Flag(help: "Print the result as JSON, with every look.")
    var json = false

    @Option(help: ArgumentHelp("Write a report with plots to this file.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write an article in Markdown to this file.", valueName: "file"))
    var article: String?

    @OptionGroup var job: JobOptions

    private var paths: [String] { [html, article].compactMap(\.self) + job.paths }

    func validate() throws {
        try JobOptions.validate((json ? ["-"] : []) + paths)
    }

    /// Fails with exit status 2 when a file cannot be written, before a run that may take minutes.
    func check<Program: ScenarioProgram>(for command: String, of _: Program.Type) throws {
        try JobOptions.check(paths, by: StudyCommand<Program>.voice(command))
    }

    /// Prints and writes. Exit status 1 where the control raises an alarm.
    ///
    /// - Parameter words: what the user has typed behind `study`, such as `run delay.json`.
    func show<Program: ScenarioProgram>(_ result: StudyResult, _ words: String, of _: Program.Type) throws {
        let plan = result.plan
        let provenance = Provenance.of(
            .init(
                .world(plan.world), seed: nil, time: "virtual", air: plan.airWords, withoutQuirks: plan.withoutQuirks)
        ).lines
        let command = String(words.prefix { $0 != " " })
        func write(_ text: String, to path: String?) throws {
            try StudyCommand<Program>.write(text, to: path, by: command)
        }
        if let html { try write(result.html(provenance), to: html) }
        if let article {
            let call = "\(Program.program.call) study \(words)"
            try write(result.article(command: call, provenance: provenance), to: article)
        }
        if json {
            try write(try result.jsonText() + "\n", to: nil)
        } else {
            let text = job.shown((provenance + ["", ""]).joined(separator: "\n") + result.text)
            if paths.contains("-") { StandardError.text(text) } else { try write(text, to: nil) }
        }
        try job.write(
            StudyJobResult(result, provenance: provenance), isTaken: json || paths.contains("-"),
            by: StudyCommand<Program>.voice(command))
        try job.end(result.isValid ? 0 : 1)
    }
}
