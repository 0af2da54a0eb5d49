import ArgumentParser
import Foundation
import MeshTestSupport
import MeshTestbed
import Testing

@testable import MeshTestbed
@testable import meshbed

/// The command of a package of scenarios, and ours.
@Suite struct PackageProgramTests {
    private enum Mine: ScenarioProgram {
        static let library = ScenarioLibrary([])
        static let bench = Bench { Radio("twin", .emulator) }
        static let studies = [
            Study("quick", "Is a pair a pair?", world: "village", for: "20s", seeds: 2, metrics: [odd.within(0.1)]) {
                Study.Arm("one")
                Study.Arm("two")
            }
        ]
        static let program = ProgramName("my-stories")
        private static let odd = StudyMetric("odd", "a number", most: 2.5) { _ in 1 }
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

    @Test func `a study of a package is run by its name, in parts and as a whole`() throws {
        let folder = Scratch()
        func run(_ words: String...) throws {
            var command = try ScenarioCommand<Mine>.parseAsRoot(["study"] + words)
            try command.run()
        }
        for unit in ["1", "2"] {
            try run("unit", "quick", "--index", unit, "--of", "2", "--output", folder.file(unit))
        }
        try run("merge", folder.file("2"), folder.file("1"), "--output", folder.file("merged"))
        try run("run", "quick", "--all-seeds", "--rows", folder.file("whole"), "--article", folder.file("article"))

        let merged = try String(contentsOfFile: folder.file("merged"), encoding: .utf8)
        #expect(try merged == String(contentsOfFile: folder.file("whole"), encoding: .utf8))
        #expect(merged.contains("seed,one:odd,two:odd,control:odd\n1,1.0,1.0,1.0\n2,1.0,1.0,1.0\n"))
        #expect(
            try String(contentsOfFile: folder.file("article"), encoding: .utf8).contains("my-stories study run quick"))
        #expect(throws: ExitCode(2)) { try run("run", "slow") }
    }

    private enum Twice: ScenarioProgram {
        static let library = ScenarioLibrary([])
        static let studies = [Mine.studies[0], Mine.studies[0]]
        static let program = ProgramName("my-stories")
    }

    @Test func `two studies of one name are refused`() throws {
        var command = try ScenarioCommand<Twice>.parseAsRoot(["study", "run", "quick"])

        #expect(throws: ExitCode(2)) { try command.run() }
    }

    @Test(arguments: [(0.5, "0.5"), (60, "60"), (1e30, "1e+30"), (.infinity, "inf")])
    func `a greatest value is shown whatever it is`(_ most: Double, _ text: String) {
        #expect(ListStudyMetrics<Mine>.shown(most) == text)
    }

    @Test func `the help of a package knows its studies`() {
        let help = ScenarioCommand<Mine>.helpMessage(for: StudyCommand<Mine>.self, columns: 80)

        #expect(help.contains("my-stories study run quick --jobs 2"))
        #expect(!help.contains("meshbed"))
        #expect(!ScenarioCommand<Unnamed>.helpMessage(columns: 80).contains("study"))
    }

    @Test func `a file in Swift is no study, and the refusal says what is`() throws {
        let command = try #require(
            try Meshbed.parseAsRoot(["study", "run", "delays.swift"]) as? RunStudy<Shipped>)

        #expect(throws: ExitCode(2)) { try command.run() }
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
