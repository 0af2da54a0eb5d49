import ArgumentParser
import MeshFiles
import MeshWorlds

/// `meshbed bench worlds`.
struct BenchWorlds: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worlds",
        abstract: "Run many worlds in one process, and print the summary of each.",
        discussion: """
            Each line of the file holds the arguments of one 'meshbed mesh run'; empty lines are skipped. The command \
            prints a JSON object for each, in order. Equal output of two processes means equal runs.

            Examples:
              printf 'line:10 --for 60s --seed 1\\ngrid:3x3 --faults 5 --seed 2\\n' > worlds.txt
              meshbed bench worlds worlds.txt

            Exit status: 0 when no rule was broken; 1 when a world broke one; 2 when a line cannot be run.
            """)

    @Argument(help: ArgumentHelp("The worlds to run, one a line; - for standard input.", valueName: "file"))
    var file: String

    /// The largest file in bytes, with room for some hundred thousand worlds.
    private static let sizeLimit = 16 << 20

    /// The record that is printed for each world.
    private struct Row: Encodable {
        let run: String
        let summary: MeshSummary
    }

    func run() throws {
        var isSound = true
        for (number, words) in try lines() {
            let summary: MeshSummary
            do {
                summary = try MeshRunCommand.parse(words).summary()
            } catch let status as ExitCode {
                Console.note("\(file), line \(number): not run: \(words.joined(separator: " "))")
                throw status
            } catch {
                throw Console.failed("bench worlds", "\(file), line \(number): \(MeshRunCommand.message(for: error))")
            }
            isSound = isSound && summary.violations == 0
            Console.out(try BenchCommand.line(Row(run: words.joined(separator: " "), summary: summary)))
        }
        if !isSound { throw ExitCode(1) }
    }

    /// The words of each line that has some, with the number of the line.
    private func lines() throws -> [(number: Int, words: [String])] {
        let bytes: [UInt8]
        do {
            bytes = try FileSystem.readInput(file, atMost: Self.sizeLimit)
        } catch {
            throw Console.failed("bench worlds", "\(file): cannot be read: \(error.reason)")
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated().map { ($0.offset + 1, $0.element.split(separator: " ").map(String.init)) }
            .filter { !$0.1.isEmpty }
    }
}
