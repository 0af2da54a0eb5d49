import ArgumentParser
import Foundation
import Testing

@testable import meshbed

/// `--summary`, `--badge`, `--annotations` and `--exit-policy` of the commands that judge something.
@Suite struct JobOptionsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "job-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func content(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private static func status(of words: [String]) -> Int32 {
        do {
            var command = try Meshbed.parseAsRoot(words)
            try command.run()
            return 0
        } catch {
            return Meshbed.status(of: error).rawValue
        }
    }

    @Test(arguments: [("fail", Int32(1)), ("flag", 0)])
    func `the policy decides what something broken does`(policy: String, status: Int32) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let words = [
            "comply", "--target", "emulator", "--only", "115", "--mutant", "path-reversed", "--exit-policy", policy,
            "--summary", path("summary.md"), "--badge", path("badge.json"), "--annotations", "--statements",
            "https://example.org/statements",
        ]

        #expect(Self.status(of: words) == status)

        #expect(
            try content("summary.md").contains(
                "\n#### [CMP-115](<https://example.org/statements#cmp-115>) "))
        #expect(try content("badge.json").contains(#""message" : "1 of 1 broken""#))
    }

    @Test func `a run that is not possible ends with 2 under each policy`() {
        defer { try? FileManager.default.removeItem(at: folder) }
        for policy in ["fail", "flag"] {
            // Port 1 is reserved and nobody listens there.
            let words = ["comply", "--target", "tcp://127.0.0.1:1", "--only", "34", "--exit-policy", policy]

            #expect(Self.status(of: words) == 2)
        }
    }

    @Test func `a summary stands behind what the file has, and a badge replaces it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["summary.md", "badge.json"] { try Data("first\n".utf8).write(to: folder.appending(path: name)) }
        let words = [
            "comply", "--target", "emulator", "--only", "34", "--summary", path("summary.md"), "--badge",
            path("badge.json"),
        ]

        #expect(Self.status(of: words) == 0)
        #expect(Self.status(of: words) == 0)

        let summary = try content("summary.md")
        #expect(summary.hasPrefix("first\n## ✓ Compliance: all kept\n"))
        #expect(summary.matches(of: /## ✓ Compliance: all kept\n/).count == 2)
        #expect(try content("badge.json").hasPrefix("{"))
    }

    @Test(arguments: [
        "comply --target emulator --summary a --badge a", "comply --target emulator --summary=",
        "comply --target emulator --json - --badge -", "comply --target emulator --exit-policy never",
        "comply --target emulator --statements statements.md", "comply --explain 34 --exit-policy flag",
        "scenario soak --json-lines --annotations", "study run a.json --json --summary -",
        "study run a.json --html a --summary a",
    ])
    func `what does not go together is refused`(words: String) {
        #expect(throws: (any Error).self) {
            try Meshbed.parseAsRoot(words.split(separator: " ").map(String.init))
        }
    }

    @Test(arguments: [
        "comply --target emulator", "comply --mutants", "scenario run", "scenario soak", "replay a --into stack",
        "study run a.json", "study report a.json a.csv",
    ])
    func `each command that judges has them`(words: String) throws {
        #expect(throws: Never.self) {
            try Meshbed.parseAsRoot(
                words.split(separator: " ").map(String.init) + [
                    "--summary", "a", "--badge", "b", "--annotations", "--exit-policy", "flag",
                ])
        }
    }
}
