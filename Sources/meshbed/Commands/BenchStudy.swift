import ArgumentParser
import MeshStudy
import MeshTestbed
import MeshWire

/// `meshbed bench study`.
struct BenchStudy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study",
        abstract: "Count how often the verdicts of studies are wrong.",
        discussion: """
            Studies compare the delivery of a crowded square of nine nodes with itself, on other random numbers. A \
            verdict that one of both is better is false. Other studies have a planted effect: 0.02 of the deliveries \
            is taken from their second arm, at random. The median of the seeds that they needed is printed.

            Example:
              meshbed bench study --studies 1000 --seeds 100 --jobs 2

            Exit status: 0 when at most 5 % of the verdicts were false, and 95 % of the planted effects were found; 1 \
            otherwise.
            """)

    @Option(help: ArgumentHelp("How many studies compare equals.", valueName: "number"))
    var studies = 1000

    @Option(help: ArgumentHelp("Seeds of each of them.", valueName: "number"))
    var seeds = 100

    @OptionGroup var jobs: JobsOption

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard 1...10_000 ~= studies, 20...10_000 ~= seeds, studies * seeds <= 1_000_000 else {
            throw ValidationError("--studies is 1 to 10000, --seeds 20 to 10000, and a million seeds are the most")
        }
    }

    func run() throws {
        var calibration = StudyCalibration(studies: studies, seeds: seeds)
        calibration.jobs = jobs.jobs
        let bar = ProgressLine("bench study", "seeds")
        let result = try calibration.perform { bar.show($0, of: $1) }
        bar.clear()
        if json {
            Console.out(try BenchCommand.line(result))
        } else {
            BenchCommand.head("studies of equals  false verdicts  planted 0.02  found  seeds needed, median")
            let cells = [(result.studies, 18), (result.falseVerdicts, 16), (result.planted, 14), (result.found, 7)]
            let texts = cells.map { number, width in
                "\(number)".alignedRight(to: width)
            }
            Console.out(texts.joined() + "  " + (result.medianSeeds.map { "\($0)" } ?? "none"))
        }
        if !result.isKept { throw ExitCode(1) }
    }
}
