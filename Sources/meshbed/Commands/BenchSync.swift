import ArgumentParser
import MeshBoards
import MeshCompliance
import MeshTime
import MeshWire

/// `meshbed bench sync`.
struct BenchSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Sync messages from an emulated radio into a store and measure rate, CPU time and memory.",
        discussion: """
            The radio's queue holds messages of many contacts and on many channels, mixed; no real board's is that \
            deep. Each message is stored in its own transaction before the app asks for the next one. So none is lost \
            when the app dies. 'of raw' compares the rate with SQLite's C library, which inserts the same rows into \
            the same tables. Durability and run are the same, with one transaction a row. 'raw batch' is its rate \
            with a thousand rows a transaction. 'session' is the rate of the session alone, which takes messages and \
            stores none. CPU time and memory are those of the process, the emulated radio included. 'raw CPU' is that \
            of the raw inserts.

            With '--over ble' the app syncs over a modelled Bluetooth link, on virtual time. The seconds are those of \
            the link: connection events, packets, and the radio's pace. 'limit' is the least time in which messages can \
            be asked for one after the other, and 'of limit' its share of the time that they took. 'connect' has \
            scanning and pairing in it, 'sync' also contacts and channels. The same seed gives the same line.
            """)

    @Option(help: "How many messages wait; may be repeated.")
    var messages: [Int] = []

    /// The link between app and radio.
    enum Over: Equatable {
        case real(SyncBenchmark.Link)
        /// The links of chip families, as targets name them.
        case bluetooth([Target.Modelled])
    }

    @Option(
        help: ArgumentHelp(
            "The link between app and radio: loopback, tcp, ble-nrf52, ble-esp32, or ble for both of these; the first two "
                + "when not given."),
        transform: Self.link)
    var over: Over?

    @Option(
        help: ArgumentHelp(
            "Another client that empties the same radio over TCP, to compare; host and port are put behind it. It prints "
                + "{\"messages\": N, \"seconds\": S}. Tests/Clients/drain.py is one.", valueName: "command"))
    var client = ""

    @OptionGroup var bluetooth: BluetoothLinkOptions

    @Option(help: "The seed of all randomness.")
    var seed: UInt64 = 42

    @OptionGroup var output: BenchOutput

    mutating func validate() throws {
        guard messages.allSatisfy({ (1...1_000_000).contains($0) }) else {
            throw ValidationError("--messages must be from 1 to 1000000")
        }
        if case .bluetooth? = over { return }
        if bluetooth.isGiven { throw ValidationError("the options of a Bluetooth link go with --over ble") }
    }

    mutating func run() async throws {
        if case .bluetooth(let links)? = over { return try run(over: links) }
        var sheet = try output.sheet("sync", heading: Self.heading)
        for _ in 0..<output.repeats {
            for count in messages.isEmpty ? [10_000, 100_000] : messages {
                for link in SyncBenchmark.Link.allCases where over.map({ $0 == .real(link) }) ?? true {
                    var benchmark = SyncBenchmark()
                    benchmark.load.messages = count
                    benchmark.seed = Seed(seed)
                    benchmark.client = client.split(separator: " ").map(String.init)
                    let row = try await benchmark.run(link)
                    sheet.add(row.figures, line: Self.line(row))
                }
            }
        }
        try sheet.close()
    }

    private static func link(_ name: String) throws -> Over {
        if name == "ble" { return .bluetooth(Target.Modelled.allCases.reversed()) }
        if let link = Target.Modelled(rawValue: name) { return .bluetooth([link]) }
        guard let link = SyncBenchmark.Link(rawValue: name) else { throw ValidationError("'\(name)' is not a link") }
        return .real(link)
    }

    private static let heading =
        "link      messages  seconds  messages/s  of raw  raw/s  raw batch/s  CPU µs each  raw CPU  MB before  peak  session/s  other client"

    private static func line(_ row: SyncBenchmark.Row) -> String {
        row.link.padded(to: 10)
            + RightColumns.row(
                ("\(row.messages)", 8), (row.seconds.fixed(2), 9), (row.rate.fixed(0), 12),
                ((row.ofRaw * 100).fixed(0) + "%", 8), (row.rawRate.fixed(0), 7), (row.rawBatchRate.fixed(0), 13),
                (row.cpuMicroseconds.fixed(1), 13), (row.rawCPUMicroseconds.fixed(1), 9),
                (row.memoryBefore.fixed(1), 11), (row.memoryPeak.fixed(1), 6), (row.sessionRate.fixed(0), 11))
            + (row.clientRate.map { "\($0.fixed(0).alignedRight(to: 8))/s: \((row.rate / $0).fixed(1)) times" } ?? "")
    }
}
