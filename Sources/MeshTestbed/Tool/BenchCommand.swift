import ArgumentParser
import MeshBoards
import MeshCompliance

/// `comply` of a package with a bench of its own: radios are named by their labels.
struct ComplyOnBench<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "comply", abstract: "Check a radio of the bench against the companion protocol.",
            discussion: """
                A label stands for the radio where the bench says that it is, which is restarted and erased only as \
                far as the bench allows it. What 'meshbed comply' takes is taken as well: \(Target.forms).

                Labels: \(Program.bench.labels.joined(separator: ", "))

                Exit status: 0 when everything that ran was kept, 1 when something is broken, 2 when the run was not \
                possible.
                """)
    }

    @Option(help: ArgumentHelp("The radio.", valueName: "label|address"))
    var target: String

    @Option(
        help: ArgumentHelp(
            "A second real radio in radio range that plays the other nodes of the mesh.", valueName: "label|address"))
    var peer: String?

    @Option(
        help: ArgumentHelp(
            "Run only these: numbers (34), ranges (50-82), a section (F), identifiers with * (PEER-*), words of a title; "
                + "several are separated by commas, or by repeating it.", valueName: "pattern"))
    var only: [String] = []

    @OptionGroup(title: "Reports")
    var reports: ReportOptions

    @Flag(
        help: "Print which commands, replies, errors, lengths, tails and pushes went over the link, and which did not.")
    var matrix = false

    @Flag(name: .shortAndLong, help: "A line for every statement, and what went before a broken one.")
    var verbose = false

    func validate() throws {
        _ = try planned
    }

    private var planned: ComplianceRun {
        get throws {
            do {
                var run = try Program.bench.complianceRun(
                    target: target, peer: peer, only: Selection(only.joined(separator: ",")))
                run.program = Program.program
                return run
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }

    func run() throws {
        try reports.check(for: "comply", of: Program.program)
        var console = ComplianceConsole(reports: reports)
        console.isVerbose = verbose
        console.showsMatrix = matrix
        try console.perform(try planned)
    }
}
