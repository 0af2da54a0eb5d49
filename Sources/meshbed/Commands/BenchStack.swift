import ArgumentParser
import Foundation
import MeshLab
import MeshTime
import ScenarioTool

/// `meshbed bench stack`.
struct BenchStack: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stack",
        abstract: "Run the service stack for an hour in a lossy mesh, once for each seed, and audit its store.",
        discussion: """
            Alice's app is the whole stack; her link to the radio goes away every few minutes. Contacts in her range \
            and behind repeaters, channels and rooms send her 2,000 texts, and she sends as many. Every link loses a \
            fifth of all frames. Then the store is compared with the trace of the mesh, which shows what radios \
            handed to their apps. 'lost' counts reported arrivals that are missing, 'doubled' messages that are there \
            twice. 'untrue' counts wrong statuses and wrong counts. Everything is on virtual time: a seed gives the \
            same digest in every process.

            Exit status: 0 when every hour was sound; 1 when something was lost, doubled or untrue; 2 when the \
            arguments were wrong.
            """)

    @Option(help: "How many seeds.")
    var seeds: UInt64 = 10

    @Option(help: "The first seed.")
    var first: UInt64 = 1

    @Option(
        help:
            "Draw the order of tasks that are ready at the same moment from this number; first come, first served without it."
    )
    var order: UInt64?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    mutating func validate() throws {
        guard seeds > 0 else { throw ValidationError("at least one seed is needed") }
        guard seeds <= .max - first else { throw ValidationError("there are no seeds that large") }
    }

    mutating func run() throws {
        var hour = StackHour()
        hour.order = order.map(Seed.init)
        var unsound: [UInt64] = []
        if !json { Console.out(Self.heading) }
        let bar = ProgressLine("bench stack", of: Int(clamping: seeds), "seeds")
        for number in first..<(first + seeds) {
            bar.show(Int(clamping: number - first))
            let outcome = try hour.run(seed: Seed(number))
            if !outcome.isSound { unsound.append(number) }
            bar.clear()
            Console.out(json ? try Bench.line(outcome) : Self.line(outcome))
            if !json { for finding in outcome.findings { Console.out("      \(finding)") } }
            fflush(nil)
        }
        if !json { Console.out("\(seeds - UInt64(unsound.count)) of \(seeds) sound") }
        if !unsound.isEmpty { throw ExitCode(1) }
    }

    private static let columns = [
        ("seed", 4), ("frames", 6), ("losses", 6), ("in", 4), ("on channels", 11), ("posts", 5), ("delivered", 9),
        ("failed", 6), ("sent", 4), ("lost", 4), ("doubled", 7), ("untrue", 6), ("digest", 16),
    ]

    private static let heading = columns.map { pad($0.0, $0.1) }.joined(separator: "  ")

    private static func line(_ outcome: StackHour.Outcome) -> String {
        let values = [
            "\(outcome.seed)", "\(outcome.framesSent)", "\(outcome.losses)", "\(outcome.stored)",
            "\(outcome.storedOnChannels)", "\(outcome.storedPosts)", "\(outcome.delivered + outcome.deliveredPosts)",
            "\(outcome.failed + outcome.failedPosts)", "\(outcome.sentOnChannels)", "\(outcome.lost)",
            "\(outcome.doubled)", "\(outcome.untrue)", outcome.digest,
        ]
        return zip(values, columns).map { pad($0, $1.1) }.joined(separator: "  ")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
