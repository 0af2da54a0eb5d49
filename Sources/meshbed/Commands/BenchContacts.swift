import ArgumentParser
import MeshTime
import MeshWire

/// `meshbed bench contacts`.
struct BenchContacts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Sync contacts from an emulated radio into a store, all of them and what has changed.",
        discussion: """
            An app with the whole service stack and a store in a file has its radio in the same process. 'full' lists \
            the whole table into an empty store. 'unchanged' asks what has changed since then, and nothing has. \
            'changed' asks again after every tenth contact got another name. A table of more than 350 contacts is \
            larger than that of any board; the emulated one is made larger.

            'received' counts contacts that the radio sent. 'frames' counts frames between app and radio, both ways. \
            'statements' counts those of SQL, with the beginnings and ends of transactions. These are the same in each \
            run, and counted in a run of their own, as counting takes time. CPU time is that of the process, the \
            emulated radio included.

            Examples:
              meshbed bench contacts --contacts 350
              meshbed bench contacts --repeat 5 --json > before.json
              meshbed bench contacts --repeat 5 --compare before.json

            Exit status: 0 when everything was measured; 1 when a count got worse; 2 when the arguments were wrong, \
            or there was nothing to compare with.
            """)

    @Option(help: "How many contacts the radio has; may be repeated. 350 and 10000 when not given.")
    var contacts: [Int] = []

    @Option(help: "The seed of all randomness.")
    var seed: UInt64 = 42

    @OptionGroup var output: BenchOutput

    mutating func validate() throws {
        guard contacts.allSatisfy({ 1...16_000 ~= $0 }) else {
            throw ValidationError("--contacts must be from 1 to 16000")
        }
    }

    mutating func run() async throws {
        var sheet = try output.sheet("contacts", heading: Self.heading)
        for _ in 0..<output.repeats {
            for count in contacts.isEmpty ? [350, 10_000] : contacts {
                var benchmark = ContactBenchmark()
                benchmark.contacts = count
                benchmark.seed = Seed(seed)
                for row in try await benchmark.run() { sheet.add(row.figures, line: Self.line(row)) }
            }
        }
        try sheet.close()
    }

    private static let heading = "contacts  listing    received  frames  statements   rows  seconds  contacts/s  CPU s"

    private static func line(_ row: ContactBenchmark.Row) -> String {
        "\(row.contacts)".alignedRight(to: 8) + "  " + row.listing.rawValue.padded(to: 9)
            + RightColumns.row(
                ("\(row.count.received)", 10), ("\(row.count.frames)", 8), ("\(row.count.statements)", 12),
                ("\(row.count.rows)", 7), (row.seconds.fixed(4), 9),
                ((Double(row.count.received) / row.seconds).fixed(0), 12), (row.cpuSeconds.fixed(3), 7))
    }
}
