import ArgumentParser
import Foundation
import MeshFiles
import MeshTestSupport
import Testing

@testable import MeshTestbed
@testable import meshbed

/// Parts of campaigns: a number goes in, a file comes out.
@Suite struct UnitCommandTests {
    @Test(arguments: [(7, 3), (3, 7), (1000, 13), (Int.max, 1_000_000), (0, 4)])
    func `parts have everything once, in equal shares`(count: Int, parts: Int) throws {
        var end = 0
        for index in [1, 2, parts / 2, parts - 1, parts] where 1...parts ~= index {
            let unit = try UnitOptions.parse(["--index", "\(index)", "--of", "\(parts)", "--output", "x"])
            let part = unit.part(of: count)
            let before = try UnitOptions.parse(["--index", "\(max(1, index - 1))", "--of", "\(parts)", "--output", "x"])

            #expect(part.lowerBound == (index == 1 ? 0 : before.part(of: count).upperBound))
            #expect(part.count == count / parts || part.count == count / parts + 1)
            end = part.upperBound
        }
        #expect(end == count)
        #expect(try UnitOptions.parse([]).part(of: count) == 0..<count)
    }

    @Test func `a unit that has ended does nothing, and one that finds something exits 0 all the same`() throws {
        let folder = Scratch()
        let file = folder.file("2.json")
        func run() throws {
            var command = try Meshbed.parseAsRoot([
                "comply", "--mutants", "--index", "2", "--of", "400", "--output", file,
            ])
            try command.run()
        }

        try run()
        let report = try String(contentsOfFile: file, encoding: .utf8)
        #expect(report.contains(#""kind" : "mutant""#))
        // As any output: others may read it as far as the mask of the user lets them.
        try StandardOutput.text("x", to: folder.file("plain"))
        #expect(try Self.mode(file) == Self.mode(folder.file("plain")))
        try FileManager.default.removeItem(atPath: folder.file("plain"))
        try "done".write(toFile: file, atomically: true, encoding: .utf8)
        try run()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "done")
        #expect(try FileSystem.names(in: folder.path) == ["2.json"])
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a file that cannot be written is a trouble of the machine`() throws {
        let unit = try UnitOptions.parse(["--index", "1", "--of", "1", "--output", "/nowhere/at/all"])

        #expect(!unit.hasFile)
        #expect(throws: ExitCode(2)) { try unit.write("x", for: "meshbed study unit") }
    }
}
