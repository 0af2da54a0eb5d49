import FoundationEssentials
import MeshControl
import MeshFiles
import MeshScenarios
import MeshWire
import MeshWorlds

/// A failure that a soak found and made small, with the trace of its run.
struct BrokenSeed {
    let shrunk: ShrunkFailure
    /// The path of the trace; `nil` where it could not be written, with the reason.
    let trace: String?
    let problem: String?
    /// The path of the page that plays the trace; `nil` where it could not be written.
    let player: String?

    init(_ shrunk: ShrunkFailure, name: String, traces folder: String) {
        self.shrunk = shrunk
        let path = folder + "/\(name)-\(shrunk.seed).ndjson"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let bytes = ScenarioTrace.bytes(of: shrunk.result)
            try FileSystem.writeOutput(path, bytes)
            (trace, problem) = (path, nil)
            player = Self.play(bytes, in: folder + "/\(name)-\(shrunk.seed).html")
        } catch {
            (trace, problem, player) = (nil, error.plainReason, nil)
        }
    }

    /// Writes the page that plays a trace; `nil` where that is not possible, as the trace alone is what counts.
    private static func play(_ trace: [UInt8], in path: String) -> String? {
        do {
            try FileSystem.writeOutput(path, Array(PlayerPage(PlayerDocument(TraceFile(trace))).html.utf8))
            return path
        } catch {
            return nil
        }
    }

    var text: String {
        let failure = shrunk.outcome.failure
        var lines = [
            "  BROKEN seed \(shrunk.seed): \(failure.sentence): \(failure.reason)"
        ]
        lines += shrunk.account.map { "    " + $0 }
        lines.append("    \(shrunk.summary):")
        lines += shrunk.outcome.scenario.text.split(separator: "\n").map { "      " + $0 }
        lines.append("    again: \(shrunk.repeatCommand)")
        if let trace { lines.append("    trace: \(trace), for 'meshbed mesh why'") }
        if let player { lines.append("    player: \(player), for a browser") }
        if let problem { lines.append("    no trace: \(problem)") }
        return lines.joinedVisibleLines
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

    struct Invalid: Encodable {
        let seed: UInt64
        let reasons: [String]
    }

    let scenario: String
    let played: Int
    let kept: Int
    let notRun: Int
    let states: [State]
    let failures: [Failure]
    let problems: [Problem]
    let invalid: [Invalid]
    let faultsBegun: Int
    let faultsFired: Int
    let seconds: Double
    let seedsPerSecond: Double

    init(_ result: SoakResult, _ broken: [BrokenSeed]) {
        scenario = result.path
        played = result.played
        kept = result.kept
        notRun = result.notRun
        states = result.states.map { State(name: $0.name, count: $0.count, share: result.share(of: $0)) }
        failures = broken.map { broken in
            let (shrunk, small) = (broken.shrunk, broken.shrunk.outcome.scenario)
            return Failure(
                seed: shrunk.seed, sentence: shrunk.outcome.failure.sentence, reason: shrunk.outcome.failure.reason,
                without: shrunk.outcome.items.map(\.description), nodes: small.cast.count,
                events: small.events.count, script: small.text.split(separator: "\n").map(String.init),
                again: shrunk.repeatCommand, trace: broken.trace)
        }
        problems = result.problems.map { Problem(seed: $0.seed, reason: $0.reason) }
        invalid = result.invalid.map { Invalid(seed: $0.seed, reasons: $0.reasons) }
        (faultsBegun, faultsFired) = result.faults
        seconds = result.elapsed / .seconds(1)
        seedsPerSecond = result.seedsPerSecond
    }

    var line: String { get throws { try jsonText(inOneLine: true) } }
}
