import Foundation
import MeshTestSupport
import Testing

/// The article about the architecture sends those who add something to files and folders that are there.
@Suite struct NewThingTests {
    private static let heading = "### Where a new thing goes\n"

    /// The rows of the article's table, without its head: a cell for each column.
    private func rows() throws -> [[String]] {
        let article = StoredArticle(module: "MeshTestbed", name: "Architecture")
        let parts = try String(contentsOf: article.url, encoding: .utf8).components(separatedBy: Self.heading)
        try #require(parts.count == 2)
        let section = parts[1].components(separatedBy: "\n#")[0]
        let lines = section.components(separatedBy: "|---|---|---|\n")
        try #require(lines.count == 2)
        return lines[1].split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map(String.init)
        }
    }

    /// The paths below `Sources` in a cell: what has a folder in front, and names of modules.
    private func paths(in cell: String) -> [String] {
        cell.matches(of: /`([\w+\/.]+)`/).map { String($0.output.1) }
            .filter { $0.contains("/") || $0.hasPrefix("Mesh") || $0.hasPrefix("PocketMesh") }
    }

    @Test func `each place for a new thing that the article names is there`() throws {
        let rows = try rows()
        let places = rows.map { $0.dropFirst().flatMap(paths) }

        let missing = places.joined().filter {
            !FileManager.default.fileExists(atPath: StoredArticle(path: "Sources/\($0)").url.path)
        }

        #expect(missing.isEmpty, "not there: \(missing)")
        #expect(rows.count >= 10)
        #expect(rows.allSatisfy { $0.count == 3 })
    }

    @Test func `each new thing has a place to begin at`() throws {
        let rows = try rows()

        let homeless = rows.filter { paths(in: $0[1]).isEmpty && !$0[1].contains("](../../") }.map { $0[0] }

        #expect(homeless.isEmpty, "no place: \(homeless)")
    }
}
