import ArgumentParser
import Foundation
import Testing

@testable import meshbed

/// `meshbed vectors`, and the folders that commands fill.
@Suite struct VectorsCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "vectors-\(UUID().uuidString)")

    @Test func `a new folder gets the files, and a second run refuses to write over them`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let command = try Vectors.parse(["-o", folder.path])

        try command.run()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)

        #expect(Set(names).isSuperset(of: ["README.md", "manifest.json", "keys.json", "paths.json"]))
        #expect(throws: ExitCode(2)) { try command.run() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == names.count)
    }

    @Test func `a file in place of the folder is left as it is`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("mine".utf8).write(to: folder)

        #expect(throws: ExitCode(2)) { try Vectors.parse(["-o", folder.path]).run() }
        #expect(try Data(contentsOf: folder) == Data("mine".utf8))
    }

    @Test func `files that were written before a failure are removed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = OutputFolder(folder.path, by: "vectors")

        #expect(throws: ExitCode(2)) { try output.write([("a", "1"), ("a/b", "2")]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
