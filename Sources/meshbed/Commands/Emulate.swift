import ArgumentParser
import MeshCompanion
import MeshCompliance
import MeshEmulator
import MeshFirmware
import MeshLinks
import MeshSimulator
import MeshTime

/// `meshbed emulate`: a world on the real clock, with endpoints for clients.
struct Emulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start emulated radios and let clients connect to them.",
        discussion: """
            An endpoint is a TCP port, a pseudo-terminal or a Bluetooth controller. A TCP port behaves like an ESP32 \
            board with Wi-Fi: it takes one client, and the newest wins. A pseudo-terminal behaves like a board on \
            USB, and appears as a link at the given path. Ports listen on this machine only, unless another address \
            is given. Port 0 takes any free port and prints it. The command runs until it is interrupted. A run with \
            a client follows the clock and cannot be repeated exactly.

            On a Bluetooth controller the node is a peripheral, as its board is (--profile). Phones pair with the PIN \
            123456 until an app sets another one, or with what the display shows (--display). The controller speaks \
            HCI on a TCP port (H4), as virtual ones do, or is an adapter of this machine. With mode=exact the node has \
            the adapter alone, which takes CAP_NET_ADMIN, and the adapter has to be off before. Bonds are kept with \
            --state.

            Without it the node is beside the desktop, and needs no rights. Each pairing has a PIN of its own, which \
            is printed as "alice: PIN 123456 for AA:BB:CC:DD:EE:FF". Bonds are bluetoothd's, and so are the address \
            and the times of connections. 'meshbed ble doctor' says what is missing.

            With modem: before a port or terminal the node is no companion radio but a bare modem. It speaks the \
            firmware's KISS modem protocol, and any program that drives such a modem is a node on this air.

            Examples:
              meshbed emulate
              meshbed emulate --world pair --endpoint alice=tcp://127.0.0.1:5000 \\
                --endpoint bob=pty:./bob.tty
              meshbed emulate --seed 7 --state ./radios --profile rak4631
              meshbed emulate --endpoint alice=ble:hci:tcp=127.0.0.1:6402
              meshbed emulate --endpoint alice=ble:hci0
              sudo meshbed emulate --endpoint 'alice=ble:hci1?mode=exact'
              meshbed emulate --endpoint alice=modem:pty:./alice.tty
              meshbed emulate --without-quirk zero-key-channels --speed 10
              meshbed emulate --rig tcp://127.0.0.1:5999 \\
                --endpoint alice=tcp://127.0.0.1:5000
              meshbed emulate --record session.capture
              meshbed emulate --list

            With --rig one radio runs alone, on held time. The client of the rig lets time pass, puts frames on the \
            air, cuts the power, makes the storage fail and starts over (meshbed comply --rig). The board has both \
            builds, TCP and terminal. The rig opens an endpoint that is not named as well.

            With --state every change is on disk before it is acknowledged. Only changed contacts follow later: after \
            five seconds, as in the firmware, or when the emulator ends. A killed emulator loses those.

            With --record the command writes recordings as 'meshbed record' does, of each companion radio and its \
            app. They also hold the packets that the radio sends and hears on the air. Times are those of the world. \
            Several endpoints get one file each, named after the node.

            Exit status: 0 after an interrupt or SIGTERM; 2 when it could not start or continue (a port in use, a \
            damaged state file, a controller that is gone, wrong arguments).
            """)

    @Option(
        name: .customLong("world"), help: "The world to start, pair unless told otherwise; --list shows them.",
        transform: Self.world)
    var chosenWorld: WorldDescription?

    var world: WorldDescription { chosenWorld ?? .pair }

    @Option(
        name: .customLong("endpoint"),
        help: ArgumentHelp(
            "Where clients of a node connect: alice=tcp://HOST:PORT, alice=pty:PATH, alice=modem:tcp://HOST:PORT, "
                + "alice=modem:pty:PATH, alice=ble:hci:tcp=HOST:PORT, alice=ble:hci0 or alice=ble:hci0?mode=exact; "
                + "can be repeated. Without any, alice=tcp://127.0.0.1:5000.",
            valueName: "node=endpoint"),
        transform: { try NodeEndpoint($0) })
    var endpoints: [NodeEndpoint] = []

    @Option(help: "The number that keys and all other randomness come from; a random one is printed when not given.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Keep the nodes' flash in this directory and start from it.", valueName: "directory"))
    var state: String?

    @Flag(help: "Move the state of all nodes of the world aside and start from factory settings.")
    var resetState = false

    @Option(help: "The board of all nodes; --list shows them.", transform: Self.board)
    var profile: BoardProfile = .heltecV3

    @Flag(help: "Give the boards a display: it shows the PIN, which is drawn at each start where none was set.")
    var display = false

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
            "Switch a fault on in all companion radios; 'meshbed comply --list-mutants' shows them.", valueName: "name"),
        transform: { try Emulate.mutant($0) })
    var mutant: Mutant?

    @Option(help: "Seconds of the world per second of the clock, from 0.01 to 1000.")
    var speed = 1.0

    @Option(help: ArgumentHelp("Record the companion radios with an endpoint into this new file.", valueName: "file"))
    var record: String?

    @OptionGroup var secrets: SecretOptions

    @Flag(help: "List worlds, profiles and quirks, and end.")
    var list = false

    func validate() throws {
        guard (0.01...1000).contains(speed) else { throw ValidationError("--speed must be from 0.01 to 1000") }
        if state?.isEmpty == true { throw ValidationError("--state needs the path of a directory") }
        if record?.isEmpty == true { throw ValidationError("--record needs the path of a file") }
        if record == nil, secrets.keepSecrets || secrets.scrubNames {
            throw ValidationError("--keep-secrets and --scrub-names are about a recording: --record is missing")
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
        }
    }

    // MARK: Names

    static func world(_ name: String) throws -> WorldDescription {
        try named(name, "world", WorldDescription.all, \.name)
    }

    static func board(_ name: String) throws -> BoardProfile {
        try named(name, "profile", BoardProfile.all, \.name)
    }

    static func quirk(_ name: String) throws -> Quirk {
        try named(name, "quirk", Quirk.allCases, \.rawValue)
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
        let emulator: Emulator
        let recordings: WorldRecordings?
        do {
            var configuration = try configuration()
            let begun = try record.map { try WorldRecordings($0, configuration, profile, secrets) }
            configuration.display = Console.out
            if let begun { configuration.record = { try begun.append($1, of: $0) } }
            do { emulator = try await Emulator.start(configuration) } catch {
                begun?.discard()
                throw error
            }
            recordings = begun
        } catch {
            throw Console.failed("emulate", error)
        }
        await describe(emulator)
        if let record, let recordings { Console.out("Recording into \(record), \(recordings.promise).") }
        await interrupt.orEnd(of: emulator)
        await emulator.stop()
        do throws(EmulatorError) {
            // Whether it ended by itself or by an interrupt: what was to be stored is stored, or this throws.
            try await emulator.waitUntilEnded()
        } catch {
            throw Console.failed("emulate", error)
        }
        Console.out("Stopped.")
        for summary in recordings?.summaries ?? [] { Console.out("Recorded \(summary).") }
    }

    private func configuration() throws(EmulatorError) -> Emulator.Configuration {
        var world = world
        for index in world.nodes.indices {
            world.nodes[index].board = board
            world.nodes[index].quirks = quirks
            world.nodes[index].hooks = mutant?.hooks
        }
        return Emulator.Configuration(
            world: world, seed: drawnSeed,
            endpoints: endpoints.isEmpty ? [Self.defaultEndpoint] : endpoints, pace: .clock(speed: speed),
            state: try openState(of: world), log: Console.note)
    }

    /// The board that was chosen, with what was added to it.
    var board: BoardProfile {
        var board = profile
        board.hasDisplay = display
        return board
    }

    var quirks: QuirkSet { withoutQuirks.reduce(.all) { $0.removing($1) } }

    private var drawnSeed: Seed { Seed(seed ?? UInt64.random(in: 0...UInt64(UInt32.max))) }

    static let defaultEndpoint = NodeEndpoint(
        label: "alice", endpoint: .tcp(host: LinkAddress.defaultHost, port: LinkAddress.defaultPort))

    private func openState(of world: WorldDescription) throws(EmulatorError) -> StateDirectory? {
        guard let state else { return nil }
        let directory = try StateDirectory(path: state)
        guard resetState else { return directory }
        for node in world.nodes {
            guard let place = try directory.setAside(node.label) else { continue }
            Console.out("\(node.label): the old files are now in \(place)")
        }
        return directory
    }

    // MARK: Printing

    private func describe(_ emulator: Emulator) async {
        let endpoints = emulator.endpoints
        let lines = try? await emulator.inspect { world in
            NodeLine.table(world.nodes.map { NodeLine($0, in: world, endpoints: endpoints) })
                + ["Seed \(world.seed.value)"]
        }
        Console.out("World \(world.name): \(world.summary)")
        for line in lines ?? [] { Console.out(line) }
        if let mutant { Console.out("Mutant \(mutant.name): \(mutant.summary)") }
        Console.out("Board \(profile.name) (\(profile.model)), firmware \(profile.firmwareVersion), speed \(speed)")
        Console.out("Paced by the clock: with a client connected this run is not reproducible.")
        Console.out("Running until interrupted (Ctrl-C).")
    }

    static var listing: String {
        var lines = ["Worlds:"]
        for world in WorldDescription.all {
            lines.append("  \(world.name): \(world.summary)")
        }
        lines.append("Profiles (--profile):")
        for board in BoardProfile.all {
            lines.append(
                "  \(board.name): \(board.model), \(board.maxContacts) contacts, \(board.maxChannels) channels, "
                    + "\(board.offlineQueueSize) stored messages")
        }
        lines.append("Quirks of firmware 1.17.1, all on unless switched off (--without-quirk):")
        lines += Quirk.allCases.map { "  \($0.rawValue): \($0.summary)" }
        return lines.joined(separator: "\n")
    }
}
