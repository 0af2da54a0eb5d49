import Testing

@testable import PocketMeshUI

@Suite struct TextTests {
    @Test func `every key has a text, and every text a key`() {
        #expect(Set(Texts.english.keys) == Set(TextKey.allCases.map(\.rawValue)))
    }
}
