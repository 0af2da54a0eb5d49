import ArgumentParser
import MeshCompliance
import MeshFirmware
import MeshLinks
import ScenarioTool

/// `meshbed comply`: holds a companion radio against the protocol, statement by statement.
struct Comply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold a companion radio against the companion protocol, statement by statement.",
        discussion: """
            Every statement of the article CompanionStatements (CMP-001 to CMP-249), sixteen recorded conversations and \
            what the protocol's table needs besides (MATRIX-…) get a verdict: kept, broken, or, with the reason, not run \
            or not applicable. Only what was shown is counted as kept. The emulator shows most of them, on virtual time, in seconds, in this process or behind a real \
            socket ('emulator+tcp') or terminal ('emulator+pty'); a radio at a socket or a serial line those that a \
            client alone can see. What statements change there is put back afterwards, also after an interrupt; a clock \
            may be seconds ahead. Where a rig steers the bench around the radio (meshbed emulate --rig), --rig shows \
            the rest.

            With --peer a second real radio within earshot shows much of it: it puts the suite's packets on the air and \
            tells what it hears, and both do with each other what radios do (PEER-…): texts, acknowledgements, adverts, \
            requests. Both must be at the same frequency, bandwidth and spreading factor, and nothing may relay between \
            them. The peer is put back afterwards, too. Messages that wait on the radio are fetched and shown; invented \
            nodes are told to neighbours only; what breaks is tried twice, as packets get lost.

            Examples:
              meshbed comply --target emulator
              meshbed comply --target tcp://127.0.0.1:5000 --junit comply.xml \\
                --html comply.html
              meshbed comply --target serial:/dev/ttyUSB0 --destructive
              meshbed comply --target tcp://127.0.0.1:5000 --rig tcp://127.0.0.1:5999
              meshbed comply --target serial:/dev/ttyUSB0 --peer serial:/dev/ttyUSB1
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
            "Run nothing, and tell what these are about: sentence, bytes, reason, source and article. Named as with "
                + "--only.",
            valueName: "pattern"))
    var explain: String?

    @Option(
        help: ArgumentHelp(
            "What steers the bench around the radio: the --rig of 'meshbed emulate'.", valueName: "tcp://HOST:PORT"),
        transform: { try LinkAddress(control: $0) })
    var rig: LinkAddress?

    @Option(
        help: ArgumentHelp(
            "A second real radio within earshot, which plays the other nodes of the mesh: 'tcp://HOST:PORT' or "
                + "'serial:PATH'.", valueName: "tcp://…|serial:…"),
        transform: { text in
            guard let name = ComplianceTargetName(text), name.isReal else {
                throw ValidationError("'\(text)' is neither tcp://HOST:PORT nor serial:PATH")
            }
            return name
        })
    var peer: ComplianceTargetName?

    @Option(
        help: ArgumentHelp(
            "Run only these: numbers (34), ranges (50-82), a section (F), identifiers with * (conversation/*), words of "
                + "a title; several are separated by commas, or by repeating it.", valueName: "pattern"))
    var only: [String] = []

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
            if let stray = strayOption(["--target", "--verbose"]) {
                throw ValidationError("--explain runs nothing, and \(stray) means nothing to it")
            }
            return
        }
        try validateMutants()
        if !only.isEmpty, selection.isEmpty { throw ValidationError("--only names nothing") }
        if rig != nil, target?.takesRig != true {
            throw ValidationError("--rig needs a target at tcp://HOST:PORT or serial:PATH")
        }
        if peer != nil {
            guard target?.isReal == true else {
                throw ValidationError("--peer needs a target at tcp://HOST:PORT or serial:PATH, which hears it")
            }
            if rig != nil { throw ValidationError("--rig and --peer exclude each other: on a rig there is one radio") }
            if peer == target { throw ValidationError("--peer is another radio than --target") }
        }
    }

    private var selection: Selection { Selection(only.joined(separator: ",")) }

    /// An option that was given although another mode of the command has no use for it.
    func strayOption(_ allowed: Set<String>) -> String? {
        let given = [
            ("--target", target != nil), ("--rig", rig != nil), ("--peer", peer != nil), ("--only", !only.isEmpty),
            ("--destructive", destructive), ("--matrix", matrix), ("--verbose", verbose), ("--mutants", mutants),
            ("--list-mutants", listMutants), ("--mutant", mutant != nil), ("a report", reports.isWanted),
        ]
        return given.first { $0.1 && !allowed.contains($0.0) }?.0
    }

    func run() throws {
        if let explain {
            do {
                return Console.text(try ComplianceRun.explanation(of: Selection(explain)))
            } catch {
                throw Console.failed("comply", error)
            }
        }
        if listMutants { return Console.text(Self.listing) }
        try reports.check(for: "comply")
        if mutants { return try runMutants() }
        guard var target else { throw ValidationError("there is no --target") }
        target.rig = rig
        var run = ComplianceRun(
            target: target, only: selection, isDestructive: destructive)
        run.mutant = mutant
        run.peer = peer
        var console = ComplianceConsole(reports: reports)
        console.isVerbose = verbose
        console.showsMatrix = matrix
        try console.perform(run)
    }
}
