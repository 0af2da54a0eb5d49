import MeshCompanion
import MeshTestSupport
import Testing

/// The article about updates is printed from the tables and from nodes that were started.
@Suite struct UpdateEffectsArticleTests {
    @Test func `there are ten pairs of versions, the older one first`() {
        #expect(UpdateEffectsArticle.all.count == 10)
        #expect(UpdateEffectsArticle.all.allSatisfy { $0.old.release < $0.new.release })
    }

    @Test func `the article has a table for each pair as they behave now`() throws {
        let printed = try UpdateEffectsArticle.markdown()

        let difference = try StoredArticle(module: "MeshTestbed", name: "UpdateEffects").difference(from: printed)
        #expect(difference == nil)
        for pair in UpdateEffectsArticle.all {
            #expect(printed.contains("## From \(pair.old.name) to \(pair.new.name)\n"))
        }
    }
}
