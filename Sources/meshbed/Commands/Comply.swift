import ArgumentParser
import Foundation
import Glibc
import MeshFirmware
import MeshTestbed
import ScenarioTool
import Synchronization

/// `meshbed comply`: holds a companion radio against the protocol, statement by statement.
struct Comply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold a companion radio against the companion protocol, statement by statement.",
        discussion: """
            Every statement of the protocol's specification (CMP-001 to CMP-249), sixteen recorded conversations and \
            what the protocol's table needs besides (MATRIX-…) get a verdict: kept, broken, or, with the reason, not run \
            or not applicable. Only what was shown is counted as kept. The emulator shows most of them, on virtual time, in seconds, in this process or behind a real \
            socket ('emulator+tcp') or terminal ('emulator+pty'); a radio at a socket or a serial line those that a \
            client alone can see. What statements change there is put back afterwards, also after an interrupt; a clock \
            may be seconds ahead. Where a rig steers the bench around the radio (meshbed emulate --rig), --rig shows \
            the rest.

            Examples:
              meshbed comply --target emulator
              meshbed comply --target tcp://127.0.0.1:5000 --junit comply.xml --html comply.html
              meshbed comply --target serial:/dev/ttyUSB0 --destructive
              meshbed comply --target tcp://127.0.0.1:5000 --rig tcp://127.0.0.1:5999
              meshbed comply --target emulator --only '50-82,conversation/*' --verbose
              meshbed comply --target emulator --matrix
              meshbed comply --explain CMP-034
              meshbed comply --mutants --only 'ack-*,wrong limit'

            With --mutants it is the suite that is tried: on radios with one fault each, which every statement that \
            names it must notice.

            Exit status: 0 when everything that ran was kept (or every mutant caught), 1 when something is broken, 2 when the run was not \
            possible: the radio cannot be reached, nothing is selected, nothing could run, a report cannot be written, \
            wrong arguments.
            """)

    @Option(
        help: ArgumentHelp(
            "The radio: 'emulator', 'emulator+tcp', 'emulator+pty', 'tcp://HOST:PORT' or 'serial:PATH'.",
            valueName: "emulator|tcp://…|serial:…"),
        transform: { text in
            guard let name = ComplianceTargetName(text) else {
                throw ValidationError(
                    "'\(text)' is none of emulator, emulator+tcp, emulator+pty, tcp://HOST:PORT, serial:PATH")
            }
            return name
        })
    var target: ComplianceTargetName?

    @Option(
        help: ArgumentHelp(
            "Run nothing, and tell what these are about: bytes, reason and source. Named as with --only.",
            valueName: "pattern"))
    var explain: String?

    @Option(
        help: ArgumentHelp(
            "What steers the bench around the radio: the --rig of 'meshbed emulate'.", valueName: "tcp://HOST:PORT"),
        transform: { text in
            guard let address = RigAddress(text) else {
                throw ValidationError("'\(text)' is no tcp://HOST:PORT, and a rig is steered over TCP")
            }
            return address
        })
    var rig: RigAddress?

    @Option(
        help: ArgumentHelp(
            "Run only these: numbers (34), ranges (50-82), a section (F), identifiers with * (conversation/*), words of "
                + "a title; several are separated by commas.", valueName: "pattern"))
    var only: String?

    @OptionGroup(title: "Reports")
    var reports: ReportOptions

    @Flag(help: "Also run what restarts or erases a radio, replaces its identity or sets its clock far ahead.")
    var destructive = false

    @Flag(
        help: "Print which commands, replies, errors, lengths, tails and pushes went over the link, and which did not.")
    var matrix = false

    @Flag(name: .shortAndLong, help: "A line for every statement, and what went before a broken one.")
    var verbose = false

    @Flag(help: "Switch one fault after the other on in the emulator, and see which statements notice.")
    var mutants = false

    @Flag(help: "List the faults that can be switched on in the emulator, and end.")
    var listMutants = false

    @Option(
        help: ArgumentHelp("Switch this fault on in the emulator; --list-mutants shows them.", valueName: "name"),
        transform: { try Emulate.mutant($0) })
    var mutant: Mutant?

    func validate() throws {
        if let explain {
            if Selection(explain).isEmpty { throw ValidationError("--explain names nothing") }
            return
        }
        try validateMutants()
        if let only, Selection(only).isEmpty { throw ValidationError("--only names nothing") }
        if rig != nil, target?.takesRig != true {
            throw ValidationError("--rig needs a target at tcp://HOST:PORT or serial:PATH")
        }
    }

    func run() throws {
        if let explain {
            do {
                return Console.out(try ComplianceRun.explanation(of: Selection(explain)))
            } catch {
                throw Console.failed("comply", error)
            }
        }
        if listMutants { return Console.out(Self.listing) }
        try reports.check(for: "comply")
        if mutants { return try runMutants() }
        guard var target else { throw ValidationError("there is no --target") }
        target.rig = rig
        var run = ComplianceRun(
            target: target, only: only.map { Selection($0) } ?? .all, isDestructive: destructive)
        run.mutant = mutant
        let report: ComplianceReport
        do {
            Interruption.isAwaited()
            report = try run.perform(
                isInterrupted: { Interruption.hasCome.load(ordering: .relaxed) }, progress: progress)
        } catch {
            clearProgress()
            throw Console.failed("comply", error)
        }
        clearProgress()
        print(report.text(isVerbose: verbose))
        if matrix { print("\n" + report.matrix.text) }
        var file = TestReport(report)
        file.version = Meshbed.configuration.version
        try reports.write(file, for: "comply")
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    // MARK: Progress

    /// Progress is for people who wait, not for logs.
    var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

    private func progress(_ entry: ComplianceReport.Entry, _ count: Int) {
        guard isWatched else { return }
        show("\r\u{1B}[K\(entry.id) of \(count) checks")
    }

    func clearProgress() {
        if isWatched { show("\r\u{1B}[K") }
    }

    func show(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// The first Ctrl-C ends a run in good order, the second one ends the program.
enum Interruption {
    static let hasCome = Atomic(false)

    static func isAwaited() {
        signal(SIGINT) { _ in
            Interruption.hasCome.store(true, ordering: .relaxed)
            signal(SIGINT, SIG_DFL)
        }
    }
}
