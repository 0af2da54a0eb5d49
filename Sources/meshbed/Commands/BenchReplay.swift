import ArgumentParser
import MeshTime
import MeshWire

/// `meshbed bench replay`.
struct BenchReplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a recording with a deep queue of messages into the service stack, and measure the rate.",
        discussion: """
            The recording is made first, from an emulated radio whose queue holds messages of many contacts and on many \
            channels. 'read' is the reading of its text, 'replayer' the replayer alone, 'stack' the whole service stack \
            with a store in memory, on virtual time. Ends with an error when a message is not stored.
            """)

    @Option(help: "How many messages; may be repeated.")
    var messages: [Int] = []

    @Option(help: "The seed of all randomness.")
    var seed: UInt64 = 42

    @OptionGroup var output: BenchOutput

    mutating func validate() throws {
        guard messages.allSatisfy({ (1...200_000).contains($0) }) else {
            throw ValidationError("--messages must be from 1 to 200000")
        }
    }

    mutating func run() throws {
        var sheet = try output.sheet(
            "replay", heading: "messages  entries  read MB/s  replayer messages/s  stack messages/s  stack s")
        for _ in 0..<output.repeats {
            for count in messages.isEmpty ? [10_000] : messages {
                var benchmark = ReplayBenchmark()
                benchmark.load.messages = count
                benchmark.seed = Seed(seed)
                let row = try benchmark.run()
                sheet.add(row.figures, line: Self.line(row))
            }
        }
        try sheet.close()
    }

    private static func line(_ row: ReplayBenchmark.Row) -> String {
        RightColumns.row(
            ("\(row.messages)", 8), ("\(row.entries)", 9), (row.megabytesPerSecond.fixed(1), 11),
            (row.replayerRate.fixed(0), 21), (row.rate.fixed(0), 18), (row.stackSeconds.fixed(2), 9))
    }
}
