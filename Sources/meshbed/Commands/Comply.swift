import ArgumentParser
import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshTestbed
import MeshTransports

/// `meshbed comply`: checks a companion radio against the protocol, statement by statement.
struct Comply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a companion radio against the companion protocol, statement by statement.",
        discussion: """
            Every statement of the article CompanionStatements (CMP-001 to CMP-261) gets a verdict. So do sixteen \
            recorded conversations, and the checks MATRIX-…, which complete the protocol's table. A verdict is kept or \
            broken, or, with the reason, differs, lacks, not run or not applicable. Only a statement that was shown \
            counts as kept. A radio differs where it only lacks a quirk of firmware 1.17.1 ('meshbed emulate --list'). \
            It lacks where it answers UNSUPPORTED_CMD to an optional command of the level that it says. \
            The emulator shows most statements in seconds, on virtual time. It runs in this process, or behind a real \
            socket ('emulator+tcp') or terminal ('emulator+pty'). With 'emulator+ble-nrf52' and 'emulator+ble-esp32' \
            all frames go over a modelled Bluetooth link. A radio at a socket, on a serial line or over Bluetooth \
            shows those that a client alone can reach. The suite restores changed settings afterwards, also after an \
            interrupt; a clock may be seconds ahead. With --rig (meshbed emulate --rig) a rig shows the rest.

            Each statement holds since a version and until another. The suite finds the version of the radio by its \
            DEVICE_INFO, or takes --firmware. It runs what holds there. It reports what the radio does differently from \
            its own version, and from the newest. Checks VERSION-P01 to VERSION-P24 tell the versions apart.

            With --peer a second real radio in radio range shows many of them. It sends the suite's packets and \
            reports the packets that it hears. In the checks PEER-… both radios exchange texts, acknowledgements, \
            adverts and requests. Both need the same frequency, bandwidth and spreading factor, and no relay between \
            them. The suite restores the peer, too. It fetches and shows messages that wait on the radio. It announces \
            invented nodes to neighbours only. It tries a broken statement twice, as packets get lost.

            With --leave-and-return the suite plays an app that leaves at a place and returns: before and behind \
            requests, in the middle of the contacts, with --peer also of the messages (checks LEAVE-…). After each \
            return the radio must introduce itself, send nothing of the session before, and list everything whole. A \
            radio that hangs ends the run with a sentence, within two minutes. Before you restart a board that hangs, \
            write down: its light (steady, blinking, dark); whether 'meshbed ble scan' sees it; what its buttons and \
            its display do; whether its mesh neighbours hear it. Then press reset, and cut the power if that does not \
            help. The article LeaveAndReturn says what each of these means.

            Examples:
              meshbed comply --target emulator
              meshbed comply --target tcp://127.0.0.1:5000 --junit comply.xml \\
                --html comply.html
              meshbed comply --target serial:/dev/ttyUSB0 --destructive
              meshbed comply --target tcp://127.0.0.1:5000 --rig tcp://127.0.0.1:5999
              meshbed comply --target serial:/dev/ttyUSB0 --peer serial:/dev/ttyUSB1
              meshbed comply --target ble:MeshCore-Left --leave-and-return
              meshbed comply --target emulator --only '50-82,conversation/*' --verbose
              meshbed comply --target emulator --firmware 1.15
              meshbed comply --target emulator --matrix
              meshbed comply --explain CMP-034
              meshbed comply --mutants --only 'ack-*,wrong limit'
              meshbed comply --target emulator --role repeater --only INF-102
              meshbed comply --target tcp://127.0.0.1:5000 --name 'my radio' --json my.json
              meshbed comply --matrix-of my.json other.json --html matrix.html
              meshbed comply --role repeater --target serial:/dev/ttyUSB0 \\
                --antenna serial:/dev/ttyUSB1 --password secret

            With --role the suite checks a repeater, a room server or a sensor. It asks the statements INF-… and OTA-… \
            of the articles InfrastructureNodes and OverTheAir, by the node's console and by an antenna beside it. The \
            target is the emulator, or a console on a serial line or a TCP port. The antenna is a companion radio or a \
            KISS modem, with the node's radio settings and nobody else on the air. The suite restores node and antenna \
            afterwards, also after an interrupt. Statements that need a node without memories restart it, which \
            --destructive allows.

            With --mutants the command checks the suite itself. It runs radios with one fault each, and every \
            statement that names the fault must notice it.

            With --matrix-of the command runs nothing. It reads reports that --json has written, of any roles, and lays \
            them beside each other: implementations and statements, on one page (--html) and for programs (--json).

            Exit status: 0 when everything that ran was kept, or every mutant caught; 1 when something is broken; 2 \
            when the run was not possible (radio out of reach, nothing selected, nothing could run, a report cannot \
            be written, wrong arguments).
            """)

    @Option(
        name: .customLong("target"),
        help: ArgumentHelp(
            "The radio: \(Target.forms), or a label of the bench file.", valueName: "\(Target.valueName)|label"))
    var targetWord: String?

    @OptionGroup var benchOptions: BenchOptions

    @OptionGroup(title: "Repeaters, room servers and sensors")
    var node: RoleOptions

    var role: ServerRole? { node.role }

    @Option(
        help: ArgumentHelp(
            "Run nothing, and explain these: sentence, bytes, reason, source and article. Named as with "
                + "--only.",
            valueName: "pattern"))
    var explain: String?

    @Option(
        help: ArgumentHelp(
            "The rig that controls the radio: the --rig of 'meshbed emulate'.", valueName: LinkAddress.tcpForm),
        transform: { try LinkAddress(control: $0) })
    var rig: LinkAddress?

    @Option(
        help: ArgumentHelp(
            "A second real radio in radio range that plays the other nodes of the mesh: \(LinkAddress.radioForms), or a "
                + "label.",
            valueName: "\(LinkAddress.radioValueName)|label"))
    var peer: String?

    @Option(
        help: ArgumentHelp(
            "Check against this version of the firmware, which an emulated radio then runs: \(Emulate.versionNames). "
                + "By default the version that the radio reports.",
            valueName: "version"),
        transform: { try Emulate.version($0) })
    var firmware: FirmwareVersion?

    @Option(
        help: ArgumentHelp(
            "Run only these: numbers (34), ranges (50-82), a section (F), identifiers with * (conversation/*), words of "
                + "a title; commas separate several, and the option can be repeated.", valueName: "pattern"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "The name of the implementation in reports; by default what a radio says of itself.", valueName: "text"),
        transform: { try Self.name($0) })
    var name: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Run nothing, and lay these reports beside each other, which comply --json has written.",
            valueName: "report.json"))
    var matrixOf: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --matrix-of: write a badge for each implementation into this new folder, as SVG and as JSON.",
            valueName: "folder"))
    var badges: String?

    @OptionGroup(title: "Reports")
    var reports: ReportOptions

    @Option(
        help: ArgumentHelp(
            "The address at which the article CompanionStatements can be read: in --summary statements lead there.",
            valueName: "url"),
        transform: { try Self.address($0) })
    var statements: String?

    @Flag(help: "Report the checks as not run and exit with 0 when the radio is not there, as on a build server.")
    var allowMissing = false

    @Flag(help: "Also run what restarts or erases a radio, replaces its identity or sets its clock far ahead.")
    var destructive = false

    @Flag(help: "Ask only what an app finds that leaves at a place and returns: the checks LEAVE-….")
    var leaveAndReturn = false

    @Flag(
        help: "Print which commands, replies, errors, lengths, tails and pushes went over the link, and which did not.")
    var matrix = false

    @Flag(name: .shortAndLong, help: "A line for every statement, and what went before a broken one.")
    var verbose = false

    @Flag(help: "Switch one fault after another on in the emulator, and report which statements notice it.")
    var mutants = false

    @OptionGroup(title: "Units of --mutants")
    var unit: UnitOptions

    @Flag(help: "List the faults that can be switched on in the emulator, and end.")
    var listMutants = false

    @Option(
        help: ArgumentHelp("Switch this fault on in the emulator; --list-mutants shows them.", valueName: "name"),
        transform: { try Self.mutant($0) })
    var mutant: Mutant?

    func validate() throws {
        if let explain {
            if Selection(explain).isEmpty { throw ValidationError("--explain needs a pattern") }
            if let stray = strayOption(["--target", "--verbose", "--role"]) {
                throw ValidationError("--explain runs nothing, and does not take \(stray)")
            }
            return
        }
        try validateMatrix()
        if !matrixOf.isEmpty { return }
        let target = try target
        try validateRole(target)
        try validateMutants(target)
        if destructive, case .bluetooth(let radio)? = target?.addresses.first, case .name = radio.peer {
            throw ValidationError(
                "--destructive renames the radio; name it by its address, as in ble:C0:11:22:33:44:55")
        }
        if destructive, let board = target?.board, board.isListed {
            throw ValidationError(
                "--destructive is for radios without a label: what may be done to \"\(board.label)\" stands in its bench "
                    + "file, as \"allow\"")
        }
        if !only.isEmpty, selection.isEmpty { throw ValidationError("--only needs a pattern") }
        if rig != nil, target?.isReal != true {
            throw ValidationError("--rig needs a target at \(LinkAddress.radioForms)")
        }
        if allowMissing, target?.isReal != true {
            throw ValidationError("--allow-missing is for a real radio: an emulated one is always there")
        }
        guard peer != nil else { return }
        guard target?.isReal == true else {
            throw ValidationError("--peer needs a target at \(LinkAddress.radioForms), which hears it")
        }
        if rig != nil { throw ValidationError("--rig and --peer exclude each other: on a rig there is one radio") }
        _ = try planned
    }

    /// The radio that `--target` means; nothing is opened.
    var target: Target? { get throws { try targetWord.map(benchOptions.target) } }

    /// The run of statements about companion radios that the options mean.
    private var planned: ComplianceRun {
        get throws {
            guard let word = targetWord else { throw ValidationError("there is no --target") }
            var run: ComplianceRun
            do {
                let bench = try benchOptions.bench(for: [word] + [peer].compactMap(\.self))
                run = try bench.complianceRun(target: word, peer: peer, only: selection)
            } catch let error as ValidationError {
                throw error
            } catch {
                throw ValidationError("\(error)")
            }
            if let rig { run.target.rig = rig }
            if destructive { run.target.allowed = .destructive }
            run.mutant = mutant
            run.firmware = firmware ?? run.target.board?.firmware
            run.allowsMissing = allowMissing
            run.leavesAndReturns = leaveAndReturn
            run.benchArguments = benchOptions.arguments
            return run
        }
    }

    private static func address(_ text: String) throws -> String {
        guard text.wholeMatch(of: /https?:\/\/[\x21-\x7e]+/) != nil else {
            throw ValidationError("'\(text)' is no address that begins with https://")
        }
        return text
    }

    var selection: Selection { Selection(only.joined(separator: ",")) }

    /// An option that was given although another mode of the command has no use for it.
    func strayOption(_ allowed: Set<String>) -> String? {
        let given =
            [
                ("--target", targetWord != nil), ("--bench", benchOptions.file != nil), ("--role", role != nil),
            ] + node.bench + [
                ("--rig", rig != nil), ("--peer", peer != nil), ("--only", !only.isEmpty),
                ("--destructive", destructive), ("--matrix", matrix), ("--verbose", verbose), ("--mutants", mutants),
                ("--list-mutants", listMutants), ("--mutant", mutant != nil), ("--firmware", firmware != nil),
                ("a report", reports.isWanted), ("--exit-policy", reports.job.exitPolicy != .fail),
                ("--statements", statements != nil), ("--name", name != nil), ("--matrix-of", !matrixOf.isEmpty),
                ("--badges", badges != nil), ("--allow-missing", allowMissing),
                ("--leave-and-return", leaveAndReturn),
            ]
        return given.first { $0.1 && !allowed.contains($0.0) }?.0
    }

    func run() throws {
        if let explain {
            do {
                return Console.text(try explanation(of: Selection(explain)))
            } catch {
                throw Console.failed("comply", error)
            }
        }
        if listMutants { return Console.text(listing) }
        try reports.check(for: "comply")
        if !matrixOf.isEmpty { return try runMatrix() }
        if mutants { return try runMutants() }
        if let role { return try run(role) }
        let run = try planned
        var console = ComplianceConsole(reports: reports)
        console.isVerbose = verbose
        console.showsMatrix = matrix
        console.statements = statements
        console.name = name
        try console.perform(run)
    }
}
