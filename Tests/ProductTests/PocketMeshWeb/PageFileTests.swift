import Foundation
import MeshHTTP
import Testing

@testable import PocketMeshWeb

/// The files of pages in the program are those of the sources.
@Suite struct PageFileTests {
    @Test func `every file of the folder Pages is served, and its pages name no other`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.deletingLastPathComponent().appending(path: "Sources/PocketMeshWeb/Pages")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.contains(".") }.sorted()

        #expect(Set(PageFile.all.map(\.path)) == Set(names))
        for file in PageFile.all {
            #expect(try Data(contentsOf: folder.appending(path: file.path)) == Data(file.bytes))
        }
    }
}
