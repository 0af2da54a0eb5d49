import ArgumentParser
import MeshReleases
import MeshReports
import MeshStudy
import MeshTestbed

/// `meshbed compare-firmware`: whether a mesh on one release may take another.
struct CompareFirmware: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare-firmware",
        abstract: "Tell what changes for a mesh that goes from one version of the firmware to another.",
        discussion: """
            The answer comes first, then the differences by weight: lost state, changed protocol, routing, timing, air \
            time. Emulated nodes of both versions are asked every statement of the older one: companion radios, \
            repeaters, room servers and sensors. Their files are read by the other version, and back again: each value \
            is kept, changed or lost. The same packets are measured on the air. A mesh takes the new version in stages of \
            10, 50 and 90 %, clients first or repeaters first. A study with stated error compares delivery, latency and \
            air time of each stage with the mesh before.

            A report that 'meshbed comply --json' has written can stand in place of a version, or of both: that of a radio, \
            of a build behind the modem, of somebody's repeater. Then verdicts are compared. An emulated node of the version \
            is asked the statements of the report in its role, or the verdicts of two reports are held against each other. \
            Statements without a verdict on one side are named. Files, packets and a mesh cannot be asked of a report.

            Examples:
              meshbed compare-firmware 1.16 1.17.1
              meshbed compare-firmware 1.16 1.17.1 --network my-mesh.json --jobs 2 \\
                --html update.html
              meshbed compare-firmware 1.17.1 1.18 --seeds 0 --json update.json
              meshbed comply --target serial:/dev/ttyUSB0 --name 'my build' --json my.json
              meshbed compare-firmware 1.17.1 my.json
              meshbed compare-firmware before.json after.json --html changes.html

            Exit status: 0 when no difference matters; 1 when some do; 2 when there is no such version or network, a file \
            is no report, two reports are of different roles, or a report cannot be written.
            """)

    @Argument(
        help: ArgumentHelp(
            "The version that the mesh has: \(Emulate.versionNames); or a report of 'comply --json'.",
            valueName: "old|report.json"),
        transform: { try ComparedWord.read($0) })
    var old: ComparedWord

    @Argument(
        help: ArgumentHelp("The version that it may get, or a report of that.", valueName: "new|report.json"),
        transform: { try ComparedWord.read($0) })
    var new: ComparedWord

    @Option(
        help: ArgumentHelp(
            "The network, a shape or a world file; by default a drawn town of 20 nodes.", valueName: "world"))
    var network: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("The simulated time of each run.", valueName: "time"))
    var span = "60s"

    @Option(
        help: ArgumentHelp(
            "What people do, as for 'meshbed mesh run'; by default that of the network.", valueName: "traffic"))
    var traffic: String?

    @Option(
        help: ArgumentHelp(
            "Run so many seeds of the mesh at most; fewer when each comparison has a verdict. 0 runs no mesh.",
            valueName: "number"))
    var seeds = 1000

    @OptionGroup var jobs: JobsOption

    @Flag(name: .shortAndLong, help: "Print all details of each difference.")
    var verbose = false

    @Option(help: ArgumentHelp("Write the result as JSON; '-' is standard output.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp("Write the report as one HTML file, for people; '-' is standard output.", valueName: "file"))
    var html: String?

    @OptionGroup var job: JobOptions

    private var paths: [String] { [json, html].compactMap(\.self) + job.paths }

    func validate() throws {
        guard 0...1_000_000 ~= seeds else { throw ValidationError("--seeds is 0 to 1000000") }
        let strays = [network.map { _ in "--network" }, traffic.map { _ in "--traffic" }].compactMap(\.self)
        if seeds == 0, let stray = strays.first {
            throw ValidationError("--seeds 0 runs no mesh, and does not take \(stray)")
        }
        if old.isReport || new.isReport, let stray = strays.first {
            throw ValidationError("a report is no node that a mesh could have: it does not take \(stray)")
        }
        if old == new, case .report("-") = old { throw ValidationError("standard input has one report") }
        try JobOptions.validate(paths)
    }

    func run() throws {
        let voice = CommandVoice("meshbed", "compare-firmware")
        try JobOptions.check(paths, by: voice)
        var comparison: FirmwareComparison
        do {
            comparison = try FirmwareComparison(old.release(), new.release())
        } catch {
            throw voice.failed(error)
        }
        if let network { comparison.network = Rollout.Network(world: network) }
        comparison.network.span = span
        if let traffic { comparison.network.traffic = traffic }
        (comparison.meshSeeds, comparison.jobs) = (seeds, jobs.jobs)
        comparison.build = MeshbedVersion.built.description
        if seeds == 0 { comparison.parts.remove(.mesh) }
        let progress = PartProgress()
        let report: FirmwareComparisonReport
        do {
            report = try comparison.perform(progress: progress.show)
        } catch {
            progress.clear()
            throw voice.failed(error)
        }
        progress.clear()
        try write(report, by: voice)
    }

    private func write(_ report: FirmwareComparisonReport, by voice: CommandVoice) throws {
        let isTaken = paths.contains("-")
        let run = Provenance.Run(
            report.mesh.map { .world($0.plan.world) } ?? .target("emulator"), seed: nil, time: "virtual",
            air: report.mesh?.plan.airWords ?? "chip")
        let isRun = report.reported.map { $0.emulated != nil } ?? true
        let origin = Provenance.of(isRun ? run : nil).lines
        let text = job.shown(report.text(isVerbose: verbose) + "\n" + origin.joined(separator: "\n") + "\n")
        if isTaken { StandardError.text(text) } else { Console.text(text) }
        if let json { try voice.write(try report.json, to: json) }
        if let html { try voice.write(report.html(origin), to: html) }
        try job.write(report, isTaken: isTaken, by: voice)
        try job.end(report.exitCode)
    }
}

/// The progress of a comparison, a line for each part.
private final class PartProgress {
    private var part: FirmwareComparison.Part?
    private var line: ProgressLine?

    func show(_ part: FirmwareComparison.Part, _ done: Int, _ total: Int, _ note: String) {
        if self.part != part {
            clear()
            (self.part, line) = (part, ProgressLine("compare-firmware, \(part.rawValue)", of: total, part.unit))
        }
        line?.show(done, of: total, note: note)
    }

    func clear() { line?.clear() }
}
