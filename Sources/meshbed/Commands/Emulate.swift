import ArgumentParser
import MeshCompanion
import MeshCompliance
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWorlds

/// `meshbed emulate`: a world with endpoints for clients.
struct Emulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start emulated radios and let clients connect to them.",
        discussion: """
            An endpoint is a TCP port, a pseudo-terminal or a Bluetooth controller. A TCP port behaves like an ESP32 \
            board with Wi-Fi: it takes one client, and the newest wins. A pseudo-terminal behaves like a board on \
            USB, and appears as a link at the given path. Ports listen on this machine only, unless another address \
            is given. Port 0 takes any free port and prints it. The command runs until it is interrupted.

            The world pair has three nodes that have met, and sends nothing by itself. Frames that are lost to others are \
            named at once, the first 20 of them; the counts at the end have them all.

            A world is what 'meshbed mesh run' takes: a shape such as grid:10x10, a world file or a file of adverts. \
            Its faults occur, and its people send the messages of its traffic, except those with an endpoint: \
            their apps are yours. Consoles of repeaters, rooms and sensors are endpoints as well.

            A companion radio with firmware 1.18 can have several endpoints, and apps at all of them at once: a port or \
            two, a terminal, a Bluetooth controller. The article "Several apps on one radio" has what each app gets.

            By the clock (--time clock) a run with a client cannot be repeated exactly. In lockstep (--time lockstep) \
            the world runs as fast as it can, and stands still while clients have something to read or to send: hours \
            pass in seconds. Time passes while at least one client is connected (--clients) and all have been quiet \
            for 50 ms (--quiet). The world waits five seconds for a client that does not read, and then no more. If \
            clients only answer, the same seed gives the same run; at its end the command says whether they did.

            With --link a port or terminal is at the far end of a modelled Bluetooth link: the client still speaks as over \
            TCP, and its frames take the connection events, packets and pauses that they take over the air, on the \
            world's time. The link pairs by itself, which takes some seconds of it, and the client's frames wait.

            On a Bluetooth controller the node is a peripheral, as its board is (--profile). Phones pair with the PIN \
            123456 until an app sets another one, or with what the display shows (--display). The controller speaks \
            HCI on a TCP port (H4), as virtual ones do, or is an adapter of this machine. With mode=exact the node has \
            the adapter alone, which takes CAP_NET_ADMIN, and the adapter has to be off before. Bonds are kept with \
            --state.

            Without it the node is beside the desktop, and needs no rights. Each pairing has a PIN of its own, which \
            is printed as "alice: PIN 123456 for AA:BB:CC:DD:EE:FF". Bonds are bluetoothd's, and so are the address \
            and the times of connections. 'meshbed ble doctor' says what is missing.

            With --jig a phone makes its radio misbehave over Bluetooth: it writes a command of the bench, code 0xBE, \
            that arms a fault, reads what it did, or takes it back. A radio answers it as an unknown command, and so \
            does the emulator without --jig. The article "Your phone app against a radio that misbehaves" has the \
            kinds. A fault that did nothing is named at the end.

            The controller of the Android emulator is found by itself as ble:android-netsim, which has not been tried \
            with Android's own; android-netsim:2 is that of its second instance.

            With modem: before a port or terminal the node is no companion radio but a bare modem. It speaks the \
            firmware's KISS modem protocol, and any program that drives such a modem is a node on this air.

            With external: before a port the node, whatever its role, runs in another program, which is asked what it \
            does while the world's time stands still: lines of JSON, described in the article "A node in another \
            process". Nodes of world files with the role "external" get a free port each. No time passes before all \
            such programs are there; one that goes, or fails to answer in time (--peer-limit), ends the run.

            With --antenna a real companion radio joins the world and the mesh around it at the place of a node. It \
            passes packets of up to 174 bytes on, and hears those of up to 173; they are late by the time that they \
            take on both airs. The article "A real radio in the mesh" has what it cannot do. Delays and what was \
            dropped are printed at the end.

            Examples:
              meshbed emulate
              meshbed emulate --world pair --endpoint alice=tcp://127.0.0.1:5000 \\
                --endpoint bob=pty:./bob.tty
              meshbed emulate --firmware 1.15 --profile rak4631
              meshbed emulate --seed 7 --state ./radios --profile rak4631
              meshbed emulate --endpoint alice=ble:hci:tcp=127.0.0.1:6402
              meshbed emulate --endpoint alice=ble:hci0
              meshbed emulate --endpoint alice=ble:android-netsim --jig
              sudo meshbed emulate --endpoint 'alice=ble:hci1?mode=exact'
              meshbed emulate --endpoint alice=modem:pty:./alice.tty
              meshbed emulate --endpoint alice=external:tcp://127.0.0.1:5000 \\
                --time lockstep --for 1h
              meshbed emulate --world town --antenna alice=serial:/dev/ttyUSB0 \\
                --endpoint bob=tcp://127.0.0.1:5001
              meshbed emulate --without-quirk zero-key-channels --speed 10
              meshbed emulate --rig tcp://127.0.0.1:5999 \\
                --endpoint alice=tcp://127.0.0.1:5000
              meshbed emulate --record session.capture
              meshbed emulate pair --link-faults plan.json --time lockstep --for 10m
              meshbed emulate city:300 --seed 7 --time lockstep --trace live.ndjson
              meshbed emulate --time lockstep --link ble-nrf52 \\
                --endpoint alice=tcp://127.0.0.1:0
              meshbed emulate valley.json --endpoint alice=tcp://127.0.0.1:0 \\
                --ready-json --until-stdin-closes
              meshbed emulate pair --time stepped --control http://127.0.0.1:0
              meshbed emulate --qr --endpoint alice=tcp://0.0.0.0:5000 \\
                --endpoint bob=tcp://0.0.0.0:5001
              meshbed emulate --list

            With --control programs in any language steer the world by HTTP and JSON: they let time pass (--time \
            stepped), have people write, break links, cut power, look at contacts and messages, and go back to \
            snapshots. The address serves its description at /openapi.json. Beyond this machine requests need a \
            token, which is printed at the start. The Python package of Meshbed is made for it.

            With --rig one radio runs alone, on held time. The client of the rig lets time pass, puts frames on the \
            air, cuts the power, makes the storage fail and starts over (meshbed comply --rig). The board has both \
            builds, TCP and terminal. The rig opens an endpoint that is not named as well.

            With --link-faults a plan of faults is armed on the links of clients before any comes: frames that are cut, \
            lost, swapped, made up or too long, links that end, boards that lose their power, each at an occasion such \
            as the third contact. The article "Faults of links" has the kinds and the file.

            With --state every change is on disk before it is acknowledged. Only changed contacts follow later: after \
            five seconds, as in the firmware, or when the emulator ends. A killed emulator loses those.

            With --record the command writes recordings as 'meshbed record' does, of each companion radio and its \
            app. They also hold the packets that the radio sends and hears on the air. Times are those of the world. \
            Several endpoints get one file each, named after the node.

            With --qr the contact of each companion radio is shown as a code for cameras, where a phone can reach the \
            radio: over an adapter, or at a port of another address than loopback. Apps on other nodes of the world \
            add it by that code. They have no code for the address of a port: it is typed in.

            With --ready-json the first line on standard output says, when everything listens, what a program needs: \
            addresses, roles, public keys, seed, time and version. All other lines go to standard error. With --trace \
            the run is written as by 'meshbed mesh run', for 'mesh why', 'mesh diff' and 'mesh draw'.

            Exit status: 0 after an interrupt or SIGTERM, or at the end of --for; 2 when it could not start or \
            continue (a port in use, a damaged state file, a controller that is gone, wrong arguments); 3 at the end of \
            --for when a fault of the world or of a link never took effect.
            """)

    @Argument(
        help: ArgumentHelp(
            "The world to start: a shape such as grid:10x10, a world file, or a file of adverts. Default: pair.",
            valueName: "world"))
    var place: String?

    @Option(name: .customLong("world"), help: "The same as an option; --list shows the shapes.")
    var namedWorld: String?

    var chosenWorld: String? { place ?? namedWorld }
    var world: String { chosenWorld ?? "pair" }

    @OptionGroup var live: LiveOptions

    @OptionGroup var attached: AttachOptions

    @Option(
        name: .customLong("endpoint"),
        help: ArgumentHelp(
            "Where clients of a node connect: alice=tcp://HOST:PORT, alice=pty:PATH, alice=modem:tcp://HOST:PORT, "
                + "alice=modem:pty:PATH, alice=external:tcp://HOST:PORT, alice=ble:hci:tcp=HOST:PORT, alice=ble:hci0, "
                + "alice=ble:hci0?mode=exact or alice=ble:android-netsim; "
                + "can be repeated. Without any, alice=tcp://127.0.0.1:5000, or none with --control.",
            valueName: "node=endpoint"),
        transform: { try NodeEndpoint($0) })
    var endpoints: [NodeEndpoint] = []

    @Option(help: "The number that keys and all other randomness come from; a random one is printed when not given.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Keep the nodes' flash in this directory and start from it.", valueName: "directory"))
    var state: String?

    @Flag(help: "Move the state of all nodes of the world aside and start from factory settings.")
    var resetState = false

    @Option(
        name: .customLong("profile"),
        help: "The board of all nodes, in place of those of the world; --list shows them.",
        transform: Self.board)
    var chosenProfile: BoardProfile?

    @Option(
        help: ArgumentHelp(
            "The firmware of all nodes, in place of that of the world: \(versionNames).", valueName: "version"),
        transform: Self.version)
    var firmware: FirmwareVersion?

    var profile: BoardProfile {
        var board = chosenProfile ?? .heltecV3
        if let firmware { board.firmware = firmware }
        return board
    }

    @Flag(help: "Give the boards a display: it shows the PIN, which is drawn at each start where none was set.")
    var display = false

    @Flag(
        help: ArgumentHelp(
            "Give repeaters, rooms and sensors a build that prints each packet on its console (MESH_PACKET_LOGGING)."))
    var logPackets = false

    @Option(
        name: .customLong("without-quirk"),
        help: ArgumentHelp(
            "Switch a quirk of firmware 1.17.1 off; can be repeated. --list shows them.", valueName: "name"),
        transform: Self.quirk)
    var withoutQuirks: [Quirk] = []

    @Option(
        help: ArgumentHelp(
            "Put one radio on a bench, on held time, that is steered at this address.", valueName: LinkAddress.tcpForm),
        transform: { try LinkAddress(listener: $0) })
    var rig: LinkAddress?

    @Option(
        help: ArgumentHelp(
            "Let programs steer the world by HTTP at this address; with port 0 any free one is taken and printed.",
            valueName: "http://host:port"),
        transform: { try LinkAddress(web: $0) })
    var control: LinkAddress?

    @Option(
        help: ArgumentHelp(
            "Switch a fault on in all companion radios; 'meshbed comply --list-mutants' shows them.", valueName: "name"),
        transform: { try Emulate.mutant($0) })
    var mutant: Mutant?

    @Flag(help: "Let clients arm faults of their own link over Bluetooth, with a command that no radio has.")
    var jig = false

    @Option(help: "Seconds of the world per second of the clock, from 0.01 to 1000.")
    var speed = 1.0

    @Option(
        help: ArgumentHelp(
            "Arm the planned faults of this file on the links between nodes and their clients.", valueName: "file"))
    var linkFaults: String?

    @Option(help: ArgumentHelp("Record the companion radios with an endpoint into this new file.", valueName: "file"))
    var record: String?

    @OptionGroup var secrets: SecretOptions

    @Flag(
        name: .customLong("qr"),
        help: "Show the contact of each companion radio that a phone can reach as a QR code.")
    var showsCodes = false

    @Flag(help: "List worlds, profiles, versions and quirks, and end.")
    var list = false

    func validate() throws {
        guard (0.01...1000).contains(speed) else { throw ValidationError("--speed must be from 0.01 to 1000") }
        if state?.isEmpty == true { throw ValidationError("--state needs the path of a directory") }
        if record?.isEmpty == true { throw ValidationError("--record needs the path of a file") }
        if record == nil, secrets.keepSecrets || secrets.scrubNames {
            throw ValidationError("--keep-secrets and --scrub-names are about a recording: --record is missing")
        }
        if showsCodes, live.readyJson {
            throw ValidationError("--qr is for people: it does not go with --ready-json")
        }
        if resetState && state == nil { throw ValidationError("--reset-state needs --state") }
        if rig != nil {
            if state != nil {
                throw ValidationError("--state and --rig exclude each other: a rig discards the state of each radio")
            }
            if speed != 1 {
                throw ValidationError("--speed and --rig exclude each other: a rig holds the time of its radio")
            }
            if record != nil { throw ValidationError("--record needs a world: what a rig's radio does is in its log") }
            if chosenWorld != nil { throw ValidationError("--world and --rig exclude each other: a rig has one radio") }
            if control != nil { throw ValidationError("--control and --rig exclude each other: a rig has its own") }
            if jig { throw ValidationError("--jig and --rig exclude each other: a rig has no Bluetooth") }
            if linkFaults != nil {
                throw ValidationError("--link-faults and --rig exclude each other: a rig's client makes its own faults")
            }
            if let option = live.given ?? attached.given ?? (showsCodes ? "--qr" : nil) {
                throw ValidationError("\(option) and --rig exclude each other")
            }
        }
        if place != nil, namedWorld != nil { throw ValidationError("name one world, as an argument or with --world") }
        if let antenna = attached.antennas.first, live.time != .clock || speed != 1 {
            throw ValidationError("\(EmulatorError.heldAntenna(label: antenna.label))")
        }
        if live.time != .clock, speed != 1 {
            throw ValidationError("--speed is for --time clock: otherwise the world runs as fast as it can")
        }
        if live.time == .stepped, control == nil {
            throw ValidationError("stepped time passes only when a program asks for it: --control is missing")
        }
        if let platform = live.link.platform, let chosenProfile, chosenProfile.platform != platform {
            throw ValidationError(
                "--link \(live.link.rawValue) is for boards with that chip: '\(chosenProfile.name)' has none")
        }
        do { try WorldSource.check(world) } catch { throw ValidationError("\(error)") }
    }

    // MARK: Names

    static func board(_ name: String) throws -> BoardProfile {
        try named(name, "profile", BoardProfile.all, \.name)
    }

    static func quirk(_ name: String) throws -> Quirk {
        try named(name, "quirk", Quirk.allCases, \.rawValue)
    }

    static let versionNames = FirmwareVersion.all.map(\.name).joined(separator: ", ")

    /// A version by its name or its full number.
    static func version(_ name: String) throws -> FirmwareVersion {
        guard let version = FirmwareVersion(named: name) else {
            throw ValidationError("there is no firmware '\(name)'; there are \(versionNames)")
        }
        return version
    }

    static func mutant(_ name: String) throws -> Mutant {
        guard let mutant = Mutant.named(name) else {
            throw ValidationError("there is no mutant '\(name)'; 'meshbed comply --list-mutants' shows them")
        }
        return mutant
    }

    private static func named<T>(_ name: String, _ kind: String, _ all: [T], _ key: (T) -> String) throws -> T {
        guard let found = all.first(where: { key($0) == name }) else {
            throw ValidationError("there is no \(kind) '\(name)', there are \(all.map(key).joined(separator: ", "))")
        }
        return found
    }

    // MARK: Running

    func run() async throws {
        if list {
            Console.text(Self.listing)
            return
        }
        let interrupt = Interrupt()
        if let rig {
            try await run(rig, until: interrupt)
            return
        }
        try await runWorld(until: interrupt)
    }

    /// The board that was chosen, with what was added to it.
    var board: BoardProfile {
        var board = profile
        board.hasDisplay = display
        board.logsPackets = logPackets
        return board
    }

    var quirks: QuirkSet { withoutQuirks.reduce(.all) { $0.removing($1) } }

    static let defaultEndpoint = NodeEndpoint(
        label: "alice", endpoint: .tcp(host: LinkAddress.defaultHost, port: LinkAddress.defaultPort))

    static var listing: String {
        var lines = ["Worlds:"]
        for shape in TopologyName.Shape.allCases {
            let size = shape.exampleSize.isEmpty ? "" : ":" + shape.exampleSize
            lines.append("  \(shape.rawValue)\(size): \(shape.summary)")
        }
        lines.append("  FILE: a world file, or a file of adverts")
        lines.append("Profiles (--profile):")
        for board in BoardProfile.all {
            lines.append(
                "  \(board.name): \(board.model), \(board.maxContacts) contacts, \(board.maxChannels) channels, "
                    + "\(board.offlineQueueSize) stored messages")
        }
        lines.append("Versions of the firmware (--firmware), \(FirmwareVersion.standard) unless another one is chosen:")
        for version in FirmwareVersion.all {
            // What was only read in source text is named as such.
            let note = version.release <= FirmwareVersion.standard.release ? "" : ", from source text, not verified"
            lines.append("  \(version): \(version.text), protocol level \(version.switches.level)\(note)")
            lines += version.openQuestions.map { "    \($0)" }
        }
        lines.append("Quirks of firmware 1.17.1, all on unless switched off (--without-quirk):")
        lines += Quirk.allCases.map { "  \($0.rawValue): \($0.summary)" }
        return lines.joined(separator: "\n")
    }
}
