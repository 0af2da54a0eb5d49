import MeshCompanion
import MeshTestSupport
import Testing

@testable import MeshReleases

/// The article about updates is printed from the tables and from nodes that were started.
@Suite struct UpdateEffectsArticleTests {
    @Test func `there are ten pairs of versions, the older one first`() {
        #expect(ReleasePairs.all.count == 10)
        #expect(ReleasePairs.all.allSatisfy { $0.old.release < $0.new.release })
    }

    @Test func `the article has a table for each pair as they behave now`() throws {
        let printed = try ReleasePairs.markdown()

        #expect(try StoredArticle(module: "MeshTestbed", name: "UpdateEffects").difference(from: printed) == nil)
        for pair in ReleasePairs.all {
            #expect(printed.contains("## From \(pair.old.name) to \(pair.new.name)\n"))
        }
    }
}
