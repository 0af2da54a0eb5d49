import ArgumentParser
import MeshFiles
import MeshSimulator
import MeshStudy
import MeshTestbed
import MeshWorlds

/// `meshbed world fit`.
struct WorldFit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fit",
        abstract: "Fit the rule that makes signals of counts, and write the fitted world.",
        discussion: """
            A Latin hypercube and steps from its best point look for the numbers with which the named figures come \
            nearest to what was observed. A figure that was fitted is no evidence: the others are held out, and \
            'world compare' shows them. The same command gives the same bytes.

            Examples:
              meshbed world fit town.json town.observed.json -o fitted.json --jobs 2
              meshbed world fit town.json town.observed.json -o fitted.json \\
                --on hops.firstPerObserver.median --on copiesPerObserver.mean
            """)

    @OptionGroup var twin: TwinOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the fitted world to this file.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("A figure to fit; may be repeated. Default: hops, copies, time.", valueName: "figure"))
    var on: [String] = []

    @Option(help: ArgumentHelp("Points of the hypercube.", valueName: "number"))
    var points = 60

    @Option(help: ArgumentHelp("Rounds of steps from the best point.", valueName: "number"))
    var rounds = 4

    @Option(help: ArgumentHelp("Seeds of each point.", valueName: "number"))
    var seeds = 3

    func validate() throws {
        guard 1...100_000 ~= points, 0...1000 ~= rounds, 1...1000 ~= seeds else {
            throw ValidationError("--points is 1 to 100000, --rounds 0 to 1000, --seeds 1 to 1000")
        }
        let known = TwinMetric.all.flatMap { metric in metric.kinds.map { "\(metric.name).\($0.rawValue)" } }
        if let other = on.first(where: { !known.contains($0) }) {
            throw ValidationError("'\(other)' is no figure; known are \(known.joined(separator: ", "))")
        }
    }

    func run() throws {
        let content = try twin.content("world fit")
        let observed = try TwinOptions.observation(twin.observed, "world fit")
        let targets = TwinFit.targets(on.isEmpty ? TwinFit.usualTargets : on, in: observed)
        guard !targets.isEmpty else {
            throw Console.failed("world fit", "\(twin.observed) has none of the figures to fit")
        }
        let rate = try twin.rate(observed, "world fit")
        do {
            let bytes = try WorldCommand.bytes(twin.world, "world fit")
            let network = try ObservedNetwork(world: bytes, name: content.plan.topology.name)
            var fit = TwinFit(network, targets: targets, backgroundPerHour: rate)
            fit.points = points
            fit.rounds = rounds
            fit.jobs = twin.jobs.jobs
            // Others than those of 'world compare': a fitted seed is no evidence either.
            fit.seeds = (0..<UInt64(seeds)).map { 1_000_001 + $0 }
            let bar = ProgressLine("world fit", of: 1 + points + rounds * 2 * fit.names.count, "points")
            let result = try fit.perform(from: WorldCommand.parameters(content)) { tried, best in
                bar.show(tried, note: "objective \((best * 100).rounded() / 100)")
            }
            bar.clear()
            var parameters = result.parameters
            parameters.fittedOn = targets.map(\.name)
            try Console.write(network.worldFile(parameters), to: output, by: "world fit")
            report(result, targets, observed)
        } catch let problem as FileProblem {
            throw Console.failed("world fit", "\(twin.world): \(problem)")
        } catch let status as ExitCode {
            throw status
        } catch {
            throw Console.failed("world fit", error)
        }
    }

    private func report(_ result: TwinFit.Result, _ targets: [TwinFit.Target], _ observed: ObservedFile) {
        func short(_ number: Double) -> String { "\((number * 10_000).rounded() / 10_000)" }
        Console.out("\(result.points) points; objective \(short(result.before)) before, \(short(result.after)) after")
        for name in TwinParameters.Name.allCases {
            Console.out("  \(name.rawValue) = \(short(result.parameters[name])): \(name.summary)")
        }
        Console.out("fitted on, and so no evidence: \(targets.map(\.name).joined(separator: ", "))")
        let all = TwinMetric.all.flatMap { metric in metric.kinds.map { "\(metric.name).\($0.rawValue)" } }
        let others = TwinFit.targets(all, in: observed).map(\.name).filter { !targets.map(\.name).contains($0) }
        Console.out("held out: \(others.joined(separator: ", "))")
    }
}
