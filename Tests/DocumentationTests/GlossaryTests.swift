import Foundation
import MeshTestSupport
import Testing

/// Users read the words of the glossary, in sentences that are not too long.
@Suite struct GlossaryTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Articles that are exempt: printed ones and books of statements follow the firmware's words, the changelog keeps
    /// what was released, and the glossary names the words.
    private static let exempt: Set<String> = [
        "CaptureFormats", "Changelog", "CompanionStatements", "FirmwareVersions", "Glossary", "InfrastructureNodes",
        "OverTheAir",
        "Preferences", "Protocol", "ServiceErrors", "ServiceStack", "StackDefects",
    ]

    private static let tutorials = ["TestingAnApp", "CheckingFirmware", "RunningANetwork"].map {
        "Sources/MeshTestbed/MeshTestbed.docc/\($0).md"
    }

    private static func prose(of path: String) throws -> Prose {
        Prose(markdown: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }

    /// README and all articles that are written by hand, by path.
    private static func pages() throws -> [String] {
        let sources = root.appending(path: "Sources")
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
        let articles = try modules.flatMap { module -> [String] in
            let catalog = "Sources/\(module)/\(module).docc"
            let folder = root.appending(path: catalog).path
            guard FileManager.default.fileExists(atPath: folder) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                .filter { $0.hasSuffix(".md") && !exempt.contains(String($0.dropLast(3))) }
                .map { "\(catalog)/\($0)" }
        }
        return ["README.md"] + articles
    }

    private static func findings(of glossary: Glossary, in prose: Prose) -> [String] {
        prose.passages.flatMap { passage in
            glossary.bannedWords(in: passage.text).map { "line \(passage.line): '\($0)' in: \(passage.text)" }
        }
    }

    @Test func `README and articles use no banned word`() throws {
        let glossary = try Glossary.stored()
        let pages = try Self.pages()

        let found = try pages.flatMap { page in
            try Self.findings(of: glossary, in: Self.prose(of: page)).map { "\(page): \($0)" }
        }

        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        #expect(pages.count > 30)
    }

    @Test func `the glossary bans the words that the project has given up`() throws {
        let banned = Set(try Glossary.stored().bannedWords)

        #expect(
            banned.isSuperset(of: [
                "luck", "surroundings", "doer", "checker", "trouble", "sight", "letter", "grounds", "turnstile",
            ]))
    }

    @Test func `the glossary's own terms are not banned`() throws {
        let glossary = try Glossary.stored()
        let article = StoredArticle(module: "MeshTestbed", name: "Glossary")
        let rows = try String(contentsOf: article.url, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("|") }.map { $0.split(separator: "|").map(String.init) }

        let contradictions = rows.filter { $0.count == 4 }
            .flatMap { row in glossary.bannedWords(in: row[0] + " " + Prose(markdown: row[2]).passages[0].text) }

        #expect(contradictions.isEmpty)
    }

    @Test func `each type of the glossary is declared`() throws {
        let article = StoredArticle(module: "MeshTestbed", name: "Glossary")
        let types = try String(contentsOf: article.url, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("|") }.flatMap { row in
                row.split(separator: "|")[1].matches(of: /`(?:\w+\.)*(\w+)`/).map { String($0.output.1) }
            }
        let declared = try Self.declaredTypes()

        #expect(types.filter { !declared.contains($0) }.isEmpty)
        #expect(types.count > 30)
    }

    private static func declaredTypes() throws -> Set<String> {
        let sources = root.appending(path: "Sources").path
        let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
        let pattern = /\b(?:struct|class|enum|actor|protocol|typealias) ([A-Z]\w*)/
        return try files.filter { $0.hasSuffix(".swift") }.reduce(into: []) { types, file in
            let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
            for line in text.split(separator: "\n") {
                if let match = line.firstMatch(of: pattern) { types.insert(String(match.output.1)) }
            }
        }
    }

    @Test(arguments: [
        "A planted sentence brings the best of luck.", "Two Doers meet.", "| cell | with grounds |",
        "- an item whose\n  checker is on two lines", "## Troubles", "The radio is held\nagainst the protocol.",
    ])
    func `a planted word is found`(page: String) throws {
        let found = Self.findings(of: try Glossary.stored(), in: Prose(markdown: page))

        #expect(found.count == 1)
    }

    @Test(arguments: [
        "`luck` is code.", "```swift\nlet luck = 1\n```", "A duck and a lucky one.",
        "See [the article](Checker/Luck.md).", "<!-- checker -->", "``Checker`` is a type.",
    ])
    func `code, addresses and other words are not found`(page: String) throws {
        #expect(Self.findings(of: try Glossary.stored(), in: Prose(markdown: page)).isEmpty)
    }

    // MARK: Sentences

    private static let longestSentence = 25

    @Test(arguments: ["README.md"] + tutorials)
    func `no sentence of README and tutorials is too long`(page: String) throws {
        let prose = try Self.prose(of: page)

        #expect(prose.sentences(longerThan: Self.longestSentence).isEmpty)
        #expect(prose.sentences(longerThan: 5).count > 20)
    }

    @Test func `a sentence of 26 words is too long, and one of 25 is not`() {
        let words = Array(repeating: "word", count: 24).joined(separator: " ")

        let short = Prose(markdown: "One. \(words) `and code`. Another!")
        let long = Prose(markdown: "One. \(words)\n`and code` end. Another!")

        #expect(short.sentences(longerThan: Self.longestSentence).isEmpty)
        #expect(long.sentences(longerThan: Self.longestSentence).count == 1)
        #expect(short.passages.flatMap(\.sentences).count == 3)
    }
}
