import MeshFirmware
import MeshTestSupport
import Testing

@Suite struct PreferencesArticleTests {
    @Test func `the stored article is what the table prints`() throws {
        let stored = StoredArticle(module: "MeshFirmware", name: "Preferences")
        #expect(try stored.difference(from: PreferencesArticle.markdown()) == nil)
    }

    @Test func `the article has a row for each setting and each fact`() {
        let rows = PreferencesArticle.settingRows + PreferencesArticle.factRows

        #expect(rows.count == ServerPreferences.rows.count)
        #expect(PreferencesArticle.settingRows.allSatisfy { $0.count == PreferencesArticle.settingHead.count })
        #expect(PreferencesArticle.factRows.allSatisfy { $0.count == PreferencesArticle.factHead.count })
        #expect(rows.contains { $0[0] == "`direct.txdelay`" && $0[5...7] == ["`0.3`", "`0.1999999`", "`0.1999999`"] })
    }
}
