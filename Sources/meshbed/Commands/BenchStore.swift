import ArgumentParser
import MeshTestbed
import MeshTime
import MeshWire

/// `meshbed bench store`.
struct BenchStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Write messages into a store by the size of a transaction, and read pages out of a large one.",
        discussion: """
            Rows are messages of 200 contacts and on 20 channels, mixed. Each size of a transaction has a store of its \
            own, in a file. 'statements' counts those of SQL, with the beginnings and ends of transactions.

            Then a store is filled, and pages are read: the newest messages with a contact, the newest on a channel, \
            messages with a contact from the middle of the history, and the list of conversations. 'µs' is the median \
            of 101 readings. 'scans' counts the steps of SQLite's plan that look through a whole table, or sort.

            Examples:
              meshbed bench store
              meshbed bench store --messages 20000

            Exit status: 0 when everything was measured; 1 when a count got worse; 2 when the arguments were wrong, \
            or there was nothing to compare with.
            """)

    @Option(help: "How many messages the large store has.")
    var messages = 1_000_000

    @Option(help: "How many messages are written for each size of a transaction.")
    var written = 10_000

    @Option(help: "The seed of all randomness.")
    var seed: UInt64 = 42

    @OptionGroup var output: BenchOutput

    mutating func validate() throws {
        guard 1...10_000_000 ~= messages else { throw ValidationError("--messages must be from 1 to 10000000") }
        guard 1...1_000_000 ~= written else { throw ValidationError("--written must be from 1 to 1000000") }
    }

    mutating func run() async throws {
        var benchmark = StoreBenchmark()
        (benchmark.messages, benchmark.written, benchmark.seed) = (messages, written, Seed(seed))
        var sheet = try output.sheet("store", heading: "in a transaction  written    rows/s  statements")
        for _ in 0..<output.repeats {
            for batch in benchmark.batches {
                let row = try await benchmark.writing(batch)
                let line = RightColumns.row(
                    ("\(row.batch)", 16), ("\(row.messages)", 9), (row.rate.fixed(0), 10), ("\(row.statements)", 12))
                sheet.add(row.figures, line: line)
            }
        }
        sheet.note("page           of messages  rows        µs  statements  scans")
        let bar = ProgressLine("bench store", of: messages * output.repeats, "messages")
        for round in 0..<output.repeats {
            let rows = try await benchmark.reading { bar.show(round * benchmark.messages + $0) }
            bar.clear()
            for row in rows { sheet.add(row.figures, line: Self.line(row)) }
        }
        try sheet.close()
    }

    private static func line(_ row: StoreBenchmark.Reading) -> String {
        row.page.rawValue.padded(to: 15)
            + RightColumns.row(
                ("\(row.messages)", 11), ("\(row.rows)", 6), (row.microseconds.fixed(1), 10), ("\(row.statements)", 12),
                ("\(row.scans)", 7))
    }
}
