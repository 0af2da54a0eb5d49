import ArgumentParser
import MeshScenarios
import MeshTime

struct DigestScenarios<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "digest", abstract: "Print a fingerprint of each run, to compare processes and machines.",
            discussion: """
                Fixed scenarios are played with the first seed, drawn ones with each.

                Exit status: 0 when every run was kept, 1 otherwise.
                """)
    }

    @Argument(help: "A name, a story, a #tag, or the beginning of a name and *; all but those with #long without one.")
    var words: [String] = []

    @Option(help: ArgumentHelp("One seed, or the first and the last.", valueName: "1..20"))
    var seeds = SeedRange(1...20)

    @Option(
        help:
            "Draw the order of tasks that are ready at the same moment from this number; else first come, first served."
    )
    var order: UInt64?

    func run() throws {
        let library = Program.library
        var isKept = true
        for source in words.isEmpty ? library.brief : try library.sources(chosenBy: words) {
            for seed in source.isDrawn ? seeds.range : seeds.range.lowerBound...seeds.range.lowerBound {
                var run = ScenarioRun(source.scenario(of: Seed(seed)), seed: Seed(seed))
                run.order = order.map(Seed.init)
                let result = run.onVirtualTime()
                isKept = isKept && result.isKept
                StandardOutput.line("\(source.path) \(seed) \(String(result.digest, radix: 16)) \(result.verdict.word)")
            }
        }
        if !isKept { throw ExitCode(1) }
    }
}

extension ScenarioResult.Verdict {
    fileprivate var word: String {
        switch self {
        case .kept: "kept"
        case .broken: "broken"
        case .notRun: "not run"
        case .couldNotRun: "could not be run"
        case .invalid: "invalid"
        }
    }
}
