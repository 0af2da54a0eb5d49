public import ArgumentParser
import Foundation
public import MeshTestbed
import MeshTime

/// `scenario`: plays the scenarios of a library. A package of scenarios of its own makes a command of it in two lines:
///
/// ```swift
/// @main struct Mine: ScenarioProgram {
///     static let library = ScenarioLibrary([myScenario])
/// }
/// ```
public protocol ScenarioProgram {
    static var library: ScenarioLibrary { get }
}

extension ScenarioProgram {
    /// Plays what the arguments of the process say.
    public static func main() { ScenarioCommand<Self>.main() }
}

public struct ScenarioCommand<Program: ScenarioProgram>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "scenario", abstract: "Play scenarios: stories of a mesh and what must hold in them.",
            subcommands: [ListScenarios<Program>.self, RunScenarios<Program>.self, SoakScenarios<Program>.self])
    }

    public init() {}
}

struct ListScenarios<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "List the scenarios with their stories.")
    }

    @Argument(help: "A name, a story, a #tag, or the beginning of a name and *.")
    var words: [String] = []

    func run() throws {
        let library = Program.library
        for scenario in words.isEmpty ? library.sources : try library.sources(chosenBy: words) {
            let tags = scenario.tags.map { "#\($0)" }.sorted() + (scenario.isDrawn ? ["drawn by its seed"] : [])
            print("\(scenario.path)  \(tags.joined(separator: " "))")
            print("    " + scenario.summary)
        }
    }
}

struct RunScenarios<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run", abstract: "Play scenarios and say what held.",
            discussion: """
                Exit status: 0 when everything that ran was kept, 1 when something is broken, 2 when a run was not \
                possible or nothing could run.
                """)
    }

    @Argument(help: "A name, a story, a #tag, or the beginning of a name and *; all without one.")
    var words: [String] = []

    @Option(help: "The seed of everything random.")
    var seed: UInt64 = 1

    @Flag(name: .shortAndLong, help: "Also print the script as it was walked.")
    var verbose = false

    func run() throws {
        var broken = 0
        var kept = 0
        var failed = 0
        for scenario in try Program.library.chosen(by: words, seed: Seed(seed)) {
            let result = ScenarioRun(scenario, seed: Seed(seed)).onVirtualTime()
            switch result.verdict {
            case .kept:
                kept += 1
                print("kept      \(scenario.path)")
            case .broken(let failure):
                broken += 1
                print("BROKEN    \(scenario.path)")
                print("          \(failure.sentence): \(failure.reason)")
                print("          again: \(result.repeatCommand)")
            case .notRun(let reason): print("not run   \(scenario.path): \(reason)")
            case .couldNotRun(let reason):
                failed += 1
                print("FAILED    \(scenario.path): \(reason)")
            }
            guard verbose else { continue }
            for entry in result.entries { print("          \(entry.line)") }
        }
        print("\(kept) kept, \(broken) broken, \(failed) could not be run")
        if failed > 0 || kept + broken == 0 { throw ExitCode(2) }
        if broken > 0 { throw ExitCode(1) }
    }
}

extension ScenarioLibrary {
    /// What the user's words choose; a word that chooses nothing is an error.
    func sources(chosenBy words: [String]) throws -> [ScenarioSource] {
        try words.flatMap { word in
            let found = sourcesMatching(word)
            if found.isEmpty { throw ValidationError("no scenario is called '\(word)'; see 'scenario list'") }
            return found
        }
    }

    /// The scenarios that the words choose, the drawn ones as the seed makes them; all fixed ones without a word.
    func chosen(by words: [String], seed: Seed) throws -> [Scenario] {
        words.isEmpty ? scenarios : try sources(chosenBy: words).map { $0.scenario(of: seed) }
    }
}

extension Diary.Entry {
    /// One line for people.
    var line: String {
        let seconds = String(format: "%9.3f s  ", time / .seconds(1))
        let who = who.map { $0 + " " } ?? ""
        switch kind {
        case .step(let sentence): return seconds + sentence
        case .toRadio(let frame): return seconds + who + "> " + frame.hexText
        case .toApp(let frame): return seconds + who + "< " + frame.hexText
        case .connected: return seconds + who + "connected"
        case .disconnected: return seconds + who + "disconnected"
        case .trouble(let sentence, let begins): return seconds + (begins ? "trouble: " : "over: ") + sentence
        case .reached(let sentence): return seconds + "reached: " + sentence
        case .failed(let sentence, let reason): return seconds + "FAILED \(sentence): \(reason)"
        }
    }
}

extension [UInt8] {
    fileprivate var hexText: String { map { String(format: "%02X", $0) }.joined(separator: " ") }
}
