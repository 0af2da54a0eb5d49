import ArgumentParser
import Foundation
import MeshReports
import Testing

@testable import meshbed

/// `meshbed comply --matrix-of`, from files to files.
@Suite struct ComplyMatrixTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "matrix-\(UUID().uuidString)")

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func comply(_ words: [String]) throws {
        let command = try #require(try Meshbed.parseAsRoot(["comply"] + words) as? Comply)
        try command.run()
    }

    /// A report on an emulated radio, as the command writes it.
    private func write(_ name: String, _ words: String...) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try comply(["--target", "emulator", "--only", "34,50", "--json", path(name)] + words)
    }

    @Test func `reports of two radios and a node become one page, one JSON and badges`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("new.json")
        try write("old.json", "--firmware", "1.15", "--name", "an old one")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try comply([
            "--target", "emulator", "--role", "repeater", "--only", "INF-102", "--json", path("repeater.json"),
        ])

        try comply([
            "--matrix-of", path("new.json"), path("old.json"), path("repeater.json"), "--html", path("page.html"),
            "--json", path("matrix.json"), "--badges", path("badges"),
        ])
        let page = try String(contentsOfFile: path("page.html"), encoding: .utf8)
        let json = try String(contentsOfFile: path("matrix.json"), encoding: .utf8)
        let badges = try FileManager.default.contentsOfDirectory(atPath: path("badges")).sorted()

        for text in [page, json] {
            for name in ["Meshbed emulator 1.17.1", "an old one", "INF-102", "CMP-050"] { #expect(text.contains(name)) }
        }
        #expect(
            badges == [
                "companion-an-old-one.json", "companion-an-old-one.svg", "companion-meshbed-emulator-1.17.1.json",
                "companion-meshbed-emulator-1.17.1.svg", "repeater-meshbed-emulator-1.17.1.json",
                "repeater-meshbed-emulator-1.17.1.svg",
            ])
    }

    @Test func `a mistake in a file ends with status 2, and nothing is written`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("good.json")
        try Data("{}".utf8).write(to: folder.appending(path: "bad.json"))
        try Data(count: TestReport.longestFile + 1).write(to: folder.appending(path: "huge.json"))

        for other in ["bad.json", "huge.json", "good.json", "none.json"] {
            #expect(throws: ExitCode(2)) {
                try comply(["--matrix-of", path("good.json"), path(other), "--badges", path("badges")])
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path("badges")))
    }

    @Test(arguments: [
        (["--matrix-of", "a", "--target", "emulator"], "does not take --target"),
        (["--matrix-of", "a", "--junit", "x"], "does not take --junit"),
        (["--matrix-of", "a", "--exit-policy", "flag"], "does not take --exit-policy"),
        (["--matrix-of", "a", "--name", "x"], "does not take --name"),
        (["--target", "emulator", "--badges", "x"], "--badges is for --matrix-of"),
        (["--target", "emulator", "--name", ""], "--name needs 1 to 100 characters"),
        (["--explain", "34", "--matrix-of", "a"], "does not take --matrix-of"),
        (["--mutants", "--name", "x"], "does not take --name"),
        (["--matrix-of"] + [String](repeating: "a", count: 65), "at most 64 reports"),
    ])
    func `what would mean nothing is refused`(words: [String], reason: String) {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(["comply"] + words) }

        #expect(error.map { Meshbed.fullMessage(for: $0).contains(reason) } == true)
    }
}
