import ArgumentParser
import Glibc
import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFiles
import MeshTestbed
import MeshTransports

/// `meshbed lab hold`: holds boards for a program that tests them, at TCP ports of this machine.
struct LabHold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Hold boards for tests in any language, and put them back between the tests.",
        discussion: """
            Locks the boards, remembers their settings, channels and contacts, and offers each at a TCP port of this \
            machine, whatever its link is. The pytest plugin uses it for --meshbed-radio.

            Prints one line of JSON: {"app": …, "radios": [{"label": …, "host": …, "port": …, "can": […]}]}. Then it \
            reads requests on standard input, one a line, and answers each with one line of JSON: {} when it is done, \
            {"error": "…"} when not.

              restore            put back what has changed on all boards; no client may be connected
              power LABEL VERB   switch the power: on, off or cycle; cycle waits until the board answers
              reset LABEL        restart the board by the line that its bench file names

            At the end of standard input everything is put back. When this command is killed, the next one that meets \
            a board puts it back.

            Examples:
              meshbed lab hold heltec
              meshbed lab hold heltec shelf --bench ~/lab/bench.json

            Exit status: 0 when everything was put back; 2 when a board is not there, is in use, or was not put back; 3 \
            when a board is not there and --allow-missing was given.
            """)

    @Argument(help: "Labels of the bench file, or places: \(LabgridPlace.form).")
    var labels: [String]

    @OptionGroup var bench: BenchOptions

    @Flag(help: "Exit with 3 in place of 2 when a board is not there.")
    var allowMissing = false

    func validate() throws {
        if Set(labels).count != labels.count { throw ValidationError("a label stands there twice") }
        for label in labels {
            guard BenchOptions.isBoard(label) else { throw ValidationError("'\(label)' is no label") }
            guard try bench.target(label).isReal else { throw ValidationError("'\(label)' is no real radio") }
        }
    }

    func run() async throws {
        // An interrupt for a group of processes is for the tests; they end this one by its input.
        signal(SIGINT, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        var held: [HeldBoard] = []
        do {
            for label in labels { held.append(try await HeldBoard(label, bench.target(label))) }
        } catch {
            for board in held { await board.end() }
            if allowMissing, HeldBoard.isMissing(error) {
                Console.note("meshbed lab hold: \(error)")
                throw ExitCode(3)
            }
            throw LabCommand.failed("hold", error)
        }
        for note in held.flatMap(\.notes) { Console.note("meshbed lab hold: \(note)") }
        Console.out(try ReadyLab(radios: held.map(\.row)).jsonText(inOneLine: true))
        while let line = readLine() { Console.out(answer(line, held)) }
        var left: [String] = []
        for board in held { left += await board.end() }
        guard left.isEmpty else { throw Console.failed("lab hold", left.joined(separator: "; ")) }
    }

    private func answer(_ line: String, _ held: [HeldBoard]) -> String {
        do {
            try perform(line.split(separator: " ").map(String.init), held)
            return "{}"
        } catch {
            return (try? ["error": "\(error)"].jsonText(inOneLine: true)) ?? "{\"error\": \"\"}"
        }
    }

    private func perform(_ words: [String], _ held: [HeldBoard]) throws {
        func board(_ label: String) throws -> HeldBoard {
            guard let board = held.first(where: { $0.label == label }) else {
                throw Bench.Problem.unknown(label, known: labels)
            }
            return board
        }
        switch words.first {
        case "restore" where words.count == 1: for board in held { try board.restore() }
        case "power" where words.count == 3:
            guard let verb = PowerCommands.Verb(rawValue: words[2]) else {
                throw ValidationError("\"\(words[2])\" is none of on, off, cycle")
            }
            try board(words[1]).power(verb)
        case "reset" where words.count == 2: try board(words[1]).reset()
        default: throw ValidationError("the requests are restore, power LABEL VERB and reset LABEL")
        }
    }
}

/// The line that says where the boards are.
private struct ReadyLab: Encodable {
    let app = MeshbedVersion.built.description
    let radios: [HeldBoardRow]
}

/// One board in that line.
struct HeldBoardRow: Encodable {
    let label: String
    /// The port at which a client reaches it.
    let host: String
    let port: Int
    let firmware: String?
    /// The needs of tests that it meets.
    let can: [String]
}

/// A board that is held: its lock, its state before, and its port.
final class HeldBoard {
    let label: String
    let row: HeldBoardRow
    private let claim: BoardClaim
    private let keeping: BoardGuard
    private let tap: Tap

    var notes: [String] { keeping.notes }

    /// Claims the board, remembers its state and opens its port.
    init(_ label: String, _ target: Target) async throws {
        self.label = label
        claim = try BoardClaim(target, for: "meshbed lab hold")
        guard let address = claim.target.addresses.first else {
            throw Bench.Problem.lacks(label, reason: "has no address")
        }
        keeping = try BoardGuard(claim)
        tap = try await Tap.open(at: .freePort, to: address) { _ in }
        guard case .tcp(let host, let port) = tap.door else {
            throw Bench.Problem.lacks(label, reason: "has no port")
        }
        row = HeldBoardRow(
            label: label, host: host, port: Int(port), firmware: claim.target.board?.firmware?.name,
            can: Self.needs(keeping, claim.target.board))
    }

    /// Tells whether a board was not there.
    static func isMissing(_ error: any Error) -> Bool {
        switch error {
        case Bench.Problem.missing: true
        case let problem as ComplianceRun.Problem: problem.isOfMissingRadio
        default: false
        }
    }

    /// The needs that tests can name, where the board meets them.
    private static func needs(_ keeping: BoardGuard, _ board: Board?) -> [String] {
        let abilities = keeping.abilities
        let all: [(word: String, isMet: Bool)] = [
            ("board", true), ("power", abilities.contains(.power)), ("restart", abilities.contains(.restart)),
            ("reset", board?.reset != nil && board?.allows(.restart) == true),
            ("erase", abilities.contains(.identity)), ("clock", abilities.contains(.clock)),
            ("transmit", keeping.mayTransmit),
        ]
        return all.filter(\.isMet).map(\.word)
    }

    func restore() throws { try keeping.restore() }

    func power(_ verb: PowerCommands.Verb) throws {
        guard let board = claim.target.board, board.allows(.power) else {
            throw Bench.Problem.lacks(label, reason: "does not allow it: \"allow\" has no \"power\"")
        }
        if verb == .cycle { try keeping.cyclePower() } else { try board.switchPower(verb) }
    }

    func reset() throws {
        guard let board = claim.target.board, board.allows(.restart), let line = board.reset,
            let address = claim.target.addresses.first
        else { throw Bench.Problem.lacks(label, reason: "has no \"reset\", or may not be restarted") }
        try line.pulse(address)
    }

    /// Closes the port, and puts everything back; what was not, a line each.
    @discardableResult
    func end() async -> [String] {
        await tap.stop()
        let left = keeping.end().map { "\(label): \($0)" }
        claim.release()
        return left
    }
}
