import ArgumentParser
import Foundation
import MeshLab
import MeshTime
import ScenarioTool

/// `meshbed bench room`.
struct BenchRoom: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Load a room server with members on lossy links, once for each seed.",
        discussion: """
            All members log in, post in turn, and receive the posts of the others. A run ends when everybody has \
            every post, or after six simulated hours. Missing posts are counted by reason: neverJoined, leftAlone, \
            timeOver, lost. 'leftAlone' means three pushes without acknowledgement and no word since. 'repeated' \
            counts posts that came again because their acknowledgement was lost.

            Exit status: 0 when no post was lost and the room's counts were true, 1 otherwise, 2 when the arguments \
            were not understood.
            """)

    @Option(help: "How many seeds, from 1 on.")
    var seeds: UInt64 = 10

    @Option(help: "Members, 1 to 20.")
    var members = 20

    @Option(help: "Posts of all members together, 1 to 32.")
    var posts = 32

    @Option(help: "Frames lost between room and members in percent, 0 to 90.")
    var loss: UInt16 = 30

    @Flag(help: "Print one JSON object a line.")
    var json = false

    mutating func validate() throws {
        guard (1...20).contains(members) else { throw ValidationError("a room has 1 to 20 members") }
        guard (1...32).contains(posts) else { throw ValidationError("a room keeps 1 to 32 posts") }
        guard loss <= 90 else { throw ValidationError("a link loses at most 90 %") }
        guard seeds > 0 else { throw ValidationError("at least one seed is needed") }
    }

    mutating func run() throws {
        var load = RoomLoad()
        load.members = members
        load.posts = posts
        load.lossPerTenThousand = loss * 100
        var complete = 0
        var unsound: [UInt64] = []
        if !json { Console.out("seed  complete  joined  posts  pushes  fetched  repeated  simulated s  missing") }
        let bar = ProgressLine("bench room", of: Int(clamping: seeds), "seeds")
        for number in 1...seeds {
            bar.show(Int(clamping: number - 1))
            let outcome = load.run(seed: Seed(number))
            if outcome.isComplete { complete += 1 }
            if !outcome.isSound { unsound.append(number) }
            bar.clear()
            Console.out(json ? try Bench.line(outcome) : Self.line(outcome))
            fflush(nil)
        }
        if !json { Console.out("\(complete) of \(seeds) complete, \(unsound.count) with lost or miscounted posts") }
        if !unsound.isEmpty { throw ExitCode(1) }
    }

    private static func line(_ outcome: RoomLoad.Outcome) -> String {
        let missing = outcome.missing.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let reasons = (missing + (outcome.miscounts > 0 ? ["\(outcome.miscounts) miscounts"] : [])).joined(
            separator: ", ")
        let numbers = [outcome.joined, outcome.stored, outcome.pushes, outcome.fetched, outcome.repeated]
        let columns = zip(numbers, [6, 5, 6, 7, 8]).map { pad("\($0)", $1) }
        return
            ([pad("\(outcome.seed)", 4), pad(outcome.isComplete ? "yes" : "no", 8)] + columns + [
                pad("\(outcome.simulatedSeconds)", 11)
            ]).joined(separator: "  ") + "  "
            + (reasons.isEmpty ? "none" : reasons)
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
