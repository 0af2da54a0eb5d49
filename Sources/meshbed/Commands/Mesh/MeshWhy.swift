import ArgumentParser
import MeshTestbed
import ScenarioTool

/// `meshbed mesh why`: the fate of one message.
struct MeshWhy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tell the fate of one message, hop by hop, and where it died for whoever did not get it.",
        discussion: """
            Messages are named by their number in the run, by '#' and the number of a frame, by the hash of their \
            packet or its first digits, or by words of their text.

            Examples:
              meshbed mesh run grid:5x5 --trace grid.ndjson
              meshbed mesh why grid.ndjson 1
              meshbed mesh why grid.ndjson 'flood 0003'
              meshbed mesh why grid.ndjson '#17'

            Exit status: 0 when everybody got it, 1 when somebody did not, 2 when there is no such message or the \
            trace cannot be read.
            """)

    @Argument(help: ArgumentHelp("A file written with 'mesh run --trace'.", valueName: "trace"))
    var trace: String

    @Argument(help: ArgumentHelp("A number, '#' and a frame, a packet hash, or words.", valueName: "message"))
    var message: String

    func run() throws {
        let fate: MessageFate
        do {
            fate = try MessageFate(message, in: try TraceFile(WorldSource.bytes(of: trace, longest: TraceFile.longest)))
        } catch var problem as FileProblem {
            problem.file = trace
            throw refusal(problem)
        } catch let problem as FateProblem {
            throw refusal(problem)
        } catch let problem as WorldSourceProblem {
            throw refusal(problem)
        }
        StandardOutput.text(fate.text)
        if !fate.missing.isEmpty { throw ExitCode(1) }
    }
}
