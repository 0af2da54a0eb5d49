import ArgumentParser
import MeshTestbed
import Testing

@testable import ScenarioTool
@testable import meshbed

/// The command of a package of scenarios, and ours.
@Suite struct PackageProgramTests {
    private enum Mine: ScenarioProgram {
        static let library = ScenarioLibrary([])
        static let bench = Bench { Radio("twin", .emulator) }
        static let program = ProgramName("my-stories")
    }

    private enum Unnamed: ScenarioProgram {
        static let library = ScenarioLibrary([])
    }

    @Test func `the help of a package names its own program`() {
        let help = ScenarioCommand<Mine>.helpMessage(columns: 80)
        let run = ScenarioCommand<Mine>.helpMessage(for: RunScenarios<Mine>.self, columns: 80)

        #expect(help.contains("USAGE: my-stories <subcommand>"))
        #expect(run.contains("USAGE: my-stories run "))
        #expect(!help.contains("meshbed") && !run.contains("meshbed"))
    }

    @Test func `the help of ours names meshbed`() {
        let run = Meshbed.helpMessage(for: RunScenarios<Shipped>.self, columns: 80)

        #expect(run.contains("USAGE: meshbed scenario run "))
        #expect(Shipped.program == .meshbed)
    }

    @Test func `a program that states no name has that of its file`() {
        #expect(Unnamed.program.isPackage)
        #expect(!Unnamed.program.name.isEmpty && !Unnamed.program.name.contains("/"))
    }

    @Test func `a scenario that nobody knows is refused in the name of the package`() async throws {
        var command = try #require(
            try ScenarioCommand<Mine>.parseAsRoot(["comply", "--target", "twin"]) as? ComplyOnBench<Mine>)
        command.only = ["nothing of the kind"]

        #expect(throws: ExitCode(2)) { try command.run() }
    }
}
