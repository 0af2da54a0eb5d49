import Foundation
import MeshFirmware
import MeshTestSupport
import Testing

/// The articles about a new command and a new role name the files that one touches, all of them and no others.
@Suite struct CostOfChangeTests {
    /// Code outside of tests, by path below `Sources` or from the root.
    private static func code() throws -> [(path: String, text: String)] {
        try ["Sources/", "Scenarios/"].flatMap { folder in
            let root = StoredArticle(path: folder).url.path
            let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            return try files.filter { $0.hasSuffix(".swift") }.map { file in
                (file, try String(contentsOfFile: root + "/" + file, encoding: .utf8))
            }
        }
    }

    /// The files in the last columns of an article's tables, a list for each table.
    private func tables(in module: String, _ name: String) throws -> [[String]] {
        let text = try String(contentsOf: StoredArticle(module: module, name: name).url, encoding: .utf8)
        let sections = text.components(separatedBy: "|---|---|\n").dropFirst()
        return sections.map { section in
            section.components(separatedBy: "\n\n")[0].matches(of: /`([^`]+\.swift)`/).map { String($0.output.1) }
        }
    }

    @Test func `the article names each file that names SET_TUNING_PARAMS`() throws {
        let tables = try tables(in: "MeshCompanion", "AddingACommand")

        let named = try Self.code().filter { $0.text.firstMatch(of: /(?i)set_?tuning_?params/) != nil }

        #expect(tables.map(\.count) == [5, 11])
        #expect(tables.flatMap { $0 }.sorted() == named.map(\.path).sorted())
    }

    @Test func `the article names each file that asks for a new role`() throws {
        let places = try #require(try tables(in: "MeshFirmware", "AddingARole").first)
        let code = try Self.code()

        let texts = places.map { place in code.first { $0.path == place }?.text ?? "" }
        let switching = code.filter { $0.text.contains("case .roomServer") }.map(\.path)

        #expect(places.count == 8)
        #expect(texts.allSatisfy { $0.lowercased().contains("sensor") })
        #expect(Set(switching).isSubset(of: places))
        #expect(switching.count == 6)
    }

    @Test(arguments: ServerRole.allCases) func `each role has a colour in drawings`(_ role: ServerRole) throws {
        let style = try Self.code().filter { $0.path.hasSuffix("MeshDrawing+Style.swift") }

        #expect(style.count == 1)
        #expect(style.allSatisfy { $0.text.contains(".\(role.commandName){fill:") })
    }
}
