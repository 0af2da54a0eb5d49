import Foundation
import MeshTestSupport
import Testing

/// The article of the numbered statements is printed from the suite.
@Suite struct StatementArticleTests {
    @Test func `the stored article is what the suite prints`() throws {
        let stored = StoredArticle(module: "MeshCompanion", name: "CompanionStatements")

        #expect(try stored.difference(from: StatementArticle.markdown()) == nil)
    }

    @Test func `every statement is a heading with a paragraph, in order`() {
        let paragraphs = StatementArticle.markdown().components(separatedBy: "\n\n")

        let headings = paragraphs.indices.filter { paragraphs[$0].hasPrefix("### ") }

        let numbers = (1...261).map { number in
            let digits = String(number)
            return "### CMP-" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        #expect(headings.map { paragraphs[$0] } == numbers)
        #expect(headings.allSatisfy { !paragraphs[$0 + 1].hasPrefix("#") })
    }

    @Test func `no line of prose is longer than an article's lines`() {
        let long = StatementArticle.markdown().split(separator: "\n").filter { $0.count > 125 }

        #expect(long.isEmpty)
    }
}
