import ArgumentParser
import Glibc
import MeshTime
import MeshWire

/// `meshbed bench kill`.
struct BenchKill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Kill an app at random points of a sync and of a send, and check its store.",
        discussion: """
            The app is a separate process with the whole stack and a store in a file; its radio is emulated here. A \
            message counts as acknowledged when the app asks the radio for the next one. A text counts as \
            acknowledged when its sender has the confirmation. After each kill the store must open, hold every acknowledged \
            message, and hold none twice. In the end the recipient must have every confirmed text once. 'unfinished' \
            counts messages that were lost before the app reported them: the radio forgets a message when it sends \
            it.

            Exit status: 0 when all was as it has to be, 1 otherwise, 2 when the arguments were not understood.
            """)

    @Option(help: "Kills of each kind of work.")
    var points = 200

    @Option(help: "What is interrupted: sync or send; both when not given.", transform: Self.work)
    var only: KilledApp.Work?

    @Option(help: "The seed of all moments.")
    var seed: UInt64 = 1

    @Flag(help: "Print one JSON object a line.")
    var json = false

    // What the killed process is told.
    @Option(help: .hidden, transform: Self.work)
    var app: KilledApp.Work?
    @Option(help: .hidden)
    var host = "127.0.0.1"
    @Option(help: .hidden)
    var port: UInt16 = 0
    @Option(help: .hidden)
    var store = ""
    @Option(help: .hidden)
    var first = 0
    @Option(help: .hidden)
    var count = 0

    mutating func validate() throws {
        guard (1...10_000).contains(points) else { throw ValidationError("--points must be from 1 to 10000") }
    }

    mutating func run() async throws {
        if let app {
            try await KilledApp(host: host, port: port, store: store, first: first, count: count).run(app)
            return
        }
        var run = KillRun(program: ["/proc/self/exe", "bench", "kill"])
        run.points = points
        run.seed = Seed(seed)
        var isSound = true
        for work in only.map({ [$0] }) ?? KilledApp.Work.allCases {
            let outcome = try await run.run(work)
            isSound = isSound && outcome.faults.isEmpty
            Console.out(json ? try BenchCommand.line(outcome) : Self.line(outcome))
            for fault in outcome.faults.prefix(json ? 0 : 20) { Console.out("  \(fault)") }
            fflush(nil)
        }
        if !isSound { throw ExitCode(1) }
    }

    private static func line(_ outcome: KillRun.Outcome) -> String {
        "\(outcome.work.rawValue): \(outcome.kills) kills, \(outcome.acknowledged) acknowledged, "
            + "\(outcome.unfinished) unfinished, \(outcome.faults.count) faults, "
            + "\(outcome.seconds.fixed(1)) s"
    }

    private static func work(_ name: String) throws -> KilledApp.Work {
        guard let work = KilledApp.Work(rawValue: name) else {
            throw ValidationError("'\(name)' is neither sync nor send")
        }
        return work
    }
}
