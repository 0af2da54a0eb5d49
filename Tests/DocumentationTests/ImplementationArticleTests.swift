import Foundation
import MeshCompanion
import MeshTestSupport
import Testing

@testable import MeshCompliance

/// The article on implementations has the verdicts that `ci/matrix` has stored.
@Suite struct ImplementationArticleTests {
    private let stored: ImplementationArticle

    init() throws { stored = try ImplementationArticle() }

    @Test func `the article has the tables of what was stored`() throws {
        let article = StoredArticle(module: "MeshTestbed", name: "Implementations")
        var text = try String(contentsOf: article.url, encoding: .utf8)
        for (name, printed) in [("implementations", stored.table), ("departures", stored.departures)] {
            let begin = try #require(text.firstRange(of: "<!-- \(name): begin -->\n"))
            let end = try #require(text.firstRange(of: "<!-- \(name): end -->"))
            try #require(begin.upperBound <= end.lowerBound)
            text.replaceSubrange(begin.upperBound..<end.lowerBound, with: printed)
        }

        #expect(try article.difference(from: text) == nil)
    }

    @Test func `the emulator is there in each role and version, and departs nowhere`() {
        for role in ["companion", "repeater", "room", "sensor"] {
            let ours = stored.implementations.filter { $0.role == role && $0.name.hasPrefix("Meshbed emulator ") }
            #expect(ours.map(\.against) == FirmwareVersion.all.map(\.name))
            #expect(ours.allSatisfy { $0.departureCount == 0 && $0.counts["kept", default: 0] > 80 })
        }
    }

    @Test func `companions of others were asked all statements, and every departure is a statement of the suite`() {
        let others = stored.implementations.filter { !$0.name.hasPrefix("Meshbed emulator ") }
        let ids = Set(Check.all.map(\.id))

        #expect(others.count >= 4)
        for one in others {
            #expect(one.counts.values.reduce(0, +) == Check.all.count, "\(one.name)")
            #expect(one.departures.values.joined().filter { !ids.contains($0) } == [], "\(one.name)")
            #expect(one.counts["broken"] == one.departures["broken"]?.count, "\(one.name)")
        }
    }

    @Test func `the article has a reason for each statement that the newest openhop-core breaks`() throws {
        let article = StoredArticle(module: "MeshTestbed", name: "Implementations")
        let text = try String(contentsOf: article.url, encoding: .utf8)
        let reasons = try #require(text.components(separatedBy: "### Reasons\n").last)
        let newest = try #require(stored.implementations.first { $0.name.hasPrefix("openhop-core ") })

        let explained = Set(reasons.matches(of: /[A-Z]+-[0-9A-Za-z-]+/).map { String($0.output) })
        let missing = newest.departures["broken", default: []].filter { !explained.contains($0) }

        #expect(missing == [])
    }
}
