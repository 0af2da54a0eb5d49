import Foundation
import MeshTestSupport
import Testing

/// The article about the architecture follows a text message through files and functions that are there.
@Suite struct MessageWayTests {
    private static let heading = "### The way of a text message\n"

    /// One function on the way, and its file below `Sources`.
    private struct Step {
        let file: String
        let function: String

        var isThere: Bool {
            let url = StoredArticle(path: "Sources/\(file)").url
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { return false }
            return text.contains("func \(function)(") || text.contains("func \(function)<")
        }
    }

    /// The section of the article, without its heading and what follows it.
    private func section() throws -> String {
        let article = StoredArticle(module: "MeshTestbed", name: "Architecture")
        let parts = try String(contentsOf: article.url, encoding: .utf8).components(separatedBy: Self.heading)
        try #require(parts.count == 2)
        return parts[1].components(separatedBy: "\n#")[0]
    }

    /// Each file that a section names, with the function named behind it.
    private func steps(in section: String) -> [Step] {
        section.matches(of: /`([^`]+\.swift)`[^`]*`(\w+)`/).map { match in
            Step(file: String(match.output.1), function: String(match.output.2))
        }
    }

    @Test func `each file on the way of a text message is there and has the function that the article names`() throws {
        let section = try section()

        let steps = steps(in: section)

        let missing = steps.filter { !$0.isThere }.map { "\($0.function) in \($0.file)" }
        #expect(missing.isEmpty, "not there: \(missing)")
        #expect(steps.count == section.matches(of: /\.swift\b/).count, "a file without a function")
    }

    @Test func `the way of a text message needs no more files than a reader can open`() throws {
        let section = try section()

        let files = Set(steps(in: section).map(\.file))

        #expect(files.count <= 40)
        #expect(section.contains("in \(files.count) files"))
    }
}
