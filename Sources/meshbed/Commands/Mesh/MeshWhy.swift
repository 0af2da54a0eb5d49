import ArgumentParser
import MeshFiles
import MeshTestbed
import MeshWorlds

/// `meshbed mesh why`: the fate of one message.
struct MeshWhy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Follow one message hop by hop, and show where it was lost.",
        discussion: """
            First comes the verdict with its reasons, then the path that succeeded to each recipient, then every \
            transmission of the message. --json prints all of it for programs, with times in microseconds.

            A message has several names: its number in the run, '#' and the number of a frame, the hash of its packet \
            or its first digits, or words of its text.

            Examples:
              meshbed mesh run grid:5x5 --trace grid.ndjson
              meshbed mesh why grid.ndjson 1
              meshbed mesh why grid.ndjson 'flood 0003'
              meshbed mesh why grid.ndjson '#17' --json

            Exit status: 0 when every recipient got it, 1 when one did not, 2 when there is no such message or the \
            trace cannot be read.
            """)

    @Argument(help: ArgumentHelp("A file written with 'mesh run --trace'.", valueName: "trace"))
    var trace: String

    @Argument(help: ArgumentHelp("A number, '#' and a frame, a packet hash, or words.", valueName: "message"))
    var message: String

    @Flag(help: "Print the fate as JSON.")
    var json = false

    func run() throws {
        let fate = try fate(of: message, in: try readTrace(trace, by: "mesh why"), by: "mesh why")
        if json { StandardOutput.text(fate.json) } else { StandardOutput.verdicts(fate.text) }
        if !fate.missing.isEmpty { throw ExitCode(1) }
    }
}

extension ParsableCommand {
    /// Reads a trace file, and prints on standard error what is wrong with it or left out of it.
    func readTrace(_ path: String, by command: String) throws -> TraceFile {
        do {
            let trace = try TraceFile(WorldSource.bytes(of: path, longest: TraceFile.longest))
            if let note = trace.restoreNote { Console.note("\(path): \(note)") }
            return trace
        } catch var problem as FileProblem {
            problem.file = path
            throw Console.failed(command, problem)
        } catch let problem as WorldSourceProblem {
            throw Console.failed(command, problem)
        }
    }

    /// The message that a user names.
    func fate(of message: String, in trace: TraceFile, by command: String) throws -> MessageFate {
        do {
            return try MessageFate(message, in: trace)
        } catch {
            throw Console.failed(command, error)
        }
    }
}
