import ArgumentParser
import MeshReports
import MeshScenarios
import MeshTime
import MeshWire

struct SoakScenarios<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "soak", abstract: "Play scenarios with many seeds, and report failures.",
            discussion: """
                A seed draws nodes, traffic and faults of a drawn scenario. Of a fixed scenario it draws only noise, \
                delays and the order of tasks. A failure is reduced as long as the same sentence breaks for the same \
                reason. The printed line repeats it.

                --html, --junit and --json write the report as 'scenario run' does. It has a check for each scenario, \
                the failures with their timelines, and the states that were reached. --json-lines prints one JSON \
                object for each scenario as soon as it is finished.

                --index, --of and --output play one part of the seeds, for engines that spread work over machines: a \
                number in, a JSON report out. A part whose file is there has nothing to do.

                Exit status: 0 when every seed was kept, 1 when one is broken, 2 when a run was not possible, 3 when one \
                is invalid: its run proves nothing. A part exits 0 also when a seed is broken or invalid.
                """)
    }

    @Argument(
        help:
            "A name, a story, a #tag, or the beginning of a name and *; all drawn scenarios but those with #long without one."
    )
    var words: [String] = []

    @Option(help: ArgumentHelp("One seed, or the first and the last.", valueName: "1..1000"))
    var seeds = SeedRange(1...1000)

    @Option(name: .shortAndLong, help: "Threads; each plays one seed at a time.")
    var jobs = 1

    @Option(help: "How many broken seeds of a scenario end its soak.")
    var failures = 1

    @Option(help: "Begin no further seed of a scenario after so many seconds.")
    var limit: Double?

    @Option(help: ArgumentHelp("The folder for traces of failures.", valueName: "dir"))
    var trace = "."

    @Option(help: "Runs that the reduction of one failure may use; 0 leaves it as it is.")
    var effort = 600

    @OptionGroup(title: "Units")
    var unit: UnitOptions

    @OptionGroup(title: "Reports")
    var reports: ReportOptions

    @Flag(help: "Print one JSON object for each scenario, and no text.")
    var jsonLines = false

    func validate() throws {
        guard jobs > 0, jobs <= 256 else { throw ValidationError("--jobs must be from 1 to 256") }
        guard failures > 0 else { throw ValidationError("--failures must be 1 or more") }
        if let limit, !(limit > 0 && limit <= 1e9) {
            throw ValidationError("--limit must be more than 0, up to 1e9 s")
        }
        if jsonLines, reports.job.annotations {
            throw ValidationError("--json-lines is for programs, and does not take --annotations")
        }
        if effort < 0 { throw ValidationError("--effort must be 0 or more") }
    }

    func run() throws {
        let program = Program.program
        if unit.hasFile { return }
        let seeds = self.seeds.part(unit)
        try reports.check(for: program.scenario("soak"), of: program)
        var results: [SoakResult] = []
        let commit = BuildCommit()?.short
        for source in try Program.library.soaked(by: words) {
            guard let seeds else { continue }
            var soak = Soak(source, seeds: seeds)
            soak.jobs = jobs
            soak.failureLimit = failures
            soak.timeLimit = limit.map { .milliseconds(Int64(wholePart: $0 * 1000)) }
            let bar = ProgressLine(source.path, of: seeds.count, "seeds")
            var result = soak.perform { bar.show($0, note: $1 > 0 ? "\($1) broken" : "") }
            bar.clear()
            result.program = program
            result.shrunk = result.failures.map {
                ShrunkFailure($0, name: source.name, effort: effort, commit: commit, program: program)
            }
            let found = result.shrunk.map { BrokenSeed($0, name: source.name, traces: trace) }
            reports.say(
                jsonLines
                    ? try SoakRecord(result, found).line : ([result.text] + found.map(\.text)).joined(separator: "\n"))
            results.append(result)
        }
        if reports.isWanted { try reports.write(TestReport(soaks: results)) }
        if results.contains(where: \.isImpossible) { throw ExitCode(2) }
        if unit.isWanted {
            return try unit.write(
                TestReport(soaks: results), for: "\(program.call) \(program.scenario("soak"))")
        }
        let isInvalid = results.contains { !$0.invalid.isEmpty }
        try reports.job.end(
            results.contains { !$0.failures.isEmpty } ? 1 : isInvalid ? TestReport.invalidExitCode : 0)
    }
}

extension SoakResult {
    /// Tells whether a run broke by itself, or none was possible.
    fileprivate var isImpossible: Bool { !problems.isEmpty || played == notRun }
}

extension ScenarioLibrary {
    /// Returns the scenarios that the user's words choose, drawn ones included; those alone without a word.
    func soaked(by words: [String]) throws -> [ScenarioSource] {
        words.isEmpty ? brief.filter(\.isDrawn) : try sources(chosenBy: words)
    }

    /// The scenarios that are played when nothing is named.
    var brief: [ScenarioSource] { sources.filter { !$0.tags.contains(.long) } }
}

/// Seeds from one to another: `7`, `1..1000`.
struct SeedRange: ExpressibleByArgument {
    let range: ClosedRange<UInt64>

    init(_ range: ClosedRange<UInt64>) { self.range = range }

    init?(argument: String) {
        let dots = argument.firstRange(of: "..")
        guard let first = UInt64(dots.map { argument[..<$0.lowerBound] } ?? argument[...]),
            let last = dots.map({ UInt64(argument[$0.upperBound...]) }) ?? first, first <= last,
            last - first < UInt64(Int.max)
        else { return nil }
        range = first...last
    }

    /// The seeds of a unit, which may have none.
    func part(_ unit: UnitOptions) -> ClosedRange<UInt64>? {
        let part = unit.part(of: range.count)
        guard let last = part.last else { return nil }
        return range.lowerBound + UInt64(part.lowerBound)...range.lowerBound + UInt64(last)
    }

    var defaultValueDescription: String { "\(range.lowerBound)..\(range.upperBound)" }
}
