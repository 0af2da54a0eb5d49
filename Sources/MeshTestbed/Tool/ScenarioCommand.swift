public import ArgumentParser
public import MeshBoards
public import MeshReports
public import MeshScenarios
public import MeshStudy
import MeshTime
import MeshWire

/// `scenario`: plays the scenarios of a library. A package of scenarios of its own makes a command of it in two lines:
///
/// ```swift
/// @main struct Mine: ScenarioProgram {
///     static let library = ScenarioLibrary([myScenario])
/// }
/// ```
///
/// With a bench its radios are targets by their labels, and there is a `comply` for them:
///
/// ```swift
///     static let bench = Bench { Radio("heltec", "serial:/dev/ttyUSB0") }
/// ```
///
/// With studies there is a `study` for them:
///
/// ```swift
///     static let studies = [receiveDelay]
/// ```
public protocol ScenarioProgram {
    /// The scenarios that can be played.
    static var library: ScenarioLibrary { get }
    /// The radios that `--target` and `--peer` name by label; empty unless stated.
    static var bench: Bench { get }
    /// The studies that `study` finds by name; none unless stated.
    static var studies: [Study] { get }
    /// The program's name for its users: the running program unless stated.
    static var program: ProgramName { get }
}

extension ScenarioProgram {
    /// No radios: everything is emulated.
    public static var bench: Bench { Bench {} }
    /// No studies.
    public static var studies: [Study] { [] }
    /// The name by which the program was started.
    public static var program: ProgramName { .running }
}

extension ScenarioProgram {
    /// Plays what the arguments of the process say.
    public static func main() async { await ScenarioCommand<Self>.runProgram() }
}

/// `scenario`: lists, runs, soaks and digests the scenarios of a program, and holds its radios against the
/// protocol.
public struct ScenarioCommand<Program: ScenarioProgram>: AsyncParsableCommand {
    /// The name and the parts of the command.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Program.program.isPackage ? Program.program.name : "scenario",
            abstract: "Play scenarios: scripts on a mesh, with the expectations that must hold.",
            subcommands: [
                ListScenarios<Program>.self, RunScenarios<Program>.self, SoakScenarios<Program>.self,
                DigestScenarios<Program>.self,
            ] + (Program.bench.radios.isEmpty ? [] : [ComplyOnBench<Program>.self])
                + (Program.studies.isEmpty ? [] : [StudyCommand<Program>.self]))
    }

    public init() {}
}

struct ListScenarios<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "List the scenarios with their summaries.")
    }

    @Argument(help: "A name, a story, a #tag, or the beginning of a name and *.")
    var words: [String] = []

    func run() throws {
        let library = Program.library
        for scenario in words.isEmpty ? library.sources : try library.sources(chosenBy: words) {
            let tags = scenario.tags.map { "#\($0)" }.sorted() + (scenario.isDrawn ? ["drawn by its seed"] : [])
            StandardOutput.line("\(scenario.path)  \(tags.joined(separator: " "))")
            StandardOutput.line("    " + scenario.summary)
            for thread in scenario.threads { StandardOutput.line("    " + thread) }
        }
    }
}

