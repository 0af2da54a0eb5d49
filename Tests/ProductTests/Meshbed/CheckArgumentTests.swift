import ArgumentParser
import Testing

@testable import MeshTestbed
@testable import meshbed

/// The arguments of `meshbed comply` and `meshbed scenario`.
@Suite struct CheckArgumentTests {
    @Test(arguments: [
        (["comply", "--explain", "34", "--json", "x"], "does not take a report"),
        (["comply", "--explain", "34", "--only", "35"], "does not take --only"),
        (["comply", "--list-mutants", "--only", "35"], "does not take --only"),
        (["comply", "--mutants", "--matrix"], "does not take --matrix"),
        (["comply", "--mutants", "--destructive"], "does not take --destructive"),
        (["comply", "--target", "emulator", "--only", ","], "--only needs a pattern"),
        (["comply", "--mutants", "--leave-and-return"], "does not take --leave-and-return"),
        (["comply", "--target", "emulator", "--role", "room", "--leave-and-return"], "does not take --leave"),
        (["bench", "leave", "--every", "0"], "--every"),
        (["bench", "leave", "--contacts", "351"], "--contacts"),
        (["bench", "leave", "--channels", "0"], "--channels"),
        (["bench", "leave", "--messages=-1"], "--messages"),
        (["bench", "leave", "--over", "pigeon"], "'pigeon' is no link"),
        (["bench", "leave", "--only", ""], "--only needs a pair"),
        (["scenario", "soak", "--seeds", "1.."], "--seeds"),
        (["scenario", "soak", "--seeds", "1...3"], "--seeds"),
        (["scenario", "soak", "--seeds", "5..1"], "--seeds"),
        (["scenario", "soak", "--seeds", "..3"], "--seeds"),
        (["scenario", "soak", "--limit", "nan"], "--limit"),
        (["scenario", "soak", "--limit", "1e300"], "--limit"),
        (["scenario", "soak", "--effort=-1"], "--effort"),
        (["scenario", "soak", "--index", "1"], "go together"),
        (["scenario", "soak", "--index", "3", "--of", "2", "--output", "x"], "--index is 1 to --of"),
        (["scenario", "soak", "--index", "0", "--of", "2", "--output", "x"], "--index is 1 to --of"),
        (["comply", "--target", "emulator", "--index", "1", "--of", "2", "--output", "x"], "are for --mutants"),
        (["study", "unit", "x.json"], "a unit needs"),
        (["capture", "scrub", "a", "b", "--what", ""], "--what"),
    ])
    func `what would mean nothing is refused`(words: [String], reason: String) {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(words) }

        #expect(error.map { Meshbed.fullMessage(for: $0).contains(reason) } == true)
        #expect(error.map { Meshbed.status(of: $0).rawValue } == 2)
    }

    @Test func `--only adds up when it is repeated`() throws {
        let comply = try #require(
            try Meshbed.parseAsRoot(["comply", "--target", "emulator", "--only", "34", "--only", "35-37"]) as? Comply)

        #expect(comply.only == ["34", "35-37"])
    }

    @Test func `seeds are one, or a first and a last`() {
        #expect(SeedRange(argument: "7")?.range == 7...7)
        #expect(SeedRange(argument: "2..30")?.range == 2...30)
        #expect(SeedRange(argument: "18446744073709551615")?.range == .max ... .max)
        #expect(SeedRange(argument: "0..18446744073709551615") == nil)
    }

    @Test(arguments: [["--without", "n99"], ["--without", "w1", "#smoke"]])
    func `what is not there cannot be left out`(words: [String]) async throws {
        let name = words.count == 2 ? ["flood-fallback"] : []
        var command = try #require(
            try Meshbed.parseAsRoot(["scenario", "run"] + name + words) as? any AsyncParsableCommand)

        await #expect(throws: ExitCode(2)) { try await command.run() }
    }

    @Test func `a scenario that nobody knows ends with status 2`() async throws {
        for words in [["run", "nix"], ["soak", "nix"], ["list", "nix"], ["digest", "nix"]] {
            do {
                var command = try Meshbed.parseAsRoot(["scenario"] + words)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                Issue.record("\(words) was played")
            } catch {
                #expect(Meshbed.status(of: error).rawValue == 2)
                #expect(error.plainReason.contains("'nix'"))
            }
        }
    }
}
