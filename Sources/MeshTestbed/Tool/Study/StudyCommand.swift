public import ArgumentParser
import MeshFiles
import MeshReports
import MeshStudy

/// `study`: paired experiments on meshes, those of a program and those in files.
public struct StudyCommand<Program: ScenarioProgram>: ParsableCommand {
    /// The name and the parts of the command.
    public static var configuration: CommandConfiguration {
        let program = Program.program.name
        return CommandConfiguration(
            commandName: "study",
            abstract: "Compare ways to set a mesh up, with verdicts whose error is stated.",
            discussion: """
                A study is \(StudyArgument<Program>.kinds): a world, arms that differ in settings, firmware, traffic or \
                air, metrics with margins, and seeds. Each seed runs every arm on the same random numbers. The differences \
                give an interval that may be looked at any time, and the study stops when each comparison has a verdict. A \
                control, the first arm on other random numbers, runs with every seed. If it differs from the first arm, no \
                verdict counts.

                A unit of a study is a number in and a file out, for engines that spread work over machines. Files are \
                merged in any order, and each seed counts once.

                Examples:
                  \(program) study run \(example) --jobs 2 --html delay.html
                  \(program) study unit \(example) --index 3 --of 100 --output 3.csv
                  \(program) study merge *.csv --output rows.csv
                  \(program) study report \(example) rows.csv --json
                  \(program) study metrics
                """,
            subcommands: (Program.studies.isEmpty ? [] : [ListStudies<Program>.self]) + [
                RunStudy<Program>.self, RunStudyUnit<Program>.self, MergeStudyRows<Program>.self,
                ReportStudy<Program>.self, ListStudyMetrics<Program>.self,
            ])
    }

    public init() {}

    /// The name of a study in examples.
    static var example: String { Program.studies.first?.name ?? "delay.json" }

    /// The build that runs seeds, as rows name it.
    static var version: String { MeshbedVersion.built.description }

    static func rows(_ path: String) throws -> StudyRows {
        do {
            return try StudyRows(file: path)
        } catch {
            throw failed("", error)
        }
    }

    /// The words under which a command complains.
    static func voice(_ command: String) -> CommandVoice { CommandVoice(Program.program.name, "study", command) }

    /// Says why a command cannot go on; exit status 2.
    static func failed(_ command: String, _ reason: some Any) -> ExitCode { voice(command).failed(reason) }

    /// Writes a whole file; without a path, or with `-`, to standard output.
    static func write(_ text: String, to path: String?, by command: String) throws {
        try voice(command).write(text, to: path)
    }
}

/// The study that a command is about.
struct StudyArgument<Program: ScenarioProgram>: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            Program.studies.isEmpty
                ? "The study, a JSON file." : "The name of a study of this program, or the path of a JSON file.",
            valueName: "study"))
    var study: String

    /// The forms in which a study can be named here.
    static var kinds: String {
        Program.studies.isEmpty ? "a JSON file" : "one of this program's, or a JSON file"
    }

    /// The study, checked against its world; exit status 2 where there is none.
    func plan() throws -> StudyPlan {
        do {
            let named = Program.studies.filter { $0.name == study }
            guard named.count < 2 else {
                throw StudyProblem("this program has \(named.count) studies named '\(study)'")
            }
            if let known = named.first {
                return try StudyPlan(known, of: StudyProgram.fingerprint)
            }
            if study.hasSuffix(".swift") {
                throw StudyProblem(
                    "\(study): a study in Swift is part of a program; 'meshbed new scenarios' makes the package of one")
            }
            if !Program.studies.isEmpty, try FileSystem.kind(of: study) == nil {
                let known = Program.studies.map(\.name).joined(separator: ", ")
                throw StudyProblem("'\(study)' is no study of this program, and no file; known are \(known)")
            }
            return try StudyPlan(file: study)
        } catch {
            throw StudyCommand<Program>.failed("", error)
        }
    }
}

/// The number of seeds that run at once.
package struct JobsOption: ParsableArguments {
    @Option(help: ArgumentHelp("Run so many seeds at once.", valueName: "number"))
    package var jobs = 1

    package init() {}

    package func validate() throws {
        guard 1...256 ~= jobs else { throw ValidationError("--jobs is 1 to 256") }
    }
}

/// `study list`.
struct ListStudies<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "List the studies of this program with their questions.")
    }

    func run() {
        for study in Program.studies {
            let metrics = study.metrics.map(\.name).joined(separator: ", ")
            StandardOutput.line("\(study.name)  \(metrics)")
            if !study.question.isEmpty { StandardOutput.line("    " + study.question) }
        }
    }
}

/// `study metrics`.
struct ListStudyMetrics<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "metrics", abstract: "List the metrics of studies, with the greatest value that counts.")
    }

    func run() {
        // Those of the program behind those that every study may name, each once.
        var metrics = StudyMetric.known
        for metric in Program.studies.flatMap(\.metrics) where !metrics.contains(metric) { metrics.append(metric) }
        for metric in metrics {
            let direction = metric.isMoreBetter ? "more is better" : "less is better"
            StandardOutput.line("\(metric.name): \(metric.summary); \(direction); 0 to \(Self.shown(metric.most))")
        }
    }

    static func shown(_ most: Double) -> String { Int64(exactly: most).map { "\($0)" } ?? "\(most)" }
}
