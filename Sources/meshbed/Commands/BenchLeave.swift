import ArgumentParser
import MeshEmulator
import MeshFirmware
import MeshReports
import MeshTestbed
import MeshTime

/// `meshbed bench leave`.
struct BenchLeave: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "End the link of an app at each place of a sync, let it return, and check that it recovers.",
        discussion: """
            The app has the whole stack and a store in memory; its radio is emulated here, and time is virtual. A run \
            without an end lists the frames of two syncs in both directions, the first and one that asks for changes. A place is a side of a frame: before it, in \
            the middle of it (over a stream of bytes, on the way to the radio), or after it. Two places have no frame: a link that \
            cannot be opened at first ('connect'), and ten seconds of quiet ('idle'). At each place the link ends once \
            for each return: after 1, 5 and 31 s, and by the user's hand after two minutes. At each frame something \
            happens at the radio, with a link that stays and with one that ends for 5 s. It receives a text, an advert \
            or an acknowledgement, gives the place of a contact to a new one, or restarts.

            After each return the app must be synchronised within two minutes. Its store must have the radio's \
            contacts, channels and messages, each exactly once. The radio's queue must be empty, and a request must be \
            answered. A message that the radio had sent when the link ended may be missing: the radio forgets it. The \
            same seed gives the same runs on every machine, with any number of threads. The line below a failure \
            repeats it alone.

            Examples:
              meshbed bench leave --jobs 2 --svg leave.svg
              meshbed bench leave --every 10 --over ble-nrf52
              meshbed bench leave --only 57.app.after/5s

            Exit status: 0 when every app recovered, 1 otherwise, 2 when the arguments were not understood or a file \
            cannot be written.
            """)

    @Option(help: ArgumentHelp("Only each nth frame has places.", valueName: "n"))
    var every = 1

    @Option(
        help: ArgumentHelp(
            "Only this pair, or those that begin with these parts: 57.app.after/5s, 57, idle. May be repeated.",
            valueName: "pair"))
    var only: [String] = []

    @Option(name: .shortAndLong, help: "Threads; each carries out one run at a time.")
    var jobs = 1

    @Option(help: "Contacts of the radio, 1 to 350.")
    var contacts = 350

    @Option(help: "Channels of the radio, 1 to 40.")
    var channels = 40

    @Option(help: "Messages that wait on the radio, 0 to 256.")
    var messages = 100

    @Option(
        help: ArgumentHelp("The link between app and radio: \(LoopbackLink.names).", valueName: "link"),
        transform: Self.link)
    var over = LoopbackLink.direct

    @Option(
        help: ArgumentHelp(
            "The firmware of the radio: \(Emulate.versionNames). Default: the standard one.", valueName: "version"),
        transform: { try Emulate.version($0) })
    var firmware: FirmwareVersion?

    @Option(help: "The seed of all randomness.")
    var seed: UInt64 = 1

    @Option(
        help: "The seed for the order of tasks that are ready at the same moment; without it, first come, first served."
    )
    var order: UInt64?

    @Flag(help: "Print the report as one JSON object.")
    var json = false

    @Option(help: ArgumentHelp("Write the plot of the times to recovery, as SVG.", valueName: "file"))
    var svg: String?

    @Option(help: ArgumentHelp("Write plot and tables as one page.", valueName: "file"))
    var html: String?

    mutating func validate() throws {
        guard every > 0 else { throw ValidationError("--every must be 1 or more") }
        guard 1...256 ~= jobs else { throw ValidationError("--jobs must be from 1 to 256") }
        guard 1...350 ~= contacts else { throw ValidationError("--contacts must be from 1 to 350") }
        guard 1...40 ~= channels else { throw ValidationError("--channels must be from 1 to 40") }
        guard 0...256 ~= messages else { throw ValidationError("--messages must be from 0 to 256") }
        guard only.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--only needs a pair") }
    }

    func run() throws {
        let survey = survey
        let plan: LeaveSurvey.Plan
        do { plan = try survey.plan() } catch { throw Console.failed("bench leave", error) }
        let bar = ProgressLine("bench leave", of: plan.pairs.count, "pairs")
        let report = survey.perform(plan) { bar.show($0) }
        bar.clear()
        if let svg { try Console.write(report.drawing.svg, to: svg, by: "bench leave") }
        if let html { try Console.write(report.page(Provenance.of(nil).lines), to: html, by: "bench leave") }
        if json { Console.out(try BenchCommand.line(report.record)) } else { Console.text(report.text) }
        if !report.failures.isEmpty { throw ExitCode(1) }
    }

    /// The survey that the options mean.
    private var survey: LeaveSurvey {
        var survey = LeaveSurvey()
        (survey.every, survey.only, survey.jobs) = (every, only, jobs)
        (survey.run.load.contacts, survey.run.load.channels, survey.run.load.messages) = (contacts, channels, messages)
        (survey.run.over, survey.run.firmware) = (over, firmware ?? .standard)
        (survey.run.seed, survey.run.order) = (Seed(seed), order.map { Seed($0) })
        return survey
    }

    private static func link(_ name: String) throws -> LoopbackLink {
        guard let link = LoopbackLink(rawValue: name) else {
            throw ValidationError("'\(name)' is no link; there are \(LoopbackLink.names)")
        }
        return link
    }
}
