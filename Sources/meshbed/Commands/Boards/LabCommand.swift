import ArgumentParser
import MeshBoards
import MeshCompliance
import MeshTestbed
import MeshTransports

/// `meshbed lab`: the boards of a bench file, and what can be done to them.
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "The boards of a bench file: list them, switch their power, restart them, hold them for tests.",
        discussion: """
            A bench file (bench.json) names the boards of a lab: label, address, USB serial number, firmware, who is in \
            range, and what may be done to each. Its labels stand wherever a command takes --target. The article "A lab \
            of boards" describes the file.

            A board is locked while a command uses it. Another command says in one sentence who has it. The locks are \
            files in /run/lock/meshbed, or in the folder that MESHBED_LOCKS names.

            Examples:
              meshbed lab list
              meshbed lab power heltec cycle
              meshbed lab reset heltec --bench ~/lab/bench.json
              meshbed lab restore heltec

            Exit status: 0 when it was done, 2 when not: the board is not there, is in use, or its file does not allow it.
            """,
        subcommands: [LabList.self, LabPower.self, LabReset.self, LabRestore.self, LabHold.self])

    /// Prints why a command of the lab cannot continue; exit status 2.
    static func failed(_ name: String, _ error: any Error) -> any Error {
        if error is ExitCode || error is ValidationError { return error }
        return Console.failed("lab \(name)", error)
    }
}

/// One board of the bench file, as an argument.
struct BoardArgument: ParsableArguments {
    @Argument(help: "A label of the bench file, or \(LabgridPlace.form).")
    var label: String

    @OptionGroup var bench: BenchOptions

    func validate() throws {
        guard BenchOptions.isBoard(label) else {
            throw ValidationError("'\(label)' is no label; what may be done to an address stands in no file")
        }
        _ = try board
    }

    /// The facts of the file about it.
    var board: Board {
        get throws {
            guard let board = try bench.target(label).board else {
                throw ValidationError("'\(label)' is no real radio")
            }
            return board
        }
    }

    /// Throws unless the owner of the board allows an action.
    func require(_ permission: BoardPermission) throws {
        guard try board.allows(permission) else {
            throw Bench.Problem.lacks(label, reason: "does not allow it: \"allow\" has no \"\(permission.rawValue)\"")
        }
    }

    func claim(for verb: String) throws -> BoardClaim { try bench.claim(label, for: "meshbed lab \(verb)") }
}

/// `meshbed lab power`: runs the user's command for a verb.
struct LabPower: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Switch the power of a board by the commands of its bench file.",
        discussion: """
            The command is that of "power" in the bench file, a program with its arguments. No shell reads it, and it is \
            ended when it takes longer than "seconds". "allow" must have "power".

            Examples:
              meshbed lab power heltec off
              meshbed lab power heltec cycle

            Exit status: 0 when the command ended with 0, 2 when not.
            """)

    @OptionGroup var argument: BoardArgument

    @Argument(help: "on, off, or cycle.")
    var verb: PowerCommands.Verb

    func run() throws {
        do {
            try argument.require(.power)
            let claim = try argument.claim(for: "power")
            defer { claim.release() }
            try argument.board.switchPower(verb)
        } catch {
            throw LabCommand.failed("power", error)
        }
        Console.out("\(argument.label): \(verb.rawValue)")
    }
}

extension PowerCommands.Verb: ExpressibleByArgument {}

/// `meshbed lab reset`: restarts a board by a line of its serial port.
struct LabReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Restart a board by DTR or RTS of its serial port.",
        discussion: """
            The line is that of "reset" in the bench file. It is switched on for a tenth of a second, here or through a \
            server of RFC 2217. "allow" must have "restart".

            Examples:
              meshbed lab reset heltec

            Exit status: 0 when the line was switched, 2 when not.
            """)

    @OptionGroup var argument: BoardArgument

    func run() throws {
        do {
            try argument.require(.restart)
            guard let line = try argument.board.reset else {
                throw Bench.Problem.lacks(argument.label, reason: "has no \"reset\" in its bench file")
            }
            let claim = try argument.claim(for: "reset")
            defer { claim.release() }
            guard let address = claim.target.addresses.first else { return }
            try line.pulse(address)
        } catch {
            throw LabCommand.failed("reset", error)
        }
        Console.out("\(argument.label): restarted")
    }
}

/// `meshbed lab restore`: puts back what a run that was cut off has left.
struct LabRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put back what a run that was cut off has left changed on a board.",
        discussion: """
            Suites and scenarios keep the state of a radio in a file until they have put it back. The next run that meets \
            the radio does what is left; this command does that alone. Files: $XDG_STATE_HOME/meshbed/boards, else \
            ~/.local/state/meshbed/boards.

            Examples:
              meshbed lab restore heltec
              meshbed lab restore serial:/dev/ttyUSB0

            Exit status: 0 when nothing is left, 2 when something is, or the radio is out of reach.
            """)

    @Argument(help: "The radio: a label of the bench file, or an address.")
    var radio: String

    @OptionGroup var bench: BenchOptions

    func run() throws {
        let notes: [String]
        do {
            let target = try bench.target(radio)
            guard target.isReal else { throw ValidationError("'\(radio)' is emulated, and starts anew each time") }
            notes = try ComplianceRun(target: target).putBack()
        } catch {
            throw LabCommand.failed("restore", error)
        }
        Console.text((notes.isEmpty ? ["Nothing was left on \(radio)"] : notes).joined(separator: "\n"))
    }
}
