import ArgumentParser
import MeshWorlds

/// `meshbed mesh diff`: the first difference of two traces.
struct MeshDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show the first event in which two traces differ, with its time and its node.",
        discussion: """
            Two runs of the same world, seed, traffic and time must not differ. Where they do, what comes after the \
            first differing event is mostly its consequence.

            Example:
              meshbed mesh diff one.ndjson two.ndjson

            Exit status: 0 when the traces are equal, 1 when they differ, 2 when one cannot be read.
            """)

    @Argument(help: ArgumentHelp("A file written with 'mesh run --trace'.", valueName: "trace"))
    var first: String

    @Argument(help: ArgumentHelp("Another one.", valueName: "trace"))
    var second: String

    func run() throws {
        let difference: TraceDifference?
        do {
            difference = try TraceDifference.first(in: try read(first), try read(second))
        } catch let problem as TraceDifferenceProblem {
            var named = problem.problem
            named.file = problem.file == 1 ? first : second
            throw Console.failed("mesh diff", named)
        }
        guard let difference else { return Console.out("no difference") }
        let place = difference.time.map { "at \($0)" } ?? "in the head or the end"
        Console.out("first difference \(place)" + (difference.node.map { ", node \($0)" } ?? ""))
        Console.out("  \(first):\(difference.lines[0]): \(difference.first ?? "has ended")")
        Console.out("  \(second):\(difference.lines[1]): \(difference.second ?? "has ended")")
        throw ExitCode(1)
    }

    private func read(_ path: String) throws -> [UInt8] {
        do {
            return try WorldSource.bytes(of: path, longest: TraceFile.longest)
        } catch {
            throw Console.failed("mesh diff", error)
        }
    }
}
