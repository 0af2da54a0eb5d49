import ArgumentParser
import MeshCompanion
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTransports
import Testing

@testable import meshbed

@Suite struct EmulateArgumentTests {
    @Test func `without arguments it is the world pair with alice on port 5000 of loopback`() throws {
        let command = try Emulate.parse([])

        #expect(command.world == "pair")
        #expect(command.endpoints.isEmpty)
        #expect(Emulate.defaultEndpoint.description == "alice=tcp://127.0.0.1:5000")
        #expect(command.profile.name == "heltec-v3")
        #expect(command.seed == nil)
        #expect(command.speed == 1)
    }

    @Test func `everything can be chosen`() throws {
        let command = try Emulate.parse([
            "--world", "solo", "--endpoint", "alice=pty:./a.tty", "--seed", "7", "--state", "dir", "--reset-state",
            "--profile", "small", "--without-quirk", "zero-key-channels", "--without-quirk", "float-conversions",
            "--speed", "2.5",
        ])

        #expect(command.world == "solo")
        #expect(command.endpoints == [NodeEndpoint(label: "alice", endpoint: .pty(path: "./a.tty"))])
        #expect(command.seed == 7)
        #expect(command.state == "dir")
        #expect(command.resetState)
        #expect(command.profile.name == "small")
        #expect(command.withoutQuirks == [.zeroKeyChannels, .floatConversions])
        #expect(command.speed == 2.5)
    }

    @Test(arguments: [
        (["--world", "moon"], "\"moon\" is no shape of a mesh; known are solo, desk, pair"),
        (["grid:10"], "\"grid:10\" needs a size: grid:COLUMNSxROWS"),
        (["pair", "--world", "solo"], "name one world"),
        (["--time", "soon"], "there is no time 'soon', there are clock, stepped and lockstep"),
        (["--time", "stepped"], "stepped time passes only when a program asks for it"),
        (["--time", "lockstep", "--speed", "2"], "--speed is for --time clock"),
        (["--quiet", "20ms"], "--quiet is for --time stepped and --time lockstep"),
        (["--clients", "0"], "--clients is for --time lockstep"),
        (["--control", "tcp://127.0.0.1:0"], "http://HOST:PORT"),
        (["--rig", "tcp://127.0.0.1:0", "--control", "http://127.0.0.1:0"], "--control and --rig exclude each other"),
        (["--time", "lockstep", "--clients=-1"], "--clients takes 0 or more"),
        (["--quiet", "soon", "--time", "lockstep"], "is not a time"),
        (["--faults", "10001"], "--faults takes 0 to 10000"),
        (["--traffic", "gossip"], "gossip"),
        (["--rig", "tcp://127.0.0.1:0", "--trace", "x"], "--trace and --rig exclude each other"),
        (["--rig", "tcp://127.0.0.1:0", "--link", "ble-nrf52"], "--link and --rig exclude each other"),
        (["--link", "ble"], "there is no link 'ble', there are direct, ble-esp32, ble-nrf52"),
        (["--link", "ble-nrf52", "--profile", "heltec-v3"], "--link ble-nrf52 is for boards with that chip"),
        (["--rig", "tcp://127.0.0.1:0", "--qr"], "--qr and --rig exclude each other"),
        (["--qr", "--ready-json"], "--qr is for people"),
        (["--trace", ""], "--trace needs the path of a file"),
        (["--profile", "toaster"], "there is no profile 'toaster'"),
        (["--without-quirk", "none"], "there is no quirk 'none'"),
        (["--endpoint", "alice=tcp://1"], "the port is missing"),
        (["--endpoint", "tcp://127.0.0.1:5000"], "expected NODE=ENDPOINT"),
        (["--endpoint", "alice=modem:ble:hci0?mode=exact"], "expected tcp://HOST:PORT or pty:PATH"),
        (["--speed", "0"], "--speed must be from 0.01 to 1000"),
        (["--speed", "nan"], "--speed must be from 0.01 to 1000"),
        (["--seed=-1"], "invalid"),
        (["--reset-state"], "--reset-state needs --state"),
        (["--state", ""], "--state needs the path of a directory"),
        (["--rig", "127.0.0.1:5999"], "expected tcp://HOST:PORT or pty:PATH"),
        (["--rig", "tcp://127.0.0.1:0", "--state", "dir"], "--state and --rig exclude each other"),
        (["--rig", "tcp://127.0.0.1:0", "--speed", "2"], "--speed and --rig exclude each other"),
        (["--rig", "tcp://127.0.0.1:0", "--world", "pair"], "--world and --rig exclude each other"),
    ])
    func `what makes no sense is refused with a reason`(arguments: [String], reason: String) {
        let error = #expect(throws: (any Error).self) { try Emulate.parse(arguments) }

        let message = error.map { Emulate.fullMessage(for: $0) } ?? ""
        #expect(message.contains(reason), "\(message)")
        #expect(error.map { Meshbed.status(of: $0).rawValue } == 2)
    }

    @Test func `the list names every world, profile and quirk`() {
        let listing = Emulate.listing

        for shape in TopologyName.Shape.allCases { #expect(listing.contains("  \(shape.rawValue)")) }
        for board in BoardProfile.all { #expect(listing.contains("\(board.name): ")) }
        for quirk in Quirk.allCases { #expect(listing.contains("  \(quirk.rawValue)")) }
    }

    @Test func `a selection that names nothing is not taken for everything`() {
        let error = #expect(throws: (any Error).self) { try Comply.parse(["--target", "emulator", "--only", ","]) }

        #expect(error.map { Comply.fullMessage(for: $0) }?.contains("--only needs a pattern") == true)
    }

    @Test func `a rig goes with a radio at a socket or a line`() throws {
        for target in ["tcp://127.0.0.1:5000", "serial:./alice.tty"] {
            let command = try Comply.parse(["--target", target, "--rig", "tcp://[::1]:5999"])
            #expect(command.rig != nil)
        }
        for target in ["emulator", "emulator+tcp", "emulator+pty"] {
            let error = #expect(throws: (any Error).self) {
                try Comply.parse(["--target", target, "--rig", "tcp://127.0.0.1:5999"])
            }
            #expect(error.map { Comply.fullMessage(for: $0) }?.contains("--rig needs a target") == true)
        }
        for rig in ["tcp://127.0.0.1", "serial:x", "5999", "tcp://127.0.0.1:0"] {
            #expect(throws: (any Error).self) { try Comply.parse(["--target", "tcp://127.0.0.1", "--rig", rig]) }
        }
    }

    @Test func `a report that cannot be written is noticed before the run`() throws {
        let command = try Comply.parse(["--target", "tcp://127.0.0.1:1", "--junit", "/nowhere/report.xml"])

        let error = #expect(throws: ExitCode.self) { try command.run() }

        #expect(error?.rawValue == 2)
    }

    @Test func `every help shows examples and the exit status`() {
        let helps = [
            Meshbed.helpMessage(), Meshbed.helpMessage(for: Emulate.self), Meshbed.helpMessage(for: Decode.self),
            Meshbed.helpMessage(for: Decode.Frame.self), Meshbed.helpMessage(for: Decode.Packet.self),
            Meshbed.helpMessage(for: Comply.self),
        ]

        for help in helps {
            #expect(help.contains("Examples:"))
            #expect(help.contains("Exit status:"))
        }
    }
}
