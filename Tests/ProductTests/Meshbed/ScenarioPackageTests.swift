import ArgumentParser
import Foundation
import Testing

@testable import MeshTestbed
@testable import meshbed

/// The package that `meshbed new scenarios` makes; `ci/new-scenarios` builds and runs it.
@Suite struct ScenarioPackageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "new-\(UUID().uuidString)")

    @Test func `a package has its name, its module and where Meshbed is`() throws {
        let package = ScenarioPackage(name: "my-stories", source: .init("https://example.org/tools/meshbed.git"))

        let files = Dictionary(uniqueKeysWithValues: package.files.map { ($0.path, $0.text) })

        #expect(package.module == "MyStories")
        #expect(
            files.keys.sorted() == [
                ".gitignore", "Package.swift", "README.md", "Sources/MyStories/Desk.swift",
                "Sources/MyStories/Stories.swift", "Sources/MyStories/Studies.swift",
                "Sources/my-stories/Program.swift", "Tests/MyStoriesTests/StoryTests.swift",
            ])
        let manifest = try #require(files["Package.swift"])
        #expect(
            manifest.contains(#".package(url: "https://example.org/tools/meshbed.git", branch: "main", traits: [])"#))
        #expect(manifest.contains(#".product(name: "MeshTestbed", package: "meshbed")"#))
    }

    /// `#expect` of a verdict would print the whole result, and mark the test's line.
    @Test func `its tests tell a broken story in words, at the story's own line`() throws {
        let package = ScenarioPackage(name: "my-stories", source: .init("https://example.org/tools/meshbed.git"))

        let tests = try #require(package.files.first { $0.path.hasSuffix("StoryTests.swift") }).text

        #expect(tests.contains("Issue.record(Comment(rawValue: result.text()), sourceLocation: result.place.location)"))
        #expect(tests.contains(#"run.program = ProgramName("swift run my-stories")"#))
        #expect(tests.contains("run.explainsFailures = true"))
        #expect(!tests.contains("verdict == .kept"))
    }

    /// A name that is a module's already would not build.
    @Test(arguments: [
        ("my-stories", "MyStories"), ("scenarios", "ScenariosStories"), ("Village", "VillageStories"),
        ("mesh-testbed", "MeshTestbedStories"), ("testing", "TestingStories"), ("town", "Town"),
    ])
    func `the module of the stories has a name of its own`(name: String, module: String) {
        #expect(ScenarioPackage(name: name, source: .init("https://example.org/meshbed.git")).module == module)
    }

    @Test func `a place without Meshbed is refused before anything is made`() throws {
        let command = try New.Scenarios.parse([folder.path, "--package", "/no/such/checkout"])

        #expect(throws: ExitCode(2)) { try command.run() }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(arguments: ["", "7up", "my stories", "täg", "a/b", "-x"])
    func `a name that no package can have is refused`(name: String) {
        #expect(!ScenarioPackage.isName(name))
    }

    @Test func `a folder that holds something is left alone`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("mine".utf8).write(to: folder.appending(path: "notes"))

        let command = try New.Scenarios.parse([folder.path, "--package", "."])

        #expect(throws: ExitCode(2)) { try command.run() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes"])
    }

    @Test func `a package is made with the versions of its source`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent()

        try New.Scenarios.parse([folder.path, "--package", root.path]).run()

        let pins = try Data(contentsOf: folder.appending(path: "Package.resolved"))
        #expect(pins == (try Data(contentsOf: root.appending(path: "Package.resolved"))))
        #expect(try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8).contains(root.path))
    }
}
