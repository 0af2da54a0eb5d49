public import ArgumentParser
import MeshFiles
public import MeshReports
import MeshWire

/// The files that a command which judges something can write its report to: `--junit`, `--json`, `--html` and others.
///
/// One of them may be `-`, standard output; what is for people then goes to standard error.
public struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the report as JUnit XML; '-' is standard output.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write the report as JSON; '-' is standard output.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp("Write the report as one HTML file, for people; '-' is standard output.", valueName: "file"))
    var html: String?

    @OptionGroup
    package var job: JobOptions

    public init() {}

    /// Tells whether any report was asked for.
    public var isWanted: Bool { !paths.isEmpty || job.isWanted }

    /// Tells whether standard output is for a report.
    public var takesStandardOutput: Bool { paths.contains("-") }

    private var paths: [String] { [junit, json, html].compactMap(\.self) + job.paths }

    /// Throws when two reports go to standard output, or a path is empty.
    public func validate() throws { try JobOptions.validate(paths) }

    /// Fails with exit status 2 when a file cannot be written, before a run that may take minutes.
    public func check(for command: String, of program: ProgramName = .meshbed) throws {
        try JobOptions.check(paths, by: CommandVoice(program.call, command))
    }

    /// Writes what was asked for, with date and build; exit status 2 when a file cannot be written.
    public func write(_ report: TestReport, for command: String? = nil) throws {
        guard isWanted else { return }
        var report = report
        if report.provenance == nil { report.provenance = .now }
        let call = command.map { "\(report.program.call) \($0)" } ?? report.call
        let voice = CommandVoice(call)
        if let junit { try voice.write(report.junit, to: junit) }
        if let json { try voice.write(report.json, to: json) }
        if let html {
            let players = FailurePlayers(beside: html)
            players.name(in: &report)
            try voice.write(HTMLReport(report).html, to: html)
            for (path, page) in players.pages(of: report) { try voice.write(page, to: path) }
        }
        try job.write(report, isTaken: takesStandardOutput, by: voice)
    }

    /// Says something to people, in one line or several. Values from outside are one line each in it already.
    public func say(_ text: String) {
        let text = job.shown(text)
        takesStandardOutput ? StandardError.text(text) : StandardOutput.verdicts(text)
    }

    /// Says first of all what is run, and whether it can be repeated.
    package func say(_ run: Provenance.Run) { say(Provenance.of(run).lines.joinedVisibleLines) }
}
