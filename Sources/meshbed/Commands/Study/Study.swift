import ArgumentParser
import MeshFiles
import MeshReports
import MeshStudy
import ScenarioTool

/// `meshbed study`: paired experiments on meshes.
struct Study: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare ways to set a mesh up, with verdicts whose error is stated.",
        discussion: """
            A study is a JSON file: a world, arms that differ in settings, firmware, traffic or air, metrics with \
            margins, and seeds. Each seed runs every arm on the same random numbers. The differences give an interval \
            that may be looked at any time, and the study stops when each comparison has a verdict. A control, the \
            first arm on other random numbers, runs with every seed. If it differs from the first arm, no verdict counts.

            A unit of a study is a number in and a file out, for engines that spread work over machines. Files are \
            merged in any order, and each seed counts once.

            Examples:
              meshbed study run delay.json --jobs 2 --html delay.html
              meshbed study unit delay.json --index 3 --of 100 --output 3.csv
              meshbed study merge *.csv --output rows.csv
              meshbed study report delay.json rows.csv --json
              meshbed study metrics
            """,
        subcommands: [
            StudyRunCommand.self, StudyUnitCommand.self, StudyMerge.self, StudyReport.self, StudyMetrics.self,
        ])

    /// The build that runs seeds, as rows name it.
    static var version: String { MeshbedVersion.built.description }

    static func plan(_ path: String) throws -> StudyPlan {
        do {
            return try StudyPlan(file: path)
        } catch {
            throw Console.failed("study", error)
        }
    }

    static func rows(_ path: String) throws -> StudyRows {
        do {
            return try StudyRows(file: path)
        } catch {
            throw Console.failed("study", error)
        }
    }
}

/// How many seeds run at once.
struct JobsOption: ParsableArguments {
    @Option(help: ArgumentHelp("Run so many seeds at once.", valueName: "number"))
    var jobs = 1

    func validate() throws {
        guard 1...256 ~= jobs else { throw ValidationError("--jobs is 1 to 256") }
    }
}

/// Where the result of a study goes.
struct StudyReportOptions: ParsableArguments {
    @Flag(help: "Print the result as JSON, with every look.")
    var json = false

    @Option(help: ArgumentHelp("Write a report with plots to this file.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write an article in Markdown to this file.", valueName: "file"))
    var article: String?

    /// Prints and writes. Exit status 1 where the control raises an alarm.
    func show(_ result: StudyResult, command: String, by study: some ParsableCommand) throws {
        let plan = result.plan
        let provenance = Provenance.of(
            .init(
                .world(plan.world), seed: nil, time: "virtual", air: plan.airWords, withoutQuirks: plan.withoutQuirks)
        ).lines
        if let html { try study.write(result.html(provenance), to: html) }
        if let article { try study.write(result.article(command: command, provenance: provenance), to: article) }
        let text = json ? try result.jsonText() + "\n" : (provenance + ["", ""]).joined(separator: "\n") + result.text
        try study.write(text, to: nil)
        if !result.isValid { throw ExitCode(1) }
    }
}

/// `meshbed study metrics`.
struct StudyMetrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "List the metrics of studies, with the greatest value that counts.")

    func run() {
        for metric in StudyMetric.allCases {
            let direction = metric.isMoreBetter ? "more is better" : "less is better"
            Console.out("\(metric.rawValue): \(metric.summary); \(direction); 0 to \(Int(metric.usualMost))")
        }
    }
}
