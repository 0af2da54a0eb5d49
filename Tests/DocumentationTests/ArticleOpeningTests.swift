import Foundation
import Testing

/// Articles begin with a noun or a verb; those of a page or more then state their readers, and what these can do
/// afterwards.
@Suite struct ArticleOpeningTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Lines from which on an article counts as a page.
    private static let pageLength = 40

    /// Articles that programs print, beside the changelog.
    private static let printed: Set<String> = [
        "BluetoothFaults", "Changelog", "CompanionStatements", "FieldNeeds", "MixedMeshes", "Plans", "Preferences",
        "Protocol", "ServiceErrors", "UserInterfaceFeatures",
    ]

    /// Articles about one study or one network are printed by the command.
    private static func isPrinted(_ name: String) -> Bool {
        printed.contains(name) || name.wholeMatch(of: /Study[A-Z]\w+|TwinOf(?!ANetwork)\w+/) != nil
    }

    /// The articles that are written by hand, each with its text.
    private static func articles() throws -> [(path: String, text: String)] {
        let sources = root.appending(path: "Sources").path
        let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
        return try files.sorted().compactMap { file in
            let url = URL(filePath: file)
            guard file.contains(".docc/"), url.pathExtension == "md" else { return nil }
            guard !isPrinted(url.deletingPathExtension().lastPathComponent) else { return nil }
            return (file, try String(contentsOfFile: sources + "/" + file, encoding: .utf8))
        }
    }

    private static func isLong(_ text: String) -> Bool {
        text.split(separator: "\n", omittingEmptySubsequences: false).count > pageLength
    }

    /// The first paragraph behind the title.
    private static func abstract(of markdown: String) -> Substring? {
        markdown.split(separator: "\n\n").first { !$0.hasPrefix("#") }
    }

    private static func isRelative(_ abstract: Substring) -> Bool {
        abstract.starts(with: /(?:What|Who|Whether|That|Whoever|Somebody|Nobody|Where|When|Why|Which|How)\b/)
    }

    /// Tells whether the first paragraph behind title and abstract names the readers, and what they can do afterwards.
    private static func hasOpening(_ markdown: String) -> Bool {
        let paragraphs = markdown.split(separator: "\n\n").filter { !$0.hasPrefix("#") }
        guard paragraphs.count > 1 else { return false }
        let opening = paragraphs[1].replacing("\n", with: " ")
        return opening.starts(with: /This (?:page|tutorial) is for[ ]/) && opening.contains(". After it ")
    }

    @Test func `each article of a page says for whom it is and what they can do after it`() throws {
        let articles = try Self.articles().filter { Self.isLong($0.text) }

        #expect(articles.filter { !Self.hasOpening($0.text) }.map(\.path) == [])
        #expect(articles.count > 50)
    }

    @Test func `each abstract begins with a noun or a verb`() throws {
        let articles = try Self.articles()

        #expect(articles.filter { Self.abstract(of: $0.text).map(Self.isRelative) ?? true }.map(\.path) == [])
        #expect(Self.isRelative("How to read it."))
        #expect(!Self.isRelative("Whole files."))
    }

    @Test(arguments: [
        ("# T\n\nIt is.\n\n## Overview\n\nThis page is for authors. After it you can\nwrite.\n\nMore.\n", true),
        ("# T\n\nIt is.\n\nThis tutorial is for authors. After it you can write.\n", true),
        ("# T\n\nIt is.\n\n## Overview\n\nThis page is for authors. It is long.\n", false),
        ("# T\n\nIt is.\n\n## Overview\n\nMore.\n\nThis page is for authors. After it you can write.\n", false),
        ("# T\n\nThis page is for authors. After it you can write.\n", false),
    ])
    func `an opening is the first paragraph behind the abstract`(markdown: String, hasOpening: Bool) {
        #expect(Self.hasOpening(markdown) == hasOpening)
    }
}
