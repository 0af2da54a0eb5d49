import Foundation
import MeshSimulator
import MeshTime
import Scenarios
import Testing

@testable import MeshCompliance
@testable import MeshScenarios
@testable import MeshWorlds

/// The front page: the run of its picture is made here, and its figures are those of the code.
@Suite struct FrontPictureTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let resources = root.appending(path: "Sources/MeshTestbed/MeshTestbed.docc/Resources")
    private static let seed = Seed(7)
    private static let span = TimeSpan.seconds(120)

    /// Returns the trace that `meshbed mesh run` writes with `--trace`.
    private func trace() throws -> TraceFile {
        let plan = try WorldSource(Self.resources.appending(path: "valley.json").path, seed: Self.seed).plan
        var writer = TraceWriter()
        writer.begin(plan.topology, seed: Self.seed, span: Self.span)
        var run = MeshRun(plan, seed: Self.seed, span: Self.span) { writer.add($0, $1, $2) }
        let summary = run.perform()
        writer.end(summary, at: .start + Self.span)
        return try TraceFile(writer.takeText())
    }

    /// With `MESHBED_REWRITE_ARTICLES=1` in the environment the picture is stored anew first.
    @Test func `the drawing of the articles is that of the run that the front page names`() throws {
        let trace = try trace()
        let fate = try MessageFate("Lunch", in: trace)
        #expect(fate.missing.isEmpty && (fate.paths.first?.hops.count ?? 0) > 3)
        #expect(fate.acknowledged != nil)

        let picture = MeshDrawing(trace.topology, way: fate).svg

        let url = Self.resources.appending(path: "mesh.svg")
        if ProcessInfo.processInfo.environment["MESHBED_REWRITE_ARTICLES"] == "1" {
            try picture.write(to: url, atomically: true, encoding: .utf8)
        }
        let stored = try String(contentsOf: url, encoding: .utf8)
        let lines = zip(stored.split(separator: "\n"), picture.split(separator: "\n")).first { $0 != $1 }
        #expect(stored == picture, "\(lines.map { "stored: \($0)\ndrawn: \($1)" } ?? "one is longer than the other")")
    }

    @Test func `the front page shows the studio, and the commands that make its page`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)

        let picture = try #require(
            lines.firstIndex { $0.contains("](Sources/MeshTestbed/MeshTestbed.docc/Resources/studio.webp)") })
        #expect(picture < 10, "the picture is not on the first screen")
        #expect(lines.count <= 151, "the front page has \(lines.count) lines")
        #expect(page.contains("Resources/valley.json"))
        let run = "--seed \(Self.seed.value) --for \(Self.span.milliseconds / 1000)s"
        #expect(page.contains("valley.json \(run) --export .build/valley.html"))
    }

    @Test(arguments: ["studio.webp", "studio-dark.webp"])
    func `the pictures of the studio are small, and made from the run that the page names`(name: String) throws {
        let picture = try Data(contentsOf: Self.resources.appending(path: name))
        let script = try String(contentsOf: Self.root.appending(path: "Tests/Pages/picture.py"), encoding: .utf8)

        #expect(picture.prefix(4) == Data("RIFF".utf8))
        #expect((20_000...250_000).contains(picture.count), "\(name) has \(picture.count) bytes")
        #expect(script.contains("\"--seed\", \"\(Self.seed.value)\", \"--for\", \"\(Self.span.milliseconds / 1000)s\""))
        #expect(script.contains("\"\(name)\""))
    }

    @Test func `the figures of the front page are those of the code`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let captures =
            FileManager.default.enumerator(atPath: Self.root.appending(path: "Captures").path)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".capture") } ?? []
        let figures = [
            "\(StatementVersions.counts(in: .standard).holding) numbered statements",
            "\(try MutantRun().mutants.count) faults",
            "\(ScenarioLibrary.shipped.scenarios.count) scenarios",
            "\(captures.count) recordings",
        ]

        let missing = figures.filter { !page.contains($0) }

        #expect(missing.isEmpty, "not on the front page: \(missing)")
    }
}
