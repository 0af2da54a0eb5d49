import ArgumentParser
import FoundationEssentials
import MeshCaptureIO
import MeshTime
import MeshWire

/// `meshbed bench capture`.
struct BenchCapture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Measure how fast a Bluetooth capture is read, and in how much memory.",
        discussion: """
            The command writes a capture of companion traffic (pcap, link type 201) into a temporary file. It reads \
            the file three times as a stream: up to the records, up to the packets of the host, and up to the frames. \
            A megabyte of the file is a million bytes. 'peak' is the highest memory of the process while it reads. \
            Only a release build gives useful figures.

            Examples:
              meshbed bench capture
              meshbed bench capture --megabytes 2000 --json

            Exit status: 0 when everything written was found and no count got worse; 1 otherwise; 2 when the arguments \
            were wrong or a file could not be read or written.
            """)

    @Option(help: "The size of the capture, 1 to 100000.")
    var megabytes = 500

    @Option(help: "The folder of the temporary file; the system's for such files when not given.")
    var directory: String?

    @Option(help: "The seed of the traffic.")
    var seed: UInt64 = 42

    @OptionGroup var output: BenchOutput

    mutating func validate() throws {
        guard (1...100_000).contains(megabytes) else {
            throw ValidationError("--megabytes must be from 1 to 100000")
        }
    }

    mutating func run() throws {
        var sheet = try output.sheet(
            "capture", heading: "up to       MB  records   frames  seconds   MB/s   frames/s  peak MB  all found")
        var isSound = true
        for _ in 0..<output.repeats {
            for row in try rows() {
                sheet.add(row.figures, line: Self.line(row))
                isSound = isSound && row.isSound
            }
        }
        try sheet.close()
        if !isSound { throw ExitCode(1) }
    }

    private func rows() throws -> [CaptureBenchmark.Row] {
        do {
            let directory = directory ?? FileManager.default.temporaryDirectory.path
            return try CaptureBenchmark(megabytes: megabytes, seed: Seed(seed)).run(in: directory)
        } catch let error as CaptureFileError {
            throw Console.failed("bench capture", error)
        }
    }

    private static func line(_ row: CaptureBenchmark.Row) -> String {
        row.stage.rawValue.padded(to: 8)
            + RightColumns.row(
                (row.megabytes.fixed(0), 6), ("\(row.records)", 9), ("\(row.frames)", 9), (row.seconds.fixed(2), 9),
                (row.megabytesPerSecond.fixed(0), 7), (row.framesPerSecond.fixed(0), 11),
                (row.peakMegabytes.fixed(1), 9))
            + (row.isSound ? "  yes" : "  no")
    }
}