struct RunScenarios<Program: ScenarioProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run", abstract: "Play scenarios and report their verdicts.",
            discussion: """
                Real radios are put back after each scenario and at the end. Their state before stands in a file \
                meanwhile: when the run is killed, the next command that meets a radio puts it back.

                Exit status: 0 when everything that ran was kept, 1 when something is broken, 2 when a run was not \
                possible, nothing could run or a radio was not put back, 3 when a run is invalid. An invalid run proves \
                nothing: a fault never took effect, or a rule could not be broken.
                """)
    }

    @Argument(help: "A name, a story, a #tag, or the beginning of a name and *; all without one.")
    var words: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where to play: \(Target.forms), or a label of the bench file or of this program; radios once for each person "
                + "of the scenario. On 'emulator' and behind 'emulator+ble' time is virtual.",
            valueName: "\(Target.valueName)|label"))
    var target: [String] = ["emulator"]

    @OptionGroup var benchOptions: BenchOptions

    @Option(help: "How many play at the same time where time is real.")
    var jobs = 8

    @Option(help: "The seed of everything random.")
    var seed: UInt64 = 1

    @OptionGroup(title: "Reports")
    var reports: ReportOptions

    @Option(
        help: ArgumentHelp(
            "The commit with which a failure was found. Another one that this program was built of is refused; where "
                + "that is not known, a note says so.",
            valueName: "commit"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "What is left out of the one scenario, by the names that a soak prints: n3 a node, s5 a line, l2 a link ….",
            valueName: "n3,s5,l2"))
    var without: String?

    @Flag(name: .shortAndLong, help: "Also print the script as it was walked.")
    var verbose = false

    func validate() throws {
        _ = try place
        guard 1...64 ~= jobs else { throw ValidationError("--jobs is 1 to 64") }
        if without != nil, words.count != 1 { throw ValidationError("--without is for one scenario") }
        _ = try items
    }

    private var place: Target {
        get throws {
            do {
                return try bench.target(words: target)
            } catch let error as ValidationError {
                throw error
            } catch {
                throw ValidationError(
                    "'\(target.joined(separator: " "))' is no target (\(Target.forms), or a label): \(error)")
            }
        }
    }

    private var bench: Bench {
        get throws { try benchOptions.bench(for: target.filter { (try? Target($0)) == nil }, with: Program.bench) }
    }

    /// The radios at the addresses where they are, which are this run's until it ends.
    private func claims() throws -> [BoardClaim] {
        let bench = try bench
        do {
            return try target.map { word in
                try BoardClaim(bench.target(word), for: "\(Program.program.call) \(Program.program.scenario("run"))")
            }
        } catch {
            throw Self.refusal(error as? Bench.Problem ?? .lacks(target.joined(separator: " "), reason: "\(error)"))
        }
    }

    private var items: [ScenarioItem] {
        get throws {
            try (without ?? "").split(separator: ",").map { name in
                guard let item = ScenarioItem(String(name)) else {
                    throw ValidationError("'\(name)' is nothing to leave out")
                }
                return item
            }
        }
    }

    func run() async throws {
        if let at { try BuildCommit.mustBe(at) }
        let claims = try claims()
        defer { for claim in claims { claim.release() } }
        guard let target = Target(joining: claims.map(\.target)) else { throw ValidationError("there is no target") }
        let program = Program.program
        try reports.check(for: program.scenario("run"), of: program)
        var reporter = ScenarioReporter(reports)
        var tally = ScenarioTally()
        reports.say(Provenance.Run(on: target, seed: self.seed))
        let seed = Seed(seed)
        let items = try items
        let chosen = try Program.library.chosen(by: words, seed: seed)
        if !items.isEmpty {
            guard let only = chosen.first, chosen.count == 1 else {
                throw Self.refusal(
                    "--without is for one scenario, and '\(words.joined(separator: " "))' names \(chosen.count)")
            }
            if let stray = items.first(where: { !only.has($0) }) {
                throw Self.refusal("there is no \(stray) in \(only.name)")
            }
        }
        let scenarios = items.isEmpty ? chosen : chosen.map { $0.without(items) }
        let lent = try lentRadios(claims, of: target, for: scenarios)
        for note in lent?.notes ?? [] { reports.say(note) }
        let side = target.isReal ? 1 : jobs
        let results = ScenarioRun.results(of: scenarios, seed: seed, on: target, jobs: side) { run in
            run.program = program
            run.explainsFailures = true
            // Where time is real there is no second run that is the same.
            run.isRecording = !target.isRepeatable
        }
        let bar = ProgressLine("scenario run", of: scenarios.count, "scenarios")
        for await result in results {
            tally.take(result)
            reporter.take(result)
            bar.clear()
            reports.say(result.text(isVerbose: verbose))
            bar.show(tally.count, note: tally.broken > 0 ? "\(tally.broken) broken" : "")
        }
        bar.clear()
        reports.say(tally.line)
        if !target.isRepeatable {
            reports.say("the seed does not fix timestamps and identifiers here: each run has its own")
        }
        let left = lent?.giveBack() ?? []
        for line in left { reports.say("Not put back on \(line)") }
        try reporter.write(target: "\(target)", seed: seed, notPutBack: left)
        try reports.job.end(left.isEmpty ? tally.exitCode : 2)
    }

    /// The real radios of the run, with their state kept; `nil` where there is none, or where nothing can play.
    private func lentRadios(
        _ claims: [BoardClaim], of target: Target, for scenarios: [Scenario]
    ) throws -> LentRadios? {
        guard target.isReal, scenarios.contains(where: { target.reasonAgainst($0) == nil }) else { return nil }
        do { return try LentRadios(claims) } catch { throw Self.refusal(error) }
    }
}

/// The reason why there is nothing to play, in one line.
struct ScenarioProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension RunScenarios {
    /// Says why the command cannot go on; exit status 2.
    static func refusal(_ problem: some CustomStringConvertible) -> ExitCode {
        CommandVoice(Program.program.call, Program.program.scenario("run")).failed(problem)
    }
}

extension ScenarioLibrary {
    /// Returns the scenarios that the user's words choose; throws for a word that chooses nothing.
    func sources(chosenBy words: [String]) throws -> [ScenarioSource] {
        try words.flatMap { word in
            let found = sourcesMatching(word)
            if found.isEmpty {
                throw ScenarioProblem("no scenario, story or #tag is called '\(word)'; 'scenario list' shows them all")
            }
            return found
        }
    }

    /// The scenarios that the words choose, the drawn ones as the seed makes them; all fixed ones without a word.
    func chosen(by words: [String], seed: Seed) throws -> [Scenario] {
        words.isEmpty ? scenarios : try sources(chosenBy: words).map { $0.scenario(of: seed) }
    }
}
