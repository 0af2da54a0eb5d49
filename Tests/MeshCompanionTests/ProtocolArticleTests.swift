import Foundation
import MeshCompanion
import Testing

@Suite struct ProtocolArticleTests {
    /// Set `MESHBED_REWRITE_ARTICLES=1` to store the article anew instead of comparing it.
    @Test func `the stored article is what the table and the walks print`() throws {
        let article = ProtocolArticle.markdown()
        if ProcessInfo.processInfo.environment["MESHBED_REWRITE_ARTICLES"] == "1" {
            try article.write(to: Self.url, atomically: true, encoding: .utf8)
        }

        let stored = try String(contentsOf: Self.url, encoding: .utf8)

        let difference = zip(stored.split(separator: "\n"), article.split(separator: "\n")).first { $0 != $1 }
        #expect(stored == article, "first difference: \(String(describing: difference))")
    }

    @Test func `the article names every frame`() {
        let article = ProtocolArticle.markdown()

        let headings = article.split(separator: "\n").filter { $0.hasPrefix("### ") }

        #expect(headings.count == 58 + 29 + 17)
        #expect(article.contains("| 5 | 4 | `bw` | Hz | 7000…500000 |  |"))
        #expect(article.contains("| 11 | 1 | `repeat` (optional) |  |  | 9 |"))
    }

    static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/MeshCompanion/MeshCompanion.docc/Protocol.md")
}
