import Foundation
import MeshTestSupport
import Testing

@testable import MeshRoleCompliance

/// The article on roles names every statement on infrastructure nodes and on the air: shown, or why not.
@Suite struct RoleArticleTests {
    private let article = StoredArticle(module: "MeshTestbed", name: "RoleCompliance")

    private static func statements(_ prefix: String, _ name: String) throws -> Set<String> {
        let article = StoredArticle(module: "MeshFirmware", name: name)
        let text = try String(contentsOf: article.url, encoding: .utf8)
        return StatementBook([.init(prefix, path: name, text: text)]).statements
    }

    @Test func `the article has the tables of the suite`() throws {
        var text = try String(contentsOf: article.url, encoding: .utf8)
        let tables = [
            ("targets", RoleArticle.targets), ("shown", RoleArticle.shown), ("left", RoleArticle.left),
        ]
        for (name, printed) in tables {
            let begin = try #require(text.firstRange(of: "<!-- \(name): begin -->\n"))
            let end = try #require(text.firstRange(of: "<!-- \(name): end -->"))
            try #require(begin.upperBound <= end.lowerBound)
            text.replaceSubrange(begin.upperBound..<end.lowerBound, with: printed)
        }

        #expect(try article.difference(from: text) == nil)
    }

    @Test func `each statement is shown, or left with a reason, and not both`() throws {
        let all = try Self.statements("INF", "InfrastructureNodes").union(Self.statements("OTA", "OverTheAir"))
        let shown = Set(RoleStatement.all.map(\.id))
        let left = RoleArticle.reasons.flatMap(\.ids)

        #expect(shown.intersection(left).isEmpty)
        #expect(Set(left).count == left.count)
        #expect(all.subtracting(shown).symmetricDifference(left).sorted() == [])
        #expect(shown.subtracting(all).sorted() == [])
        #expect(shown.count { $0.hasPrefix("INF-") } >= 215)
        #expect(shown.count { $0.hasPrefix("OTA-") } >= 61)
    }
}
