import MeshCompanion
import MeshTestSupport
import Testing

@Suite struct ProtocolArticleTests {
    @Test func `the stored article is what the table and the walks print`() throws {
        let stored = StoredArticle(module: "MeshCompanion", name: "Protocol")
        #expect(try stored.difference(from: ProtocolArticle.markdown()) == nil)
    }

    @Test func `the article names every frame`() {
        let article = ProtocolArticle.markdown()

        let headings = article.split(separator: "\n").filter { $0.hasPrefix("### ") }

        #expect(headings.count == 59 + 30 + 17)
        #expect(article.contains("| 5 | 4 | `bw` | Hz | 7000…500000 |  |"))
        #expect(article.contains("| 11 | 1 | `repeat` (optional) |  |  | 9 |"))
    }
}
