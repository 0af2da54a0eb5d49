import Foundation
import MeshTestbed
import MeshTime

/// A failure that a soak found, made small, with all that helps to understand it.
struct BrokenSeed {
    let seed: UInt64
    let shrunk: Shrinker.Outcome
    let size: (nodes: Int, events: Int)
    let repeatCommand: String
    /// Where the trace was written; `nil` where that was not possible, with the reason.
    let trace: String?
    let problem: String?

    init(_ found: SoakResult.Failure, name: String, effort: Int, traces folder: String) {
        seed = found.seed
        size = (found.scenario.cast.count, found.scenario.events.count)
        var shrinker = Shrinker(found.scenario, seed: Seed(found.seed), failure: found.failure)
        shrinker.effort = effort
        shrunk = shrinker.perform()
        var command = "meshbed scenario run \(name) --seed \(found.seed)"
        if let commit = BuildCommit() { command += " --at \(commit.short)" }
        let items = shrunk.items.map(\.description).joined(separator: ",")
        if !items.isEmpty { command += " --without \(items)" }
        repeatCommand = command

        var run = ScenarioRun(shrunk.scenario, seed: Seed(found.seed))
        run.isRecording = true
        let path = folder + "/\(name)-\(found.seed).ndjson"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(ScenarioTrace.bytes(of: run.onVirtualTime())).write(to: URL(fileURLWithPath: path))
            (trace, problem) = (path, nil)
        } catch {
            (trace, problem) = (nil, "\(error)")
        }
    }

    var text: String {
        let small = shrunk.scenario
        var lines = [
            "  BROKEN seed \(seed): \(shrunk.failure.sentence): \(shrunk.failure.reason)",
            "    shrunk from \(size.nodes) nodes and \(size.events) events to \(small.cast.count) and "
                + "\(small.events.count) in \(shrunk.runs) runs:",
        ]
        lines += small.text.split(separator: "\n").map { "      " + $0 }
        lines.append("    again: \(repeatCommand)")
        if let trace { lines.append("    trace: \(trace), for 'meshbed mesh why'") }
        if let problem { lines.append("    no trace: \(problem)") }
        return lines.joined(separator: "\n")
    }
}

/// A soak as one JSON object.
struct SoakRecord: Encodable {
    struct State: Encodable {
        let name: String
        let count: Int
        let share: Double
    }

    struct Failure: Encodable {
        let seed: UInt64
        let sentence: String
        let reason: String
        let without: [String]
        let nodes: Int
        let events: Int
        let script: [String]
        let again: String
        let trace: String?
    }

    struct Problem: Encodable {
        let seed: UInt64
        let reason: String
    }

    let scenario: String
    let played: Int
    let kept: Int
    let notRun: Int
    let states: [State]
    let failures: [Failure]
    let problems: [Problem]
    let seconds: Double
    let seedsPerSecond: Double

    init(_ result: SoakResult, _ broken: [BrokenSeed]) {
        scenario = result.path
        played = result.played
        kept = result.kept
        notRun = result.notRun
        states = result.states.map { State(name: $0.name, count: $0.count, share: result.share(of: $0)) }
        failures = broken.map { broken in
            Failure(
                seed: broken.seed, sentence: broken.shrunk.failure.sentence, reason: broken.shrunk.failure.reason,
                without: broken.shrunk.items.map(\.description), nodes: broken.shrunk.scenario.cast.count,
                events: broken.shrunk.scenario.events.count,
                script: broken.shrunk.scenario.text.split(separator: "\n").map(String.init),
                again: broken.repeatCommand, trace: broken.trace)
        }
        problems = result.problems.map { Problem(seed: $0.seed, reason: $0.reason) }
        seconds = result.elapsed / .seconds(1)
        seedsPerSecond = result.seedsPerSecond
    }

    var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
