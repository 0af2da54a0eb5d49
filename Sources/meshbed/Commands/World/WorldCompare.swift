import ArgumentParser
import FoundationEssentials
import MeshFiles
import MeshReports
import MeshSimulator
import MeshStudy
import MeshTestbed
import MeshTime
import MeshWire
import MeshWorlds

/// The options of the commands that run a twin.
struct TwinOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("A world of 'world import'.", valueName: "world"))
    var world: String

    @Argument(help: ArgumentHelp("What was observed, as meshbed-observed/1.", valueName: "observed"))
    var observed: String

    @Option(help: ArgumentHelp("Floods an hour beside the measured ones. Default: as observed.", valueName: "number"))
    var background: Double?

    @OptionGroup var jobs: JobsOption

    func validate() throws {
        if let background, !TwinRun.rates.contains(background) {
            throw ValidationError("--background is 0 to \(Int(wholePart: TwinRun.rates.upperBound))")
        }
    }

    /// Three of four observed packets were floods; the other ones are direct and reach few.
    static let floodShare = 0.75

    /// Floods an hour beside the measured ones, as said or as observed.
    func rate(_ observed: ObservedFile, _ command: String) throws -> Double {
        let rate = background ?? (observed.packetsPerHour ?? 0) * Self.floodShare
        guard TwinRun.rates.contains(rate) else {
            let reason =
                "\(rate) floods an hour are too many: at most \(Int(wholePart: TwinRun.rates.upperBound)) are simulated;"
                + " --background says another number"
            throw Console.failed(command, FileProblem(file: self.observed, line: 0, reason: reason))
        }
        return rate
    }

    func content(_ command: String) throws -> WorldFile.Content {
        let bytes = try WorldCommand.bytes(world, command)
        let name = URL(fileURLWithPath: world).deletingPathExtension().lastPathComponent
        do {
            let content = try WorldFile.content(of: bytes, name: name, seed: .init(1))
            guard !content.observers.isEmpty else {
                throw FileProblem(line: 0, field: "observers", reason: "are missing: no node would log receptions")
            }
            return content
        } catch var problem as FileProblem {
            problem.file = world
            throw Console.failed(command, problem)
        }
    }

    static func observation(_ path: String, _ command: String) throws -> ObservedFile {
        do {
            return try ObservedFile(WorldCommand.bytes(path, command))
        } catch var problem as FileProblem {
            problem.file = path
            throw Console.failed(command, problem)
        }
    }
}

/// `meshbed world compare`.
struct WorldCompare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Flood a world, and compare what its observers hear with what was observed.",
        discussion: """
            Each seed floods the world fourteen times from drawn origins, with background traffic at the observed \
            rate. The definitions of meshbed-observed/1 are applied to what observers log. First, longest and all \
            copies are never mixed. A figure is met within 20 % or within the noise of the observation.

            Examples:
              meshbed world compare town.json town.observed.json
              meshbed world compare town.json town.observed.json --seeds 40 --jobs 2
              meshbed world compare town.json town.observed.json --html town.html

            Exit status: 0 when it was compared, whatever came out; 2 when a file cannot be used.
            """)

    @OptionGroup var twin: TwinOptions

    @Option(help: ArgumentHelp("How many seeds are run, from seed 1.", valueName: "number"))
    var seeds = 20

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long each seed runs. Default: until all floods are over.", valueName: "time"))
    var span: String?

    @Option(help: ArgumentHelp("The observation of another network, as a bar to beat.", valueName: "file"))
    var other: String?

    @Option(help: ArgumentHelp("Write the comparison as JSON to this file.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a page with histograms to this file.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write an article in Markdown to this file.", valueName: "file"))
    var article: String?

    func validate() throws {
        guard 1...10_000 ~= seeds else { throw ValidationError("--seeds is 1 to 10000") }
        if let span { _ = try parseSpan(span) }
    }

    func run() throws {
        let content = try twin.content("world compare")
        let observed = try TwinOptions.observation(twin.observed, "world compare")
        let other = try other.map { try TwinOptions.observation($0, "world compare") }
        let parameters: TwinParameters
        do {
            parameters = try WorldCommand.parameters(content)
        } catch {
            throw Console.failed("world compare", error)
        }
        let run = TwinRun(content, backgroundPerHour: try twin.rate(observed, "world compare"))
        let span = try span.map(parseSpan) ?? TwinRun.span
        let outcomes = SeedJobs(twin.jobs.jobs).map((1...UInt64(seeds)).map { $0 }) { run.outcome(of: $0, span: span) }
        let result = TwinComparison(outcomes, run: run, parameters: parameters, observed: observed, other: other)
        let ran = Provenance.Run(.world(twin.world), seed: nil, time: "virtual", air: content.plan.air.words)
        let provenance = Provenance.of(ran).lines
        func write(_ text: String, to path: String?) throws {
            try Console.write(text, to: path, by: "world compare")
        }
        if let json { try write(try result.jsonText() + "\n", to: json) }
        if let html { try write(result.html(provenance), to: html) }
        let command = "meshbed world compare \(twin.world) \(twin.observed) --seeds \(seeds)"
        if let article { try write(result.article(command: command, provenance: provenance), to: article) }
        try write((provenance + ["", ""]).joined(separator: "\n") + result.text, to: nil)
    }
}
