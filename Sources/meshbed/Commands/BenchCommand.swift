import ArgumentParser
import MeshFiles
import MeshReports
import MeshTestbed
import MeshTime
import MeshWire

/// `meshbed bench`: measures the speed of this machine.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the speed of simulated meshes, of the codecs and of reading captures.",
        discussion: """
            CPU seconds can be compared only on the same machine and in the same run. Counts and digests are the same \
            everywhere. So '--compare' compares counts exactly with those of an earlier run. It gives \
            ratios of times with an interval and decides nothing by them.

            Examples:
              meshbed bench mesh
              meshbed bench mesh --only G900 --json
              meshbed bench codec
              meshbed bench contacts --repeat 5 --json > before.json
              meshbed bench contacts --repeat 5 --compare before.json
              meshbed bench capture
              meshbed bench worlds worlds.txt
              meshbed bench study --jobs 2
              meshbed bench releases --equals 20

            Exit status: 0 when everything was measured; 1 when a world broke a rule, verdicts were wrong too often, \
            a fault was missed, or a count got worse; 2 when the arguments were wrong, or there was nothing to compare with.
            """,
        subcommands: [
            Mesh.self, Codec.self, BenchSync.self, BenchContacts.self, BenchStore.self, BenchKill.self,
            BenchLeave.self, BenchReplay.self, BenchCapture.self,
            BenchWorlds.self, BenchStudy.self, BenchReleases.self,
        ])

    /// `meshbed bench mesh`.
    struct Mesh: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run lines and grids of repeaters and measure CPU time and memory.",
            discussion: """
                S3 and L10 are lines; G100, G400 and G900 are grids of four neighbours. Alice and bob are in opposite \
                corners. Alice sends channel texts from cold boot on, and periodic adverts are off. The busy grids \
                have eight neighbours and several senders. Memory is the peak of the process, and the memory before \
                the run.

                A reception is one frame that one listener receives with a good checksum. A frame that reaches eight \
                listeners counts eight times. A frame that a collision destroys at a listener does not count there. \
                'received/s' is receptions per second of CPU time, of all threads in user and kernel mode. It covers \
                the time from the boot of all boards (keys made, links laid) to the end of the run, with the work of \
                senders and relays. 'arrived' counts all frames at all antennas, received or not. 'simulated/s' is \
                simulated seconds per CPU second, booting included.
                """)

        @Option(help: "Only the mesh of this name, in all its variants; may be repeated.")
        var only: [String] = []

        @Option(help: "The seed of all randomness.")
        var seed: UInt64 = 42

        @OptionGroup var output: BenchOutput

        mutating func validate() throws {
            let names = Set(MeshBenchmark.Workload.all.map(\.name))
            for name in only where !names.contains(name) {
                throw ValidationError("no mesh is named '\(name)'; there are \(names.sorted().joined(separator: ", "))")
            }
        }

        mutating func run() throws {
            var sheet = try output.sheet("mesh", heading: MeshBenchmark.Row.heading)
            let workloads = MeshBenchmark.Workload.all.filter { only.isEmpty || only.contains($0.name) }
            // Work grows with the nodes and the time that they are simulated for.
            let works = workloads.map { $0.columns * $0.rows * $0.seconds / 60 }
            let bar = ProgressLine("bench mesh", of: works.reduce(0, +) * output.repeats, "node minutes")
            for round in 0..<output.repeats {
                for (index, workload) in workloads.enumerated() {
                    bar.show(round * works.reduce(0, +) + works[..<index].reduce(0, +), note: workload.name)
                    let row = MeshBenchmark(seed: Seed(seed)).run(workload)
                    bar.clear()
                    sheet.add(row.figures, line: row.line)
                    sheet.add(digest: row.digest, of: row.label)
                }
            }
            try sheet.close()
        }
    }

    /// `meshbed bench codec`.
    struct Codec: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Measure how long encoding and decoding of common frames takes.")

        @OptionGroup var output: BenchOutput

        mutating func run() throws {
            var sheet = try output.sheet(
                "codec", heading: "frame                      bytes  encode ns  decode ns  copy ns")
            for _ in 0..<output.repeats {
                for row in CodecBenchmark().run() { sheet.add(row.figures, line: Self.line(row)) }
            }
            try sheet.close()
        }

        private static func line(_ row: CodecBenchmark.Row) -> String {
            row.name.padded(to: 26)
                + RightColumns.row(
                    ("\(row.bytes)", 6), (row.encodeNanoseconds.fixed(0), 11), (row.decodeNanoseconds.fixed(0), 11),
                    (row.copyNanoseconds.fixed(0), 9))
        }
    }

    /// Prints the head of a table: the build that measured it, and its columns.
    static func head(_ columns: String) {
        for line in Provenance.of(nil).lines { Console.out(line) }
        Console.out(columns)
    }

    static func line(_ row: some Encodable) throws -> String { try row.jsonText(inOneLine: true) }
}
