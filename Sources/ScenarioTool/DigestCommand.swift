import ArgumentParser
import MeshScenarios
import MeshTime

struct DigestScenarios<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "digest", abstract: "Print a fingerprint of each run, to compare processes and machines.",
            discussion: "Fixed scenarios are played with the first seed, drawn ones with each.")
    }

    @Argument(help: "A name, a story, a #tag, or the beginning of a name and *; all without one.")
    var words: [String] = []

    @Option(help: ArgumentHelp("One seed, or the first and the last.", valueName: "1..20"))
    var seeds = SeedRange(1...20)

    func run() throws {
        let library = Program.library
        for source in words.isEmpty ? library.sources : try library.sources(chosenBy: words) {
            for seed in source.isDrawn ? seeds.range : seeds.range.lowerBound...seeds.range.lowerBound {
                let result = ScenarioRun(source.scenario(of: Seed(seed)), seed: Seed(seed)).onVirtualTime()
                StandardOutput.line("\(source.path) \(seed) \(String(result.digest, radix: 16)) \(result.verdict.word)")
            }
        }
    }
}

extension ScenarioResult.Verdict {
    fileprivate var word: String {
        switch self {
        case .kept: "kept"
        case .broken: "broken"
        case .notRun: "not run"
        case .couldNotRun: "could not be run"
        }
    }
}
