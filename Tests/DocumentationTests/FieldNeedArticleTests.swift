import MeshScenarios
import MeshTestSupport
import Scenarios
import Testing

/// The article of the needs of the field is printed from their stories.
@Suite struct FieldNeedArticleTests {
    @Test func `the stored article is what the stories print`() throws {
        let stored = StoredArticle(module: "MeshTestbed", name: "FieldNeeds")

        #expect(try stored.difference(from: FieldNeedArticle.markdown(FieldNeeds.all)) == nil)
    }
}
