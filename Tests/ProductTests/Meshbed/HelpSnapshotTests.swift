import ArgumentParser
import Foundation
import MeshTestSupport
import Testing

@testable import meshbed

/// The help of each command stands in a file, so that a change of it shows in review.
@Suite struct HelpSnapshotTests {
    private static let folder = "Tests/Help"

    /// A command, and what a user types to reach it.
    private struct Entry {
        let path: [String]
        let type: any ParsableCommand.Type

        var file: String { path.joined(separator: "-") + ".txt" }
        var help: String { Meshbed.helpMessage(for: type, columns: 100) + "\n" }
    }

    private static func entries(
        _ type: any ParsableCommand.Type = Meshbed.self, below path: [String] = []
    ) -> [Entry] {
        let entry = Entry(path: path + [type._commandName], type: type)
        return [entry] + type.configuration.subcommands.flatMap { entries($0, below: entry.path) }
    }

    @Test func `each command has its help stored as it prints it, and nothing else is stored`() throws {
        let entries = Self.entries()

        let differences = try entries.compactMap { entry in
            try StoredArticle(path: "\(Self.folder)/\(entry.file)").difference(from: entry.help)
                .map { "\(entry.file): \($0)" }
        }

        #expect(
            differences.isEmpty,
            "MESHBED_REWRITE_ARTICLES=1 stores them anew:\n\(differences.joined(separator: "\n"))")
        #expect(entries.count > 40)

        // After the comparison, which may have stored them.
        let stored = try FileManager.default.contentsOfDirectory(atPath: StoredArticle(path: Self.folder).url.path)

        #expect(Set(stored) == Set(entries.map(\.file)))
    }

    @Test func `a help that has changed is named with its line`() throws {
        let stored = StoredArticle(path: "\(Self.folder)/meshbed.txt")
        guard ProcessInfo.processInfo.environment["MESHBED_REWRITE_ARTICLES"] != "1" else { return }
        let text = try String(contentsOf: stored.url, encoding: .utf8)

        let difference = try stored.difference(from: text.replacing("radios", with: "gadgets"))

        #expect(difference?.contains("gadgets") == true)
    }

    // MARK: Glossary

    @Test func `the help of no command has a banned word`() throws {
        let glossary = try Glossary.stored()

        let found = Self.entries().flatMap { entry in
            glossary.bannedWords(in: entry.help).map { "\(entry.path.joined(separator: " ")): '\($0)'" }
        }

        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func `a banned word in a help is found`() throws {
        struct Planted: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Draw the luck of the air.")
        }

        #expect(try Glossary.stored().bannedWords(in: Planted.helpMessage(columns: 100)) == ["luck"])
    }
}
