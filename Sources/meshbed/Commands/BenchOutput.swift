import ArgumentParser
import Glibc
import MeshFiles
import MeshReports
import MeshStudy
import MeshTestbed
import MeshWorlds

/// The number of measurements of a benchmark, and the place of its figures.
struct BenchOutput: ParsableArguments {
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("How often everything is measured, 1 to 100; intervals need 3.", valueName: "count"))
    var repeats = 1

    @Flag(help: "Print all figures as one JSON object, which --compare reads.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Compare with what --json has printed in an earlier run: old, new, ratio with its interval of 95 %, verdict. "
                + "Exit status 1 when a count got worse; times decide nothing.", valueName: "file"))
    var compare: String?

    mutating func validate() throws {
        guard 1...100 ~= repeats else { throw ValidationError("--repeat must be from 1 to 100") }
    }

    /// Begins the figures of a benchmark. Throws exit status 2 where there is nothing to compare with, before anything
    /// is measured.
    func sheet(_ bench: String, heading: String) throws -> BenchSheet {
        let version = MeshbedVersion.measured
        var sheet = BenchSheet(
            report: BenchReport(
                bench, provenance: .init(version: version.number, commit: version.commit),
                machine: BenchReport.thisMachine),
            old: try compare.map { try old($0, bench) }, json: json)
        if !json { sheet.begin(heading) }
        return sheet
    }

    private func old(_ path: String, _ bench: String) throws -> BenchReport {
        let report: BenchReport
        do {
            report = try BenchReport(reading: FileSystem.readInput(path, atMost: BenchReport.sizeLimit))
        } catch var problem as FileProblem {
            problem.file = path
            throw Console.failed("bench \(bench)", problem)
        } catch let failure as FileSystem.Failure {
            throw Console.failed("bench \(bench)", "\(path): cannot be read: \(failure.reason)")
        }
        guard report.bench == bench else {
            throw Console.failed("bench \(bench)", "\(path): has figures of 'bench \(report.bench)'")
        }
        return report
    }
}

/// The figures of one run as they come, with the conclusion that is printed in the end.
struct BenchSheet {
    private(set) var report: BenchReport
    let old: BenchReport?
    let json: Bool

    fileprivate init(report: BenchReport, old: BenchReport?, json: Bool) {
        self.report = report
        self.old = old
        self.json = json
    }

    fileprivate mutating func begin(_ heading: String) { BenchCommand.head(heading) }

    /// Adds the figures, and prints their line of the table at once.
    mutating func add(_ figures: [BenchFigure], line: String) {
        report.add(figures)
        guard !json else { return }
        Console.out(line)
        fflush(nil)
    }

    /// Prints a line of the table without figures.
    func note(_ line: String) {
        if !json { Console.out(line) }
    }

    mutating func add(digest: String, of name: String) { report.add(digest: digest, of: name) }

    /// Prints the figures as JSON, and how they compare. Exit status 1 when a count got worse.
    func close() throws {
        if json { Console.out(try report.jsonText(inOneLine: true)) }
        guard let old else { return }
        let comparison = BenchComparison(old: old, new: report)
        for line in comparison.text.split(separator: "\n") {
            // Figures in JSON have standard output for themselves.
            if json { Console.note(String(line)) } else { Console.out(String(line)) }
        }
        if comparison.isRegression { throw ExitCode(1) }
    }
}

extension MeshbedVersion {
    /// The version of the build that measures.
    fileprivate static var measured: MeshbedVersion { Provenance.of(nil).version }
}
